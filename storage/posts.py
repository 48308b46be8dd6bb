"""Our messages of matches: which match, channel and entry each belongs to."""

from __future__ import annotations

import sqlite3

from matches.outbox.base import OutboxKind
from matches.store.rows import MatchRow, Post
from storage.parts import SqlitePart, StorePart
from storage.rows import POST_COLUMNS, insert, post_values, read_matches, to_post
from storage.transactions import Transaction

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
