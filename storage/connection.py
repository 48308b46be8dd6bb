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
from storage.beside import CHECKED_AT_START, beside, open_uri, put_aside
from storage.errors import explain, messages_decoded, unusable
from storage.file_mark import is_marked, read_log, read_mark, renew
from storage.lease import Lease
from storage.migrations import identify, migrate, shipped
from storage.rows import to_ms

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]
"""What a transaction does: SQL only, synchronous, in the connection's thread."""

LOCK_TIMEOUT = 5.0
"""Seconds to wait for another program that looks at the file."""

COPIED_AT = 250
"""Pages in the log at which a commit copies them into the file.

SQLite's 1,000 make one commit in twenty three times as long as others where people's rows lie far apart.
"""

OLDEST_SQLITE = (3, 37, 0)
"""The first release with STRICT tables."""


class Database:
    """A database file that this process owns."""

    def __init__(self, path: Path, db: aiosqlite.Connection, lease: Lease, *, marked: bool = True) -> None:
        self.path = path
        self._db = db
        self._lease = lease
        self._marks = lease if marked else None
        self._closed = False

    async def transaction(self, work: Work[T]) -> T:
        """Run `work` in BEGIN IMMEDIATE ... COMMIT, rolled back on any exception, and return its result.

        On the disk when this returns. Raises what `work` raises; StoreError, LookupError or ValueError for
        what SQLite reports.
        """
        return await self._run(lambda db: _transact(db, work, self._marks))

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
            self._lease.note_copying()
            db.execute("VACUUM")
            try:
                emptied = _complete(db, self._lease, "FULL") and _checkpoint(db, "TRUNCATE")
            finally:
                _take(db, self._lease)
            if not emptied:
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
            await settled(_shut(self._db, self.path, self._lease))
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
    lease, checked = await asyncio.to_thread(_prepare, path)
    db: aiosqlite.Connection | None = None
    usable = False
    try:
        # Autocommit: BEGIN and COMMIT are ours. Each statement of the program stays prepared.
        db = await aiosqlite.connect(path, timeout=LOCK_TIMEOUT, isolation_level=None, cached_statements=256)
        await _in_thread(db, lambda raw: _require_usable(raw, path, checked=checked))
        usable = True
        marked = await _in_thread(db, lambda raw: _set_up(raw, path, to_ms(clock.now()), lease))
    except BaseException as error:
        if db is not None:
            with contextlib.suppress(sqlite3.Error):
                await settled(_shut(db, path, lease) if usable else _close_keeping_log(db, path))
        lease.release()
        if isinstance(error, sqlite3.Error):
            raise explain(path, error) from error
        raise
    return Database(path, db, lease, marked=marked)


def _prepare(path: Path) -> tuple[Lease, bool]:
    """Make the folder and the file, for the owner's eyes only, and take the lease.

    Return it, and whether the file has been checked.
    """
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
        found = put_aside(path, lease.noted)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        # SQLite makes its log beside the file, and would only say that it can't open the database.
        with tempfile.TemporaryFile(dir=path.resolve().parent):
            pass
    except StoreError:
        lease.release()
        raise
    except OSError as error:
        lease.release()
        raise unusable(
            error,
            f"{path} can't be written ({error.strerror}). Make the file and its folder writable for the "
            "user who runs the program.",
        ) from error
    return lease, found.checked


def _require_usable(db: sqlite3.Connection, path: Path, *, checked: bool = False) -> None:
    """Refuse what isn't ours or whole, before anything is written."""
    with messages_decoded():
        identify(db, path, len(shipped()))
        ((pages, of),) = db.execute("SELECT * FROM pragma_page_count, pragma_page_size").fetchall()
    if not checked and pages * of <= CHECKED_AT_START and (problems := quick_check(db)):
        raise StoreError(
            f"{path} is damaged ({problems[0]}). Leave it where it is, and restore the last backup: "
            "dominium restore FILE."
        )


