"""Our messages of matches, and mirrors: channels besides its own in which a match is shown by one message."""

from __future__ import annotations

from matches.store.rows import MatchRow, Post
from storage.postgres.parts import PostgresPart
from storage.postgres.rows import find_matches
from storage.postgres.sessions import Conn
from storage.posts import PostsPart
from storage.rows import POST_COLUMNS, to_post

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
