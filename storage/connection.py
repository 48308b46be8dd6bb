"""One connection, in one thread, writes and checkpoints; a transaction is one job of that thread.

The thread's queue is the lock: jobs run one after another, whole. A cancelled task's job is either never
begun, or ended (committed or rolled back) before the cancellation goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite

from matches.ports import Clock, StoreError, StoreUnavailableError
from storage.errors import explain, unusable
from storage.lease import Lease
from storage.migrations import identify, migrate, shipped
from storage.rows import to_ms

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]
"""What a transaction does: SQL only, synchronous, in the connection's thread."""

LOCK_TIMEOUT = 5.0
"""Seconds to wait for another program that looks at the file."""

CHECKED_AT_START = 64 * 2**20
"""Bytes up to which a file is checked whole at each start, in a third of a second.

Backups and `dominium doctor` check larger ones, too."""

OLDEST_SQLITE = (3, 37, 0)
"""The first release with STRICT tables."""


class Database:
    """A database file that this process owns."""

    def __init__(self, path: Path, db: aiosqlite.Connection, lease: Lease) -> None:
        self.path = path
        self._db = db
        self._lease = lease
        self._closed = False

    async def transaction(self, work: Work[T]) -> T:
        """Run `work` in BEGIN IMMEDIATE ... COMMIT, rolled back on any exception, and return its result.

        On the disk when this returns. Raises what `work` raises; StoreError, LookupError or ValueError for
        what SQLite reports.
        """
        return await self._run(lambda db: _transact(db, work))

    async def read(self, work: Work[T]) -> T:
        """Run `work`, which only reads, and return its result; it sees one state."""
        return await self._run(work)

    async def fetch_one(self, query: str, *values: int | str | None) -> tuple[Any, ...] | None:
        """Return the first row of a query, or None."""

        def first(db: sqlite3.Connection) -> tuple[Any, ...] | None:
            row: tuple[Any, ...] | None = db.execute(query, values).fetchone()
            return row

        return await self.read(first)

    async def fetch_all(self, query: str, *values: int | str | None) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        return await self.read(lambda db: db.execute(query, values).fetchall())

    async def execute(self, statement: str, *values: int | str | None) -> int:
        """Run one statement as a transaction, and return how many rows it changed."""
        return await self.transaction(lambda db: db.execute(statement, values).rowcount)

    async def rewrite(self) -> None:
        """Write the whole file anew, without free pages, and empty its write-ahead log; other jobs wait.

        It takes about a second for 100 MB, and needs as much room on the disk as the file has.
        """

        def vacuum(db: sqlite3.Connection) -> None:
            db.execute("VACUUM")
            busy, *_ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                raise StoreUnavailableError(
                    "Another program reads the database, so its log can't be emptied."
                )

        await self._run(vacuum)

    async def close(self) -> None:
        """Finish the running jobs, close the file and release the lease. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            await settled(self._db.close())
        finally:
            self._lease.release()

    def require_open(self) -> None:
        """Raise StoreError if the database is closed."""
        if self._closed:
            raise StoreError("The store is closed.")

    async def _run(self, work: Work[T]) -> T:
        self.require_open()
        try:
            return await _in_thread(self._db, work)
        except sqlite3.Error as error:
            raise explain(self.path, error) from error


async def open_database(path: Path, clock: Clock) -> Database:
    """Open a file, or start one, and bring its schema up to date.

    Raises StoreError with what to do if it can't be used safely; it is then unchanged.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        needed = ".".join(map(str, OLDEST_SQLITE))
        raise StoreError(f"SQLite {sqlite3.sqlite_version} is too old. Use a Python with {needed} or newer.")
    opening = asyncio.ensure_future(_open(path, clock))
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        # Opening ends first, so that neither a thread nor the lease is left behind.
        await asyncio.wait([opening])
        if opening.exception() is None:
            await opening.result().close()
        raise


