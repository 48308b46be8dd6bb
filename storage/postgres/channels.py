"""What is kept of channels, on PostgreSQL: how far each was read, and our messages in them."""

from __future__ import annotations

from collections.abc import Mapping

from matches.store.rows import MatchRow, Post
from storage.channels import PostsPart, ReadMarksPart
from storage.postgres.rows import find_matches
from storage.postgres.sessions import Conn
from storage.postgres.transactions import PostgresPart
from storage.rows import POST_COLUMNS, to_post

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


_FIND = f"SELECT {POST_COLUMNS} FROM posts WHERE message = %s"  # noqa: S608 - our own columns


class PostgresPosts(PostsPart, PostgresPart):
    """The part of the Store that keeps posts."""

    async def post_and_match(self, message: int) -> tuple[Post, MatchRow] | None:
        """Return the post of a message and its match, or None."""

        def find(db: Conn) -> tuple[Post, MatchRow] | None:
            row = db.execute(_FIND, (message,)).fetchone()
            if row is None:
                return None
            post = to_post(row)  # it never changes, so two questions see the same
            found = find_matches(db, "WHERE id = %s", (post.match,))
            return (post, found[0]) if found else None

        return await self._database.read(find)
