"""What is kept about a person, and how they are forgotten, on SQLite."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from matches.store.erasure_store import Erasure, PersonalData
from storage.erasing import erase_person, export_queries
from storage.parts import SqlitePart, StorePart
from storage.personal_data import JSON_COLUMNS
from storage.rows import to_ms
from storage.transactions import Transaction

_PUT = 'INSERT INTO erasures ("user", token, begun) VALUES (?, ?, ?) ON CONFLICT ("user") DO NOTHING'


class ErasuresPart(StorePart):
    """The statements about erasures that every database takes."""

    async def erasures(self) -> tuple[Erasure, ...]:
        """Return the erasures that aren't done."""
        query = 'SELECT "user", token FROM erasures WHERE "user" IS NOT NULL ORDER BY n'
        return tuple(Erasure(user, token) for user, token in await self._fetch_all(query))

    async def begin_erasure(self, user: int, token: int, now: datetime) -> Erasure:
        """Note that a person is to be forgotten."""

        def put(tx: Transaction) -> Erasure:
            tx.execute(_PUT, user, token, to_ms(now))
            tx.tell("erasures:")
            (kept,) = tx.execute('SELECT token FROM erasures WHERE "user" = ?', user).fetchone()
            return Erasure(user, kept)

        return await self._transaction(put)


class SqliteErasures(ErasuresPart, SqlitePart):
    """The part of the Store that exports and forgets what is kept about people."""

    async def personal_data(self, user: int, limit: int) -> PersonalData:
        """Return what is kept about a person."""

        def read(db: sqlite3.Connection) -> PersonalData:
            found = {
                table: (columns, db.execute(query, {"user": user, "limit": limit}).fetchall())
                for table, columns, query in export_queries(lambda name: f":{name}")
            }
            own = "SELECT settings FROM settings WHERE scope = 'user' AND id = ?"
            return exported(found, db.execute(own, (user,)).fetchone())

        return await self._database.read(read)

    async def erase(self, user: int, now: datetime, *, even_playing: bool = False) -> bool:
        """Forget a person."""

        def work(db: sqlite3.Connection) -> bool:
            def run(statement: str, values: Mapping[str, Any]) -> list[Sequence[Any]]:
                return db.execute(statement, values).fetchall()

            return erase_person(run, lambda name: f":{name}", user, to_ms(now), even_playing=even_playing)

        return await self._database.transaction(work)

    async def clean_up(self, now: datetime) -> bool:
        """Write the file anew, so that nothing is left in its free pages and its write-ahead log."""
        waiting = "SELECT 1 FROM erasures WHERE done IS NOT NULL AND cleaned IS NULL LIMIT 1"
        if await self._database.fetch_one(waiting) is None:
            return False
        await self._database.rewrite()
        done = "UPDATE erasures SET cleaned = ? WHERE done IS NOT NULL AND cleaned IS NULL"
        await self._database.execute(done, to_ms(now))
        return True


def exported(
    found: Mapping[str, tuple[Sequence[str], Sequence[Sequence[Any]]]], settings: Sequence[Any] | None
) -> PersonalData:
    """Return the rows of queries by table and column, JSON as values, without tables that have none."""
    data: dict[str, tuple[Mapping[str, Any], ...]] = {
        table: tuple(
            {name: _value(name, each) for name, each in zip(columns, row, strict=True)} for row in rows
        )
        for table, (columns, rows) in found.items()
        if rows
    }
    if settings is not None:
        data["settings"] = ({"settings": _value("settings", settings[0])},)
    return data


def _value(column: str, value: Any) -> Any:
    is_json = column in JSON_COLUMNS or column in ("lines", "headers", "settings")
    return json.loads(value) if is_json and isinstance(value, str) else value
