"""What the parts of the Store ask their database and do within a transaction, as every database takes it.

A statement that every database takes is written once, with `?` for a value and "user" in quotes, and belongs
to the class that both databases share. What differs is written for each of them.
"""

from __future__ import annotations

import contextlib
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, ClassVar, Final, Protocol, TypeVar

from matches.outbox.queue import Draft
from matches.store.rows import MatchRow
from storage.connection import Database
from storage.rows import Value, draft_values, insert, read_matches, to_json


def enqueue(db: sqlite3.Connection, draft: Draft, at: datetime) -> int:
    """Add a row to the outbox, due at once, within a transaction; return its id."""
    number = db.execute(
        "INSERT INTO outbox (kind, match, lane, payload, user, created, due) VALUES (?, ?, ?, ?, ?, ?, ?)",
        draft_values(draft, at),
    ).lastrowid
    if number is None:  # SQLite always gives one for an insert
        raise AssertionError("an insert without a row id")
    return number


_INDEXES: Final = """
SELECT name, sql FROM sqlite_schema
WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN (SELECT value FROM json_each(?))
"""


class StatementResult(Protocol):
    """The answer of a database to a statement."""

    @property
    def rowcount(self) -> int:
        """How many rows the statement has changed."""

    def fetchone(self) -> Any:
        """Return the first row, or None."""

    def fetchall(self) -> list[Any]:
        """Return all rows."""


class Transaction(ABC):
    """A transaction that has begun, on any database. Statements have `?` for a value and "user" in quotes."""

    EARLIEST: ClassVar[str]
    LATEST: ClassVar[str]
    """Functions that return the least and the greatest of their values."""
    FOR_CHANGE: ClassVar[str]
    """What a SELECT ends with that locks the row it finds."""

    @abstractmethod
    def execute(self, statement: str, *values: Value | bytes) -> StatementResult:
        """Run a statement."""

    @abstractmethod
    def execute_many(self, statement: str, rows: Iterable[Sequence[Value]]) -> None:
        """Run a statement for each row of values."""

    @abstractmethod
    def stream(self, table: str, columns: str, rows: Iterable[Sequence[Value]]) -> None:
        """Add a great many rows."""

    @abstractmethod
    def pipeline(self) -> AbstractContextManager[Any]:
        """Let statements be sent without waiting for the answers to those before them."""

    @abstractmethod
    def bulk(self, *tables: str) -> AbstractContextManager[Any]:
        """Let a great many rows be written meanwhile, which replace all that tables have."""

    @abstractmethod
    def wake(self, match_id: str) -> None:
        """Notify the process that serves a match, if that is another, of its change."""

    @abstractmethod
    def enqueue(self, draft: Draft, at: datetime) -> None:
        """Add a row to the outbox, due at once."""

    @abstractmethod
    def notify(self, what: str) -> None:
        """Notify the other processes, if there are any, of what has changed, by topic and key."""

    @abstractmethod
    def ours(self, guild: str) -> tuple[str, tuple[Value, ...]]:
        """Return the condition that the server in a column is this process's to serve, and its values."""

    @abstractmethod
    def lock_matches(self, ids: Iterable[str]) -> None:
        """Let no other transaction change matches, or what belongs to them, until this one has ended."""

    @abstractmethod
    def lock(self, what: str, id: int) -> None:  # noqa: A002 - of a person or a server
        """Let no other transaction that locks the same go on until this one has ended.

        Two that count rows and don't see each other could exceed a limit.
        """

    def lock_match(self, match_id: str) -> None:
        """Let no other transaction change a match, or what belongs to it, until this one has ended."""
        self.lock_matches((match_id,))

    def enqueue_if_any(self, draft: Draft | None, at: datetime | None) -> None:
        """Queue a message if there is one. Raises ValueError for a message without the time."""
        if draft is not None:
            if at is None:
                raise ValueError("a message is queued at a time")
            self.enqueue(draft, at)


