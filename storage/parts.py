"""How each part of the Store asks its database.

A statement that every database takes is written once, with `?` for a value and "user" in quotes, and belongs
to the class that both databases share. What differs is written for each of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

from matches.store.rows import MatchRow
from storage.connection import Database
from storage.rows import Value, read_matches
from storage.transactions import SqliteTransaction, Transaction

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
    async def _execute(self, statement: str, *values: Value, tells: str = "") -> int:
        """Run one statement as a transaction, and return how many rows it changed.

        `tells` is of what other processes are told, as topic and key: `settings:user:7`.
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

    async def _execute(self, statement: str, *values: Value, tells: str = "") -> int:
        return await self._database.execute(statement, *values)  # there is no other process

    async def _transaction(self, work: Callable[[Transaction], T]) -> T:
        return await self._database.transaction(lambda db: work(SqliteTransaction(db)))

    async def _read(self, work: Callable[[Transaction], T]) -> T:
        return await self._database.read(lambda db: work(SqliteTransaction(db)))

    async def _find_matches(self, tail: str, *values: Value) -> tuple[MatchRow, ...]:
        return await self._database.read(lambda db: read_matches(db, tail, values))
