"""Connections to PostgreSQL, each of which is a lease: while one of ours lives, no other bot can connect.

Every connection holds, shared, an advisory lock whose key is this bot's own number, and none is made while
one of another number is held. So the right to write ends with the last connection, wherever it is cut, and a
connection that writes has it. Several processes that work together would share one number.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from typing import Any

import psycopg
from psycopg.rows import TupleRow
from psycopg.types.string import TextLoader

from matches.ports import StoreError, StoreUnavailableError
from storage.migrations import APPLICATION_ID
from storage.postgres.errors import explain
from storage.postgres.target import Target


class Conn(psycopg.Connection[TupleRow]):
    """A connection of ours."""

    writer: int
    """By which its own row of `writers` is known, so that no connection waits for another's."""
    backend: int
    """The server's process for it, known when the connection is lost too."""


OLDEST_SERVER = 140_000
"""The first release that we test, as libpq writes versions."""

LEASE_PATIENCE = 3.0
"""Seconds to wait for another bot's connections to end: those of a killed process need a moment."""

_LOOK_AGAIN = 0.1

_SET_UP = """
SET lock_timeout = '5s'; SET statement_timeout = '60s'; SET idle_in_transaction_session_timeout = '60s';
SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;
SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
"""
"""The server notices within a minute that we are gone, and a commit is on its disk when it returns."""

_OTHERS = """
SELECT coalesce(nullif(a.application_name, ''), 'process ' || l.pid)
FROM pg_locks AS l LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid
WHERE l.locktype = 'advisory' AND l.classid::bigint = %s AND l.objsubid = 2 AND l.granted
AND l.objid::bigint NOT IN (0, %s)
AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1
"""
_FORGET_AFTER = "1 day"
_LAST = """
INSERT INTO writers VALUES (%s, 0, now()) ON CONFLICT (id) DO UPDATE SET at = now() RETURNING last
"""
"""Waits for a transaction that has the row, and reads what the last one that was committed left there."""

GATE = f"SELECT pg_advisory_xact_lock({APPLICATION_ID}, 0)"
"""Taken until the end of a transaction that looks who is connected, or migrates."""


def connect(target: Target, number: int) -> Conn:
    """Make a connection that has the lease of bot `number`.

    Raises psycopg.Error if the server can't be reached, StoreError if it can't be used or another bot has it.
    """
    db = plain(target)
    try:
        until = time.monotonic() + LEASE_PATIENCE
        while (other := _join(db, number)) is not None:
            if time.monotonic() > until:
                raise StoreUnavailableError(
                    f"{target.name[:1].upper()}{target.name[1:]} is in use by {other}. Stop it first, or "
                    "choose another database."
                )
            time.sleep(_LOOK_AGAIN)
    except BaseException:
        db.close()
        raise
    return db


def plain(target: Target) -> Conn:
    """Make a connection without the lease. Raises as `connect` does."""
    db = Conn.connect(**target.parameters, autocommit=True)
    db.writer, db.backend = secrets.randbits(62), db.info.backend_pid
    try:
        # JSON stays the text that was stored.
        db.adapters.register_loader("json", TextLoader)
        db.execute(_SET_UP, prepare=False)
        if db.info.server_version < OLDEST_SERVER:
            raise StoreError(
                f"The server of {target.name} is too old: PostgreSQL {OLDEST_SERVER // 10_000} is needed."
            )
        (encoding,) = one(db.execute("SHOW server_encoding").fetchone())
        if encoding != "UTF8":
            raise StoreError(
                f"{target.name[:1].upper()}{target.name[1:]} has the encoding {encoding}. Create one with "
                "ENCODING 'UTF8'."
            )
    except BaseException:
        db.close()
        raise
    return db


def _join(db: Conn, number: int) -> str | None:
    """Take the lease, or return who has it."""
    with db.transaction():
        db.execute(GATE)
        other = db.execute(_OTHERS, (APPLICATION_ID, number)).fetchone()
        if other is None:
            db.execute("SELECT pg_advisory_lock_shared(%s, %s)", (APPLICATION_ID, number))
    return None if other is None else str(other[0])


def begin(db: Conn) -> int:
    """Begin a transaction in one round trip, and return the mark by which to ask later what became of it.

    The number that the server gives a transaction won't do: one that never came to its disk is given again
    after a crash.
    """
    mark = secrets.randbits(62) + 1
    db.execute(
        "BEGIN ISOLATION LEVEL READ COMMITTED; "  # noqa: S608 - our own numbers
        f"INSERT INTO writers VALUES ({db.writer}, {mark}, now()) "
        "ON CONFLICT (id) DO UPDATE SET last = excluded.last, at = excluded.at",
        prepare=False,
    )
    return mark


def outcome(db: Conn, lost: Conn, mark: int) -> bool | None:
    """Return whether the last transaction of a `lost` connection has been committed; None while it is open.

    An open one is ended, as nobody can commit it now.
    """
    db.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE pid = %s AND usename = current_user AND datname = current_database() "
        "AND xact_start IS NOT NULL",
        (lost.backend,),
    )
    try:
        with db.transaction():
            db.execute("SET LOCAL lock_timeout = '200ms'")
            (last,) = one(db.execute(_LAST, (lost.writer,)).fetchone())
    except psycopg.errors.LockNotAvailable:
        return None
    return bool(last == mark)


def forget_writers(db: Conn) -> None:
    """Remove the rows of connections that ended long ago."""
    db.execute("DELETE FROM writers WHERE at < now() - %s::interval", (_FORGET_AFTER,))


def one(row: TupleRow | None) -> tuple[Any, ...]:
    """Return a row that a query always has."""
    if row is None:
        raise AssertionError("a query without its row")
    return row


def end(db: Conn) -> bool:
    """Roll back what is open, and return whether the connection can be used again; else it is closed."""
    if not db.closed:
        with contextlib.suppress(psycopg.Error):
            db.execute("ROLLBACK", prepare=False)
            return True
    db.close()
    return False


def upgraded(name: str, error: psycopg.Error) -> Exception:
    """Return what to raise for an error while a database is prepared: it is no caller's fault."""
    found = explain(name, error)
    return (
        found if isinstance(found, StoreError) else StoreError(f"{name} can't be brought up to date: {found}")
    )
