"""A few connections, each used by one thread at a time; a transaction is one job of such a thread.

READ COMMITTED is enough: whatever changes the rows of a match first locks the match's own row
(`transactions.lock_matches`), requests and ids have unique keys, and the few rows beside matches are changed
by single statements or under a lock on their table. SERIALIZABLE would refuse transactions of different
matches that only share a page.

A transaction that has failed by a conflict, or whose connection was lost, is begun again for a few seconds:
the server is asked first what became of a commit whose answer was lost, so each happens exactly once. Each
transaction leaves its mark in a row of its connection, which is there if and only if it was committed.
"""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import psycopg

from matches.ports import Clock, StoreError, StoreUnavailableError
from storage.connection import settled
from storage.postgres.errors import ends_connection, explain, unreachable, worth_another_try
from storage.postgres.migrations import migrate, shipped_for_postgres
from storage.postgres.sessions import (
    TOGETHER,
    Conn,
    begin,
    connect,
    end,
    forget_writers,
    number_alone,
    outcome,
    upgraded,
)
from storage.postgres.target import Target, read_target
from storage.rows import Value, to_ms

T = TypeVar("T")
PostgresWork = Callable[[Conn], T]
"""What a transaction does: SQL only, synchronous, in a thread. It may be run again from the start."""

CONNECTIONS = 4
"""Most connections to hold. They are made as they are needed."""

