"""How each part of the Store asks PostgreSQL, also in statements that are written for every database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from matches.store.rows import MatchRow
from storage.parts import StorePart
from storage.postgres.connection import PostgresDatabase
from storage.postgres.rows import find_matches
from storage.postgres.sessions import Conn, tell
from storage.postgres.transactions import PostgresTransaction, placed
from storage.rows import Value
from storage.transactions import Transaction

T = TypeVar("T")


class PostgresPart(StorePart):
    """A part of the Store on a PostgreSQL database."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database

    async def _fetch_one(self, query: str, *values: Value) -> tuple[Any, ...] | None:
        return await self._database.fetch_one(placed(query), *values)

    async def _fetch_all(self, query: str, *values: Value) -> list[tuple[Any, ...]]:
        return await self._database.fetch_all(placed(query), *values)

    async def _execute(self, statement: str, *values: Value, tells: str = "") -> int:
        def run(db: Conn) -> int:
            if tells:
                tell(db, tells)
            return db.execute(placed(statement), values).rowcount

        return await self._database.transaction(run)

    async def _transaction(self, work: Callable[[Transaction], T]) -> T:
        return await self._database.transaction(lambda db: work(PostgresTransaction(db)))

    async def _read(self, work: Callable[[Transaction], T]) -> T:
        return await self._database.read(lambda db: work(PostgresTransaction(db)))

    async def _find_matches(self, tail: str, *values: Value) -> tuple[MatchRow, ...]:
        return await self._database.read(lambda db: find_matches(db, placed(tail), values))
