"""Look at a database without the lease, as `dominium doctor` does beside a running bot. It writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

import psycopg

from matches.ports import StoreError
from storage.postgres.errors import explain, unreachable
from storage.postgres.migrations import identify, shipped_for_postgres
from storage.postgres.sessions import Conn, one, plain
from storage.postgres.target import read_target
from storage.rows import from_ms

T = TypeVar("T")

_WRONG_LOGS = """
SELECT count(*) FROM (
    SELECT 1 FROM matches AS m LEFT JOIN entries AS e ON e.match = m.id GROUP BY m.n
    HAVING coalesce(max(e.seq), -1) <> m.version OR count(e.seq) <> m.version + 1
) AS wrong
"""


_PROCESSES = """
SELECT p.name, array_agg(s.id ORDER BY s.id) FILTER (WHERE s.until > clock_timestamp())
FROM processes AS p LEFT JOIN shards AS s ON s.holder = p.id
WHERE p.seen > clock_timestamp() - interval '30 s' GROUP BY p.id, p.name ORDER BY p.name, p.id
"""
_MADE = "SELECT min(applied) FROM migrations"
_UNSERVED = "SELECT id FROM shards WHERE holder IS NULL OR until <= clock_timestamp() ORDER BY id"


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a database is like. `missing` is the number of steps of the schema that the next start adds."""

    name: str
    server: str
    size: int
    """In bytes."""
    schema: int
    missing: int
    wrong_logs: int
    """How many matches have another version than their log."""
    made: datetime
    """When the database was begun; backups made before are of another one."""
    processes: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """The processes that work together now, by name, each with the shards that it serves."""
    unserved: tuple[int, ...] = ()
    """The shards that none of them serves."""


def inspect_database(url: str) -> Inspection:
    """Return what the database of a URL is like. Blocks. Raises StoreError with what to do."""

    def look(db: Conn, name: str) -> Inspection:
        newest = len(shipped_for_postgres())
        schema = identify(db, name, newest)
        (server,) = one(db.execute("SHOW server_version").fetchone())
        (size,) = one(db.execute("SELECT pg_database_size(current_database())").fetchone())
        (wrong,) = one(db.execute(_WRONG_LOGS).fetchone()) if schema else (0,)
        (made,) = one(db.execute(_MADE).fetchone()) if schema else (0,)
        found = Inspection(name, str(server), int(size), schema, newest - schema, int(wrong), from_ms(made))
        (together,) = one(db.execute("SELECT to_regclass('shards') IS NOT NULL").fetchone())
        if not together or not (processes := tuple(map(_to_process, db.execute(_PROCESSES)))):
            return found
        unserved = tuple(shard for (shard,) in db.execute(_UNSERVED))
        return replace(found, processes=processes, unserved=unserved)

    return _looking(url, look)


def _to_process(row: tuple[str, list[int] | None]) -> tuple[str, tuple[int, ...]]:
    return row[0], tuple(row[1] or ())


def live_homes(url: str) -> list[tuple[int, int, bool]]:
    """Return server, channel and whether it is a thread of each live match in a server. Raises StoreError."""
    query = (
        "SELECT guild, channel, thread IS NOT NULL FROM matches WHERE status = 'live' AND guild IS NOT NULL"
    )
    return _looking(url, lambda db, name: [(row[0], row[1], row[2]) for row in db.execute(query)])


def settings_of(url: str, scope: str, owner: int) -> tuple[str] | None:
    """Return the row with the settings of a server or person, if there is one. Raises StoreError."""
    query = "SELECT settings FROM settings WHERE scope = %s AND id = %s"
    return _looking(url, lambda db, name: db.execute(query, (scope, owner)).fetchone())


def rows_of(url: str, query: str, table: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query; none if the database lacks the table. Raises StoreError."""

    def look(db: Conn, name: str) -> list[tuple[Any, ...]]:
        (there,) = one(db.execute("SELECT to_regclass(%s) IS NOT NULL", (table,)).fetchone())
        return db.execute(query).fetchall() if there else []

    return _looking(url, look)


def _looking(url: str, look: Callable[[Conn, str], T]) -> T:
    with visiting(url) as (db, name):
        return look(db, name)


@contextmanager
def visiting(url: str) -> Iterator[tuple[Conn, str]]:
    """Connect without the lease and only to read; the values are the connection and the database's name.

    Raises StoreError with what to do.
    """
    target = read_target(url)
    try:
        db = plain(target)
    except psycopg.Error as error:
        raise unreachable(target.name, error) from error
    try:
        with db:
            db.execute("SET default_transaction_read_only = on")
            yield db, target.name
    except psycopg.Error as error:
        shown = explain(target.name, error)
        raise (
            shown if isinstance(shown, StoreError) else StoreError(f"{target.name} can't be used.")
        ) from error