class SqliteTransaction(Transaction):
    """A transaction on an SQLite file: there is one at a time, so nothing needs a lock."""

    EARLIEST, LATEST, FOR_CHANGE = "min", "max", ""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def execute(self, statement: str, *values: Value | bytes) -> StatementResult:
        """Run a statement."""
        return self._db.execute(statement, values)

    def execute_many(self, statement: str, rows: Iterable[Sequence[Value]]) -> None:
        """Run a statement for each row of values."""
        self._db.executemany(statement, rows)

    def stream(self, table: str, columns: str, rows: Iterable[Sequence[Value]]) -> None:
        """Add a great many rows."""
        self._db.executemany(insert(table, columns), rows)

    def pipeline(self) -> AbstractContextManager[Any]:
        """Do nothing: nobody is asked over a network."""
        return contextlib.nullcontext()

    @contextlib.contextmanager
    def bulk(self, *tables: str) -> Iterator[None]:
        """Gather rows in temporary tables of the same names, and add them by their first columns; then index.

        Added at random places, every few rows would write much of the tables and indexes to the log.
        """
        names, indexes = to_json(tables), []
        for name, made in self._db.execute(_INDEXES, (names,)).fetchall():
            self._db.execute(f"DROP INDEX {name}")
            indexes.append(made)
        for table in tables:
            self._db.execute(f"DELETE FROM main.{table}")  # noqa: S608 - our own names
            self._db.execute(f"CREATE TEMP TABLE {table} AS SELECT * FROM main.{table}")  # noqa: S608
        yield
        for table in tables:
            self._db.execute(f"INSERT INTO main.{table} SELECT * FROM temp.{table} ORDER BY 1, 2, 3")  # noqa: S608
            self._db.execute(f"DROP TABLE temp.{table}")
        for made in indexes:
            self._db.execute(made)

    def wake(self, match_id: str) -> None:
        """Do nothing: there is no other process."""

    def enqueue(self, draft: Draft, at: datetime) -> None:
        """Add a row to the outbox, due at once."""
        enqueue(self._db, draft, at)

    def notify(self, what: str) -> None:
        """Do nothing: there is no other process."""

    def ours(self, guild: str) -> tuple[str, tuple[Value, ...]]:
        """Return what is always true."""
        return "true", ()

    def lock_matches(self, ids: Iterable[str]) -> None:
        """Do nothing."""

    def lock(self, what: str, id: int) -> None:  # noqa: A002 - of a person or a server
        """Do nothing."""


T = TypeVar("T")


class StorePart(ABC):
    """A part of the Store, on any database."""

    @abstractmethod
    async def _fetch_one(self, query: str, *values: Value) -> tuple[Any, ...] | None:
        """Return the first row of a query, or None."""

    @abstractmethod
    async def _fetch_all(self, query: str, *values: Value) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""

    @abstractmethod
    async def _execute(self, statement: str, *values: Value, topic: str = "") -> int:
        """Run one statement as a transaction, and return how many rows it changed.

        `topic` is what other processes are notified of, as topic and key: `settings:user:7`.
        """

    @abstractmethod
    async def _transaction(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a transaction, rolled back on any exception, and return its result."""

    @abstractmethod
    async def _read(self, work: Callable[[Transaction], T]) -> T:
        """Run `work`, which only reads, where it doesn't hold the event loop, and return its result."""

    @abstractmethod
    async def _find_matches(self, tail: str, *values: Value) -> tuple[MatchRow, ...]:
        """Return the matches that `SELECT ... FROM matches {tail}` finds, with their seats."""


class SqlitePart(StorePart):
    """A part of the Store on an SQLite file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def _fetch_one(self, query: str, *values: Value) -> tuple[Any, ...] | None:
        return await self._database.fetch_one(query, *values)

    async def _fetch_all(self, query: str, *values: Value) -> list[tuple[Any, ...]]:
        return await self._database.fetch_all(query, *values)

    async def _execute(self, statement: str, *values: Value, topic: str = "") -> int:
        return await self._database.execute(statement, *values)  # there is no other process

    async def _transaction(self, work: Callable[[Transaction], T]) -> T:
        return await self._database.transaction(lambda db: work(SqliteTransaction(db)))

    async def _read(self, work: Callable[[Transaction], T]) -> T:
        return await self._database.read(lambda db: work(SqliteTransaction(db)))

    async def _find_matches(self, tail: str, *values: Value) -> tuple[MatchRow, ...]:
        return await self._database.read(lambda db: read_matches(db, tail, values))
