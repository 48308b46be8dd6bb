"""Our messages of matches, and mirrors: channels besides its own in which a match is shown by one message."""

from __future__ import annotations

from datetime import datetime

from matches.rows import Draft, MatchRow, Post, Watch
from storage.mirrors import MirrorsPart
from storage.postgres.parts import PostgresPart
from storage.postgres.rows import enqueue, find_matches, lock_matches
from storage.postgres.sessions import Conn
from storage.posts import PostsPart
from storage.rows import POST_COLUMNS, post_values, to_post

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


class PostgresMirrors(MirrorsPart, PostgresPart):
    """The part of the Store that keeps watches: who mirrors which match in which channel."""

    async def watch(self, watch: Watch, draft: Draft | None = None, now: datetime | None = None) -> None:
        """Add a watch, or replace the one of the same match and channel; queue a message in the same step.

        LookupError for no such match, ValueError for a message without the time.
        """

        def add(db: Conn) -> None:
            lock_matches(db, (watch.match,))
            db.execute(
                "INSERT INTO watches (match, channel, by, message) VALUES (%s, %s, %s, %s) "
                "ON CONFLICT (match, channel) DO UPDATE SET by = excluded.by, message = excluded.message",
                (watch.match, watch.channel, watch.by, watch.message),
            )
            if draft is not None:
                if now is None:
                    raise ValueError("a message is queued at a time")
                enqueue(db, draft, now)

        await self._database.transaction(add)


def remember(db: Conn, post: Post) -> None:
    """Add a post unless its message is known, within a transaction."""
    db.execute(
        f"INSERT INTO posts ({POST_COLUMNS}) VALUES (%s, %s, %s, %s, %s) ON CONFLICT (message) DO NOTHING",  # noqa: S608 - our own columns
        post_values(post),
    )


def mirrored_in(db: Conn, match_id: str) -> list[int]:
    """Return the channels that mirror a match, oldest watch first, within a transaction."""
    rows = db.execute("SELECT channel FROM watches WHERE match = %s ORDER BY n", (match_id,))
    return [channel for (channel,) in rows.fetchall()]
