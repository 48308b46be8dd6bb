"""What surrounds matches: their messages, mirrors, settings, and what was read."""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime
from typing import Any, Literal

from matches.ports import Draft, OutboxKind, Post, Watch
from storage.connection import Database
from storage.rows import POST_COLUMNS, draft_values, post_values, to_json, to_post, to_watch


class Surroundings:
    """The part of the Store that keeps posts, watches, settings and read marks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find_post(self, message: int) -> Post | None:
        """The post that a message is."""
        row = await self._one(f"SELECT {POST_COLUMNS} FROM posts WHERE message = ?", message)  # noqa: S608 - our own columns
        return None if row is None else to_post(row)

    async def posts(self, match_id: str, kind: OutboxKind | None = None) -> tuple[Post, ...]:
        """All posts of a match, or those of a kind, oldest first."""
        rows = await self._all(
            f"SELECT {POST_COLUMNS} FROM posts WHERE match = ?1 AND (?2 IS NULL OR kind = ?2) "  # noqa: S608 - our own columns
            "ORDER BY message",
            match_id,
            kind,
        )
        return tuple(map(to_post, rows))

    async def watch(self, watch: Watch, draft: Draft | None = None, now: datetime | None = None) -> None:
        """Add a watch, or replace the one of the same match and channel; queue a message in the same step.

        LookupError for no such match, ValueError for a message without the time.
        """

        def add(db: sqlite3.Connection) -> None:
            db.execute(
                "INSERT INTO watches (match, channel, by, message) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (match, channel) DO UPDATE SET by = excluded.by, message = excluded.message",
                (watch.match, watch.channel, watch.by, watch.message),
            )
            if draft is not None:
                if now is None:
                    raise ValueError("a message is queued at a time")
                enqueue(db, draft, now)

        await self._database.transaction(add)

    async def unwatch(self, match_id: str, channel: int) -> bool:
        """Remove a watch; whether there was one."""
        return (
            await self._change("DELETE FROM watches WHERE match = ? AND channel = ?", match_id, channel) > 0
        )

    async def watches(self, match_id: str) -> tuple[Watch, ...]:
        """The watches of a match, oldest first."""
        rows = await self._all(
            "SELECT match, channel, by, message FROM watches WHERE match = ? ORDER BY n", match_id
        )
        return tuple(map(to_watch, rows))

    async def settings(self, scope: Literal["guild", "user"], id: int) -> dict[str, Any]:  # noqa: A002 - the protocol's name
        """The settings of a server or person; empty if none were made."""
        row = await self._one("SELECT settings FROM settings WHERE scope = ? AND id = ?", scope, id)
        values: dict[str, Any] = {} if row is None else json.loads(row[0])
        return values

    async def save_settings(
        self,
        scope: Literal["guild", "user"],
        id: int,  # noqa: A002 - the protocol's name
        values: dict[str, Any],
    ) -> None:
        """Replace the settings of a server or person."""
        await self._change(
            "INSERT INTO settings (scope, id, settings) VALUES (?, ?, ?) ON CONFLICT (scope, id) "
            "DO UPDATE SET settings = excluded.settings",
            scope,
            id,
            to_json(values),
        )

    async def see(self, channel: int, message: int) -> None:
        """A message was read; older ones change nothing."""
        await self._change(
            "INSERT INTO seen (channel, message) VALUES (?, ?) ON CONFLICT (channel) "
            "DO UPDATE SET message = excluded.message WHERE excluded.message > message",
            channel,
            message,
        )

    async def _one(self, query: str, *values: int | str | None) -> tuple[Any, ...] | None:
        def one(db: sqlite3.Connection) -> tuple[Any, ...] | None:
            row: tuple[Any, ...] | None = db.execute(query, values).fetchone()
            return row

        return await self._database.read(one)

    async def _all(self, query: str, *values: int | str | None) -> list[tuple[Any, ...]]:
        return await self._database.read(lambda db: db.execute(query, values).fetchall())

    async def _change(self, query: str, *values: int | str | None) -> int:
        """Run one statement as a transaction; how many rows it changed."""
        return await self._database.transaction(lambda db: db.execute(query, values).rowcount)


def remember(db: sqlite3.Connection, post: Post) -> None:
    """Add a post unless its message is known, within a transaction."""
    db.execute(
        f"INSERT INTO posts ({POST_COLUMNS}) VALUES (?, ?, ?, ?, ?) ON CONFLICT (message) DO NOTHING",  # noqa: S608 - our own columns
        post_values(post),
    )


def enqueue(db: sqlite3.Connection, draft: Draft, at: datetime) -> int:
    """Add a row to the outbox, due at once, within a transaction; its id."""
    number = db.execute(
        "INSERT INTO outbox (kind, match, lane, payload, user, created, due) VALUES (?, ?, ?, ?, ?, ?, ?)",
        draft_values(draft, at),
    ).lastrowid
    if number is None:  # SQLite always gives one for an insert
        raise AssertionError("an insert without a row id")
    return number
