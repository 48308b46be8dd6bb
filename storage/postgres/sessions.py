"""Connections to PostgreSQL, each of which is a lease: while one of ours lives, no other bot can connect.

Every connection holds, shared, an advisory lock whose key is this bot's own number, and none is made while
one of another number is held. So the right to write ends with the last connection, wherever it is cut, and a
connection that writes has it. Processes that work together share one number, and notify each other of what
they have changed (`wake`, `notify`): nothing is lost if that isn't heard, it only comes later.
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
    process: int | None = None
    """The number of this process among several that work together; None if it works alone."""


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

TOGETHER = 1
"""The number that processes have for the lease which work together; one that works alone has a higher one."""

OF_PROCESS = "dominium process "
"""What connections of processes that work together are called, before the number of the process."""

HUNG_AFTER = 10.0
"""Seconds after which a process that hangs in a transaction loses it, where others wait for its locks."""

CHANNEL = "dominium"
"""On which processes notify each other of what they have changed."""

TABLES = """
CREATE TABLE IF NOT EXISTS processes (
    id      bigint      PRIMARY KEY,
    name    text        NOT NULL,
    prefers integer[]   NOT NULL,
    started timestamptz NOT NULL,
    seen    timestamptz NOT NULL
);
COMMENT ON TABLE processes IS 'Processes that work together, each with the shards that it prefers';
CREATE TABLE IF NOT EXISTS shards (
    id     integer     PRIMARY KEY,
    holder bigint,
    until  timestamptz NOT NULL,
    asked  bigint
);
COMMENT ON TABLE shards IS 'Who serves which shard, until when, and which process asks for it';
CREATE TABLE IF NOT EXISTS identifies (
    bucket integer     PRIMARY KEY,
    at     timestamptz NOT NULL
);
COMMENT ON TABLE identifies IS 'When the latest session of a bucket begins, past or to come';
"""
"""What processes need that work together; no part of what is copied, or kept in backups."""

BOOKKEEPING = ("migrations", "store_copy", "writers", "processes", "shards", "identifies")
"""Tables that are no part of what is copied, and that SQLite lacks, but for the first."""

GATE = f"SELECT pg_advisory_xact_lock({APPLICATION_ID}, 0)"
"""Taken until the end of a transaction that looks who is connected, or migrates."""


def number_alone() -> int:
    """Return a new number for the lease of a process that works alone."""
    return secrets.randbelow(2**31 - 1 - TOGETHER) + 1 + TOGETHER


def connect(target: Target, number: int, process: int | None = None, patience: float | None = None) -> Conn:
    """Make a connection that has the lease of bot `number`, for one of its processes.

    It waits `patience` seconds for another bot's to end, by default as long as a killed process needs.

    Raises psycopg.Error if the server can't be reached, StoreError if it can't be used or another bot has it.
    """
    db = plain(target)
    db.process = process
    try:
        if process is not None:
            db.execute("SELECT set_config('application_name', %s, false)", (f"{OF_PROCESS}{process}",))
            db.execute(f"SET idle_in_transaction_session_timeout = '{HUNG_AFTER * 1000:.0f}ms'")
        until = time.monotonic() + (LEASE_PATIENCE if patience is None else patience)
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
        other = holder(db, number)
        if other is None:
            db.execute("SELECT pg_advisory_lock_shared(%s, %s)", (APPLICATION_ID, number))
    return other


def holder(db: Conn, number: int = 0) -> str | None:
    """Return what holds the lease, but for the connections of bot `number`; None if nothing does."""
    other = db.execute(_OTHERS, (APPLICATION_ID, number)).fetchone()
    return None if other is None else str(other[0])


def others_connected(db: Conn) -> bool:
    """Return whether another connection of processes that work together has the lease."""
    query = (
        "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = %s "
        "AND objid::bigint = %s AND objsubid = 2 AND granted AND pid <> pg_backend_pid() "
        "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))"
    )
    (others,) = one(db.execute(query, (APPLICATION_ID, TOGETHER)).fetchone())
    return bool(others)


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


def shard_of(guild: str) -> str:
    """Return SQL for the shard of the server that the SQL `guild` names; 0 without one.

    See https://discord.com/developers/docs/topics/gateway#sharding.
    """
    return f"(coalesce({guild}, 0) >> 22) %% (SELECT count(*) FROM shards)"  # noqa: S608 - our own text


SERVED = (
    "EXISTS (SELECT 1 FROM shards AS s "
    "WHERE s.id = {shard} AND s.holder = %s AND s.until > clock_timestamp())"
)
"""Whether a process has the lease of a shard."""

_WAKE = f"""
SELECT pg_notify('{CHANNEL}', %s || '/match:' || m.id) FROM matches AS m
WHERE m.id = %s AND NOT {SERVED.format(shard=shard_of("m.guild"))}
"""  # noqa: S608 - our own text


def wake(db: Conn, match_id: str) -> None:
    """Notify the process that serves a match of its change, within a transaction, unless that is this one."""
    if db.process is not None:
        db.execute(_WAKE, (str(db.process), match_id, db.process))


def notify(db: Conn, what: str) -> None:
    """Notify the other processes, if there are any, of a change, within the transaction that makes it.

    `what` is a topic and a key, as `settings:user:7`. What has changed they read from the tables: this can be
    heard by everyone who may connect.
    """
    if db.process is not None:
        db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, f"{db.process}/{what}"))


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
