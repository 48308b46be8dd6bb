"""What is kept of channels: how far each was read, our messages in them, and mirrors of matches."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from matches.outbox.base import OutboxKind
from matches.outbox.queue import Draft
from matches.store.rows import MatchRow, Post, Unread, Watch
from storage.rows import POST_COLUMNS, insert, post_values, read_matches, to_json, to_post, to_watch
from storage.transactions import SqlitePart, StorePart, Transaction

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


_FIND = f"SELECT {POST_COLUMNS} FROM posts WHERE message = ?"  # noqa: S608 - our own columns


class PostsPart(StorePart):
    """The statements about posts that every database takes."""

    async def find_post(self, message: int) -> Post | None:
        """Return the post of a message, or None."""
        row = await self._fetch_one(_FIND, message)
        return None if row is None else to_post(row)

    async def posts(self, match_id: str, kind: OutboxKind | None = None) -> tuple[Post, ...]:
        """Return all posts of a match, or those of a kind, oldest first."""
        which, values = ("", (match_id,)) if kind is None else (" AND kind = ?", (match_id, kind))
        query = f"SELECT {POST_COLUMNS} FROM posts WHERE match = ?{which} ORDER BY message"  # noqa: S608 - our own text
        return tuple(map(to_post, await self._fetch_all(query, *values)))


class SqlitePosts(PostsPart, SqlitePart):
    """The part of the Store that keeps posts."""

    async def post_and_match(self, message: int) -> tuple[Post, MatchRow] | None:
        """Return the post of a message and its match, or None."""

        def find(db: sqlite3.Connection) -> tuple[Post, MatchRow] | None:
            row = db.execute(_FIND, (message,)).fetchone()
            if row is None:
                return None
            post = to_post(row)
            found = read_matches(db, "WHERE id = ?", (post.match,))
            return (post, found[0]) if found else None

        return await self._database.read(find)


def remember(tx: Transaction, post: Post) -> None:
    """Add a post unless its message is known, within a transaction."""
    tx.execute(f"{insert('posts', POST_COLUMNS)} ON CONFLICT (message) DO NOTHING", *post_values(post))


_PUT = """
INSERT INTO watches (match, channel, by, message) VALUES (?, ?, ?, ?)
ON CONFLICT (match, channel) DO UPDATE SET by = excluded.by, message = excluded.message
"""


class MirrorsPart(StorePart):
    """The statements about watches that every database takes."""

    async def unwatch(self, match_id: str, channel: int) -> bool:
        """Remove a watch; return whether there was one."""
        statement = "DELETE FROM watches WHERE match = ? AND channel = ?"
        return await self._execute(statement, match_id, channel) > 0

    async def watches(self, match_id: str) -> tuple[Watch, ...]:
        """Return the watches of a match, oldest first."""
        rows = await self._fetch_all(
            "SELECT match, channel, by, message FROM watches WHERE match = ? ORDER BY n", match_id
        )
        return tuple(map(to_watch, rows))

    async def watch(self, watch: Watch, draft: Draft | None = None, now: datetime | None = None) -> None:
        """Add a watch, or replace the one of the same match and channel; queue a message in the same step.

        LookupError for no such match, ValueError for a message without the time.
        """

        def add(tx: Transaction) -> None:
            tx.lock_match(watch.match)
            tx.execute(_PUT, watch.match, watch.channel, watch.by, watch.message)
            tx.enqueue_if_any(draft, now)

        await self._transaction(add)


def mirrored_in(tx: Transaction, match_id: str) -> list[int]:
    """Return the channels that mirror a match, oldest watch first, within a transaction."""
    rows = tx.execute("SELECT channel FROM watches WHERE match = ? ORDER BY n", match_id)
    return [channel for (channel,) in rows.fetchall()]
