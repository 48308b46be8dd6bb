"""How far each channel was read: after a gap, messages are read on from there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from matches.store.rows import Unread
from storage.parts import SqlitePart, StorePart
from storage.rows import to_json

_MARK = """
INSERT INTO seen (channel, message)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?) WHERE true
ON CONFLICT (channel) DO UPDATE SET message = excluded.message WHERE excluded.message > message
"""

# A mark from before the first board belongs to an earlier match in the same channel: what was written since
# then isn't for the matches of today.
_CHANNELS = """
SELECT place, coalesce(max(seen.message, first), seen.message, first), home, guild FROM (
    SELECT place, coalesce(min(first), max(thread)) AS first, max(home) AS home, max(guild) AS guild,
        max(changed) AS changed FROM (
        SELECT coalesce(thread, channel) AS place, NULL AS first, thread, 1 AS home, guild,
            updated AS changed
        FROM matches WHERE status = 'live'
        UNION ALL
        SELECT posts.channel, posts.message, NULL, 0, NULL, updated
        FROM matches JOIN posts ON posts.match = matches.id
        WHERE matches.status = 'live' AND posts.kind = 'board'
    ) AS homes GROUP BY place
) AS homes LEFT JOIN seen ON seen.channel = place ORDER BY home DESC, changed DESC, place
"""


_OTHER_CHANNELS = """
SELECT place, coalesce(seen.message, first), guild FROM (
    SELECT DISTINCT -guild AS place, NULL AS first, guild FROM matches
    WHERE status = 'live' AND guild IS NOT NULL
    UNION ALL
    SELECT DISTINCT json_extract(s.settings, '$.direct[0]'), json_extract(s.settings, '$.direct[1]'), NULL
    FROM matches AS m JOIN seats ON seats.match = m.id
        JOIN settings AS s ON s.scope = 'user' AND s.id = seats.user
    WHERE m.status = 'live' AND json_extract(s.settings, '$.direct') IS NOT NULL
) AS found LEFT JOIN seen ON seen.channel = place ORDER BY place DESC
"""


class ReadMarksPart(StorePart):
    """What every database is asked about read marks; the two long statements are written for each."""

    _TO_READ: ClassVar[str]
    _ELSEWHERE: ClassVar[str]

    async def read_mark(self, channel: int) -> int | None:
        """Return up to which message a channel was read; None if that isn't known."""
        row = await self._fetch_one("SELECT message FROM seen WHERE channel = ?", channel)
        return None if row is None else int(row[0])

    async def channels_to_read(self) -> tuple[Unread, ...]:
        """Return the channels of live matches, and then those where only boards of theirs were left."""
        rows = await self._fetch_all(self._TO_READ)
        return tuple(Unread(place, after, bool(home), guild) for place, after, home, guild in rows)

    async def channels_elsewhere(self) -> tuple[Unread, ...]:
        """Return where people of live matches may have written to us besides."""
        rows = await self._fetch_all(self._ELSEWHERE)
        return tuple(Unread(place, after, False, guild, place > 0) for place, after, guild in rows)


class SqliteReadMarks(ReadMarksPart, SqlitePart):
    """The part of the Store that keeps the last message read in each channel."""

    _TO_READ, _ELSEWHERE = _CHANNELS, _OTHER_CHANNELS

    async def mark_read(self, marks: Mapping[int, int]) -> None:
        """Record the last messages read, in one transaction; older ones change nothing."""
        if marks:
            await self._database.execute(_MARK, to_json(list(marks.items())))