async def _open(path: Path, clock: Clock) -> Database:
    lease = await asyncio.to_thread(_prepare, path)
    db: aiosqlite.Connection | None = None
    try:
        # Autocommit: BEGIN and COMMIT are ours. Each statement of the program stays prepared.
        db = await aiosqlite.connect(path, timeout=LOCK_TIMEOUT, isolation_level=None, cached_statements=256)
        await _in_thread(db, lambda raw: _set_up(raw, path, to_ms(clock.now())))
    except BaseException as error:
        if db is not None:
            with contextlib.suppress(sqlite3.Error):
                await settled(db.close())
        lease.release()
        if isinstance(error, sqlite3.Error):
            raise explain(path, error) from error
        raise
    return Database(path, db, lease)


def _prepare(path: Path) -> Lease:
    """Make the folder and the file, for the owner's eyes only, and take the lease."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unusable(
            error,
            f"The folder {path.parent} can't be created ({error.strerror}). Create it yourself, or choose "
            "another place for the database.",
        ) from error
    if path.is_dir():
        raise StoreError(f"{path} is a folder. Name a file in it, such as {path / 'dominium.sqlite3'}.")
    lease = Lease(path)
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        # SQLite makes its log beside the file, and would only say that it can't open the database.
        with tempfile.TemporaryFile(dir=path.resolve().parent):
            pass
    except OSError as error:
        lease.release()
        raise unusable(
            error,
            f"{path} can't be written ({error.strerror}). Make the file and its folder writable for the "
            "user who runs the program.",
        ) from error
    return lease


def _set_up(db: sqlite3.Connection, path: Path, now: int) -> None:
    """Refuse what isn't ours or whole, before anything is written; then pragmas and migrations."""
    steps = shipped()
    identify(db, path, len(steps))
    ((pages, of),) = db.execute("SELECT * FROM pragma_page_count, pragma_page_size").fetchall()
    if pages * of <= CHECKED_AT_START and (problems := quick_check(db)):
        raise StoreError(
            f"{path} is damaged ({problems[0]}). Move it away together with the files -wal and -shm beside "
            "it, and restore the last backup."
        )
    mode = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise StoreError(f"{path} can't keep a write-ahead log there. Put it on a local disk.")
    # FULL: a commit is on the disk when it returns (https://www.sqlite.org/pragma.html#pragma_synchronous).
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA foreign_keys = ON")
    migrate(db, path, steps, now)


def quick_check(db: sqlite3.Connection) -> tuple[str, ...]:
    """Return what SQLite finds wrong with the file itself, or nothing."""
    found = [str(line) for (line,) in db.execute("PRAGMA quick_check(20)")]
    return () if found == ["ok"] else tuple(found)


def _transact(db: sqlite3.Connection, work: Work[T]) -> T:
    db.execute("BEGIN IMMEDIATE")
    try:
        result = work(db)
        db.execute("COMMIT")
    except BaseException:
        # A full disk makes SQLite roll back on its own; the first error is the one that counts.
        if db.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                db.execute("ROLLBACK")
        raise
    return result


async def _in_thread(db: aiosqlite.Connection, work: Work[T]) -> T:
    """Run `work` on the bare connection as one job of its thread.

    aiosqlite has no public way to do that; a call a statement would cross threads six times a commit. This
    is the one place that uses its private parts, and the package is pinned below its next minor release.
    """
    abandoned = False

    def job() -> T | None:
        return None if abandoned else work(db._conn)

    try:
        result: T = await db._execute(job)  # type: ignore[no-untyped-call]  # aiosqlite leaves it bare
    except asyncio.CancelledError:
        abandoned = True
        # Jobs keep their order: when an empty one is done, ours is no longer running.
        await settled(db._execute(_nothing))  # type: ignore[no-untyped-call]  # aiosqlite leaves it bare
        raise
    return result


def _nothing() -> None:
    return


async def settled(work: Coroutine[object, object, T]) -> T:
    """Return the result of `work`; cancelling this task waits for its end first, and only then goes on."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as again:
            cancelled = again
    result = task.result()
    if cancelled is not None:
        raise cancelled
    return result