def _set_up(db: sqlite3.Connection, path: Path, now: int, lease: Lease) -> bool:
    """Set the pragmas, bring the schema up to date, and return whether it has marks by now."""
    mode = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise StoreError(f"{path} can't keep a write-ahead log there. Put it on a local disk.")
    # FULL: a commit is on the disk when it returns (https://www.sqlite.org/pragma.html#pragma_synchronous).
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA foreign_keys = ON")
    # Before anything else is written, so that a copy without its log is known at any time.
    mark = _take(db, lease)
    lease.note_copying()
    # No step of a migration may begin the log anew, since their marks aren't noted.
    db.execute("PRAGMA wal_autocheckpoint = 0")
    migrated = migrate(db, path, shipped(), now)
    db.execute(f"PRAGMA wal_autocheckpoint = {COPIED_AT}")
    if migrated:
        mark = _take(db, lease)
    elif mark is not None:
        lease.note(mark)
    return mark is not None


def _take(db: sqlite3.Connection, lease: Lease) -> bytes | None:
    """Say in the file itself that it is in use, and so belongs with its log; return its mark, if any."""
    if not is_marked(db):
        return None
    lease.note_copying()
    mark = _transact(db, lambda db: renew(db, in_use=True))
    _checkpoint(db, "FULL")
    lease.note(mark)
    return mark


def _complete(db: sqlite3.Connection, lease: Lease, mode: str) -> bool:
    """Copy the log into the file and then mark it as complete; return whether that was possible.

    In this order: what a killed copying leaves must not look complete. The transaction that marks it as
    complete begins the log anew, so the mark that was copied is noted first.
    """
    lease.note_copying()
    if not _checkpoint(db, mode):
        return False
    if (mark := read_mark(db)) is not None:
        lease.note(mark.current)
        lease.note(_transact(db, lambda db: renew(db, in_use=False)))
    return True


def _checkpoint(db: sqlite3.Connection, mode: str) -> bool:
    """Copy the log into the file; return whether all of it was."""
    busy, pages, copied = db.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
    return bool(not busy and pages == copied)


async def _shut(db: aiosqlite.Connection, path: Path, lease: Lease) -> None:
    """Close the connection; the log goes only if the file is marked as complete."""
    complete = False
    with contextlib.suppress(sqlite3.Error):
        complete = await _in_thread(db, lambda raw: _complete(raw, lease, "PASSIVE"))
    await (db.close() if complete else _close_keeping_log(db, path))


async def _close_keeping_log(db: aiosqlite.Connection, path: Path) -> None:
    """Close the connection. SQLite deletes a log with its last connection, unless that one can't write."""
    with contextlib.ExitStack() as last:
        if read_log(beside(path, "-wal")).holds_anything:
            with contextlib.suppress(sqlite3.Error):
                other = last.enter_context(open_uri(path, "mode=ro"))
                other.execute("SELECT 1 FROM sqlite_schema").fetchone()
        await db.close()


def quick_check(db: sqlite3.Connection) -> tuple[str, ...]:
    """Return what SQLite finds wrong with the file itself, or nothing."""
    found = [str(line) for (line,) in db.execute("PRAGMA quick_check(20)")]
    return () if found == ["ok"] else tuple(found)


def _transact(db: sqlite3.Connection, work: Work[T], marks: Lease | None = None) -> T:
    """Run `work` as a transaction. What changes anything gets a mark, which is noted in `marks`, if given."""
    mark = None
    db.execute("BEGIN IMMEDIATE")
    try:
        before = db.total_changes
        result = work(db)
        if marks is not None and db.total_changes != before:
            mark = renew(db)
            marks.note_copying()  # if the log is long, this copies it
        db.execute("COMMIT")
    except BaseException:
        # A full disk makes SQLite roll back on its own; the first error is the one that counts.
        if db.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                db.execute("ROLLBACK")
        raise
    if marks is not None and mark is not None:
        marks.note(mark)
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