PATIENCE = 5.0
"""Seconds during which a transaction is tried again before it raises, as SQLite waits for a lock."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.01, 0.5

_BEGIN_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"


class _TryAgainError(Exception):
    """Nothing was written, and it is worth another try. Has the exception to raise if there is none."""

    def __init__(self, error_shown: Exception) -> None:
        super().__init__(str(error_shown))
        self.error_shown = error_shown


class PostgresDatabase:
    """A database that this process owns while it has a connection to it, alone or with others of this bot."""

    def __init__(self, target: Target, process: int | None = None, connections: int = CONNECTIONS) -> None:
        """`process` is this process's number among several that work together; None if it works alone."""
        self.name = target.name
        self.process = process
        self._target = target
        self._number = number_alone() if process is None else TOGETHER
        self._idle: list[Conn] = []
        self._guard = threading.Lock()
        self._threads = ThreadPoolExecutor(connections, "postgres")
        self._closed = False

    async def transaction(self, work: PostgresWork[T]) -> T:
        """Run `work` in a transaction, rolled back on any exception, and return its result.

        On the server's disk when this returns. Raises what `work` raises; StoreError, LookupError or
        ValueError for what PostgreSQL reports.
        """
        return await self._run(lambda: self._patiently(lambda: self._transact(work)))

    async def read(self, work: PostgresWork[T]) -> T:
        """Run `work`, which only reads, and return its result; each of its statements sees what is newest."""
        return await self._run(lambda: self._patiently(lambda: self._read(work)))

    async def read_one_state(self, work: PostgresWork[T]) -> T:
        """Run `work`, which only reads, and return its result; all its statements see one state."""

        def whole(db: Conn) -> T:
            db.execute(_BEGIN_READING, prepare=False)
            result = work(db)
            db.execute("COMMIT", prepare=False)
            return result

        return await self.read(whole)

    async def fetch_one(self, query: str, *values: Value) -> tuple[Any, ...] | None:
        """Return the first row of a query, or None."""
        return await self.read(lambda db: db.execute(query, values).fetchone())

    async def fetch_all(self, query: str, *values: Value) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        return await self.read(lambda db: db.execute(query, values).fetchall())

    async def execute(self, statement: str, *values: Value) -> int:
        """Run one statement as a transaction, and return how many rows it changed."""
        return await self.transaction(lambda db: db.execute(statement, values).rowcount)

    async def close(self) -> None:
        """Finish what runs, and close the connections. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        await settled(asyncio.to_thread(self._close))

    def require_open(self) -> None:
        """Raise StoreError if the database is closed."""
        if self._closed:
            raise StoreError("The store is closed.")

    def prepare(self, clock_ms: int, *, unfinished: bool = False) -> None:
        """Connect for the first time, and bring the schema up to date. Blocks. Raises StoreError.

        An unfinished copy is opened only to finish it.
        """

        def first() -> None:
            db = self._take()
            try:
                migrate(db, self.name, shipped_for_postgres(), clock_ms, unfinished=unfinished)
                forget_writers(db)
            except psycopg.Error as error:
                raise upgraded(self.name, error) from error
            finally:
                self._give(db)

        self._patiently(first)

    async def _run(self, job: Callable[[], T]) -> T:
        """Run a job in a thread. If this task is cancelled, it is never begun, or has ended by then."""
        self.require_open()
        running = self._threads.submit(job)
        waiting = asyncio.wrap_future(running)
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError:
            if not running.cancel():
                await settled(_over(waiting))
            raise

    def _patiently(self, attempt: Callable[[], T]) -> T:
        until, pause = time.monotonic() + PATIENCE, _FIRST_PAUSE
        while True:
            try:
                return attempt()
            except _TryAgainError as failed:
                # A server that is shut down on purpose ends a closing store's patience.
                if self._closed or time.monotonic() + pause > until:
                    raise failed.error_shown from failed.error_shown.__cause__
            time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - so that two don't collide again
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _transact(self, work: PostgresWork[T]) -> T:
        db = self._take()
        try:
            mark = begin(db)
            result = work(db)
        except psycopg.Error as error:
            raise self._failed(db, error) from error
        except BaseException:
            self._give(db)
            raise
        try:
            db.execute("COMMIT", prepare=False)
        except psycopg.Error as error:
            error_shown = self._failed(db, error)
            if db.closed and self._was_committed(db, mark):
                return result
            raise error_shown from error
        self._give(db, clean=True)
        return result

    def _read(self, work: PostgresWork[T]) -> T:
        db = self._take()
        try:
            result = work(db)
        except psycopg.Error as error:
            raise self._failed(db, error) from error
        except BaseException:
            self._give(db)
            raise
        self._give(db, clean=True)
        return result

    def _failed(self, db: Conn, error: psycopg.Error) -> Exception:
        """Put a connection back or away after an error, and return what to raise: perhaps for another try."""
        error_shown = explain(self.name, error)
        error_shown.__cause__ = error
        if ends_connection(error):
            db.close()
        lost = db.closed
        self._give(db)
        return _TryAgainError(error_shown) if lost or worth_another_try(error) else error_shown

    def _was_committed(self, lost: Conn, mark: int) -> bool:
        """Return whether a transaction was committed whose connection was lost meanwhile."""
        return self._patiently(lambda: self._asked(lost, mark))

    def _asked(self, lost: Conn, mark: int) -> bool:
        db = self._take()
        try:
            found = outcome(db, lost, mark)
        except psycopg.Error as again:
            raise self._failed(db, again) from again
        self._give(db, clean=True)
        if found is None:
            sentence = "was lost, and it isn't known yet whether the last change was kept."
            raise _TryAgainError(StoreUnavailableError(f"The connection to {self.name} {sentence}"))
        return found

    def _take(self) -> Conn:
        with self._guard:
            db = self._idle.pop() if self._idle else None
        if db is not None:
            return db
        try:
            return connect(self._target, self._number, self.process)
        except psycopg.Error as error:
            error_shown = unreachable(self.name, error)
            error_shown.__cause__ = error
            if isinstance(error_shown, StoreUnavailableError):
                raise _TryAgainError(error_shown) from error
            raise error_shown from error

    def _give(self, db: Conn, *, clean: bool = False) -> None:
        """Keep a connection for the next, rolled back unless that is known to be needless."""
        if (clean and not db.closed) or end(db):
            with self._guard:
                self._idle.append(db)

    def _close(self) -> None:
        self._threads.shutdown()
        with self._guard:
            for db in self._idle:
                db.close()
            self._idle.clear()


async def _over(future: asyncio.Future[Any]) -> None:
    """Wait for the end of a job, whichever it is."""
    await asyncio.wait([future])
    if not future.cancelled():
        future.exception()


async def open_postgres_database(
    url: str, clock: Clock, *, unfinished: bool = False, process: int | None = None
) -> PostgresDatabase:
    """Connect to the database of a URL, and bring its schema up to date. Raises StoreError."""
    database = PostgresDatabase(read_target(url), process)
    preparing = asyncio.to_thread(database.prepare, to_ms(clock.now()), unfinished=unfinished)
    opening = asyncio.ensure_future(preparing)
    try:
        await asyncio.shield(opening)
    except BaseException:
        # Opening ends first, so that neither a thread nor the lease is left behind.
        await _over(opening)
        await database.close()
        raise
    return database
