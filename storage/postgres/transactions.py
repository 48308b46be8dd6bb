"""How parts of the Store ask PostgreSQL, and its transactions, in statements that every database takes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, TypeVar

from matches.outbox.queue import Draft
from matches.store.rows import MatchRow
from storage.postgres.connection import PostgresDatabase
from storage.postgres.rows import enqueue, find_matches, lock_matches
from storage.postgres.sessions import SERVED, Conn, shard_of, tell, wake
from storage.rows import Value
from storage.transactions import StatementResult, StorePart, Transaction


def placed(statement: str) -> str:
    """Return a statement with the places of values as psycopg wants them. No text in ours has a `?`."""
    return statement.replace("?", "%s")


class PostgresTransaction(Transaction):
    """A transaction on a PostgreSQL database."""

    EARLIEST, LATEST, FOR_CHANGE = "least", "greatest", " FOR NO KEY UPDATE"

    def __init__(self, db: Conn) -> None:
        self._db = db

    def execute(self, statement: str, *values: Value | bytes) -> StatementResult:
        """Run a statement."""
        return self._db.execute(placed(statement), values)

    def execute_many(self, statement: str, rows: Iterable[Sequence[Value]]) -> None:
        """Run a statement for each row of values."""
        self._db.cursor().executemany(placed(statement), rows)

    def pipeline(self) -> AbstractContextManager[Any]:
        """Begin a pipeline, or go on with the one that there is."""
        return self._db.pipeline()

    def bulk(self) -> AbstractContextManager[Any]:
        """Do nothing: the server has its own memory."""
        return contextlib.nullcontext()

    def wake(self, match_id: str) -> None:
        """Tell it with the commit."""
        wake(self._db, match_id)

    def enqueue(self, draft: Draft, at: datetime) -> None:
        """Add a row to the outbox, due at once."""
        enqueue(self._db, draft, at)

    def tell(self, what: str) -> None:
        """Send it with the commit."""
        tell(self._db, what)

    def ours(self, guild: str) -> tuple[str, tuple[Value, ...]]:
        """Return whether this process has the lease of the server's shard; true if it works alone."""
        if self._db.process is None:
            return "true", ()
        return SERVED.format(shard=shard_of(guild)), (self._db.process,)

    def lock_matches(self, ids: Iterable[str]) -> None:
        """Lock the rows of matches."""
        lock_matches(self._db, ids)

    def lock(self, what: str, id: int) -> None:  # noqa: A002 - of a person or a server
        """Take an advisory lock."""
        self._db.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, %s))", (what, id))


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
