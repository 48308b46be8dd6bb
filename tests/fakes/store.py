"""The Store on SQLite without a thread, in memory or on a file: the same statements, as fast as any fake."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import weakref
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar
from unittest import mock

from matches.ports import Clock, StoreError
from storage.connection import Database, Work
from storage.errors import explain
from storage.migrations import migrate, shipped
from storage.store import SqliteStore, open_store
from tests.fakes.hand_set import FakeClock

T = TypeVar("T")
_NOWHERE = Path("memory")


def as_json(value: T) -> T:
    """A value after its way through JSON, apart from the original."""
    back: T = json.loads(json.dumps(value, allow_nan=False))
    return back


@cache
def _migrated() -> sqlite3.Connection:
    """An empty database with the newest schema, to be copied. Kept open until the process ends."""
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    migrate(db, _NOWHERE, shipped(), 0)
    return db


_EMPTY: list[bytes] = []


async def begin_file(path: Path) -> None:
    """Put an empty database with the newest schema there, as a first start has left it."""
    if not _EMPTY:
        with TemporaryDirectory() as folder:
            first = Path(folder) / "first.sqlite3"
            await (await open_store(first, clock=FakeClock())).close()
            _EMPTY.append(first.read_bytes())
    await asyncio.to_thread(path.write_bytes, _EMPTY[0])


async def open_at_once(path: Path, clock: Clock) -> SqliteStore:
    """Open a file whose jobs run in the loop, after others had their turn: none waits for a thread."""
    connect = partial(sqlite3.connect, check_same_thread=False)
    with mock.patch.object(sqlite3, "connect", connect):
        store = await open_store(path, clock=clock)
    database = store._database

    async def run(work: Work[T]) -> T:
        database.require_open()
        await asyncio.sleep(0)
        return _explained(path, work, database._db._conn)

    database._run = run  # type: ignore[method-assign]
    return store


def _explained(path: Path, work: Work[T], db: sqlite3.Connection) -> T:
    try:
        return work(db)
    except sqlite3.Error as error:
        raise explain(path, error) from error


class _MemoryDatabase(Database):
    """A database whose jobs run at once, where they are asked for. `failing` is raised by each change."""

    failing: StoreError | None = None

    def __init__(self) -> None:
        self.path = _NOWHERE
        self.db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        _migrated().backup(self.db)
        self.db.execute("PRAGMA foreign_keys = ON")
        self._marks = None
        self._closed = False
        weakref.finalize(self, self.db.close)

    async def transaction(self, work: Work[T]) -> T:
        """Run `work` as a transaction."""
        if self.failing is not None:
            raise self.failing
        return await super().transaction(work)

    async def rewrite(self) -> None:
        """There is no file whose free pages could hold something."""

    async def close(self) -> None:
        """Refuse everything from now on."""
        self._closed = True

    async def _run(self, work: Work[T]) -> T:
        self.require_open()
        return _explained(self.path, work, self.db)


class MemoryStore(SqliteStore):
    """An empty store."""

    _database: _MemoryDatabase

    def __init__(self, clock: Clock | None = None) -> None:
        super().__init__(_MemoryDatabase(), clock or FakeClock())

    @property
    def db(self) -> sqlite3.Connection:
        """The database itself."""
        return self._database.db

    @property
    def failing(self) -> StoreError | None:
        """What each change raises, if anything."""
        return self._database.failing

    @failing.setter
    def failing(self, error: StoreError | None) -> None:
        self._database.failing = error
