"""The settings of servers and people as JSON, and how far each channel was read."""

from __future__ import annotations

from collections.abc import Mapping

from storage.postgres.parts import PostgresPart
from storage.postgres.sessions import Conn
from storage.read_marks import ReadMarksPart

_MARK = """
INSERT INTO seen (channel, message) SELECT * FROM unnest(%s::bigint[], %s::bigint[])
ON CONFLICT (channel) DO UPDATE SET message = excluded.message WHERE excluded.message > seen.message
"""

# A mark from before the first board belongs to an earlier match in the same channel: what was written since
# then isn't for the matches of today.
_CHANNELS = """
SELECT place, greatest(seen.message, first), home, guild FROM (
    SELECT place, coalesce(min(first), max(thread)) AS first, max(home) AS home, max(guild) AS guild,
        max(changed) AS changed FROM (
        SELECT coalesce(thread, channel) AS place, NULL::bigint AS first, thread, 1 AS home, guild,
            updated AS changed
        FROM matches WHERE status = 'live'
        UNION ALL
        SELECT posts.channel, posts.message, NULL, 0, NULL, updated
        FROM matches JOIN posts ON posts.match = matches.id
        WHERE matches.status = 'live' AND posts.kind = 'board'
    ) AS found GROUP BY place
) AS homes LEFT JOIN seen ON seen.channel = place ORDER BY home DESC, changed DESC, place
"""


_OTHER_CHANNELS = """
SELECT place, coalesce(seen.message, first), guild FROM (
    SELECT DISTINCT -guild AS place, NULL::bigint AS first, guild FROM matches
    WHERE status = 'live' AND guild IS NOT NULL
    UNION ALL
    SELECT DISTINCT (s.settings #>> '{direct,0}')::bigint, (s.settings #>> '{direct,1}')::bigint, NULL::bigint
    FROM matches AS m JOIN seats ON seats.match = m.id
        JOIN settings AS s ON s.scope = 'user' AND s.id = seats."user"
    WHERE m.status = 'live' AND s.settings -> 'direct' IS NOT NULL
) AS found LEFT JOIN seen ON seen.channel = place ORDER BY place DESC
"""


class PostgresReadMarks(ReadMarksPart, PostgresPart):
    """The part of the Store that keeps the last message read in each channel."""

    _TO_READ, _ELSEWHERE = _CHANNELS, _OTHER_CHANNELS

    async def mark_read(self, marks: Mapping[int, int]) -> None:
        """Record the last messages read, in one transaction; older ones change nothing."""
        if not marks:
            return
        channels = sorted(marks)
        messages = [marks[channel] for channel in channels]

        def mark(db: Conn) -> None:
            db.execute(_MARK, (channels, messages))

        await self._database.transaction(mark)
