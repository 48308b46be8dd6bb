"""How parts of the Store ask PostgreSQL, and its transactions, in statements that every database takes."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, TypeVar

from matches.outbox.queue import Draft
from matches.store.rows import MatchRow, SeatRow
from storage.postgres.connection import PostgresDatabase
from storage.postgres.sessions import SERVED, Conn, notify, one, shard_of, wake
from storage.rows import MATCH_COLUMNS, Value, draft_values, to_match
from storage.transactions import StatementResult, StorePart, Transaction

_SEATS = """
(SELECT json_agg(json_build_array(seat, occupant, "user", name, level) ORDER BY seat)
 FROM seats WHERE match = m.id)
"""
"""The seats of a match in the same row: one question to the server, and one state of it."""

_MATCHES = f"SELECT {MATCH_COLUMNS}, {_SEATS} FROM matches AS m"  # noqa: S608 - our own columns


def quoted(columns: str) -> str:
    """Return names of columns as PostgreSQL takes them: `user` without quotes would be the user who asks."""
    return re.sub(r"\buser\b", '"user"', columns)


def places(columns: str) -> str:
    """Return a place for the value of each column."""
    return ", ".join("%s" for _ in columns.split(","))


def find_matches(db: Conn, tail: str, values: Sequence[Any]) -> tuple[MatchRow, ...]:
    """Return the matches that `SELECT ... FROM matches AS m {tail}` finds, with their seats."""
    rows = db.execute(f"{_MATCHES} {tail}", values).fetchall()
    return tuple(to_match(row[:-1], to_seats(row[-1])) for row in rows)


def to_seats(text: str | None) -> tuple[SeatRow, ...]:
    """From the JSON of _SEATS; None if there are no seats."""
    return tuple(SeatRow(*seat) for seat in json.loads(text)) if text else ()


def lock_matches(db: Conn, ids: Iterable[str]) -> None:
    """Let no other transaction change these matches, or what belongs to them, until this one has ended."""
    db.execute("SELECT 1 FROM matches WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE", (sorted(set(ids)),))


def copy_rows(db: Conn, table: str, columns: str, rows: Iterable[Sequence[Any]]) -> None:
    """Add rows, within a transaction."""
    with db.cursor() as cursor, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copying:
        for row in rows:
            copying.write_row(row)


_FULL_NAME = "SELECT relnamespace::regnamespace || '.' || %s FROM pg_class WHERE oid = %s::regclass"
_MADE_AFTERWARDS = """
SELECT format('ALTER TABLE %%s DROP CONSTRAINT %%I', conrelid::regclass, conname),
    format('ALTER TABLE %%s ADD CONSTRAINT %%I %%s', conrelid::regclass, conname, pg_get_constraintdef(oid)),
    contype = 'f' AS foreign_key
FROM pg_constraint WHERE conrelid = ANY(%s::regclass[]) AND contype IN ('p', 'f')
UNION ALL
SELECT format('DROP INDEX %%s', indexrelid::regclass), pg_get_indexdef(indexrelid), false
FROM pg_index WHERE indrelid = ANY(%s::regclass[]) AND NOT indisprimary
ORDER BY foreign_key
"""
"""How keys and indexes of tables are dropped and made."""
_ENQUEUE = (
    'INSERT INTO outbox (kind, match, lane, payload, "user", created, due) '
    "VALUES (%s, %s, %s, %s, %s, %s, %s) RETURNING id"
)


def enqueue(db: Conn, draft: Draft, at: datetime) -> None:
    """Add a row to the outbox, due at once, within a transaction."""
    db.execute(_ENQUEUE, draft_values(draft, at))


def enqueued(db: Conn, draft: Draft, at: datetime) -> int:
    """Add a row to the outbox as `enqueue` does, wait for the server, and return the id of the row."""
    (number,) = one(db.execute(_ENQUEUE, draft_values(draft, at)).fetchone())
    return int(number)


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

    def stream(self, table: str, columns: str, rows: Iterable[Sequence[Value]]) -> None:
        """Copy rows into a table, which takes a tenth of the time."""
        copy_rows(self._db, table, columns, rows)

    def pipeline(self) -> AbstractContextManager[Any]:
        """Begin a pipeline, or go on with the one that there is."""
        return self._db.pipeline()

    @contextlib.contextmanager
    def bulk(self, *tables: str) -> Iterator[None]:
        """Gather rows in temporary tables of the same names; then replace, and check and index all at once.

        Checked one by one, their foreign keys would take most of the time. Until the end nobody is locked out
        who reads what the tables refer to.
        """
        self._db.execute("SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0")
        real = {table: one(self._db.execute(_FULL_NAME, (table, table)).fetchone())[0] for table in tables}
        for table in tables:
            self._db.execute(f"CREATE TEMP TABLE {table} (LIKE {table}) ON COMMIT DROP".encode())
        yield
        names = list(real.values())
        made = self._db.execute(_MADE_AFTERWARDS, (names, names)).fetchall()
        for drop, *_ in made:
            self._db.execute(drop)
        for table, name in real.items():
            self._db.execute(f"TRUNCATE {name}".encode())
            self._db.execute(f"INSERT INTO {name} SELECT * FROM pg_temp.{table}".encode())  # noqa: S608 - our own names
        for _, make, _ in made:
            self._db.execute(make)

    def wake(self, match_id: str) -> None:
        """Announce it with the commit."""
        wake(self._db, match_id)

    def enqueue(self, draft: Draft, at: datetime) -> None:
        """Add a row to the outbox, due at once."""
        enqueue(self._db, draft, at)

    def notify(self, what: str) -> None:
        """Send it with the commit."""
        notify(self._db, what)

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

    async def _execute(self, statement: str, *values: Value, topic: str = "") -> int:
        def run(db: Conn) -> int:
            if topic:
                notify(db, topic)
            return db.execute(placed(statement), values).rowcount

        return await self._database.transaction(run)

    async def _transaction(self, work: Callable[[Transaction], T]) -> T:
        return await self._database.transaction(lambda db: work(PostgresTransaction(db)))

    async def _read(self, work: Callable[[Transaction], T]) -> T:
        return await self._database.read(lambda db: work(PostgresTransaction(db)))

    async def _find_matches(self, tail: str, *values: Value) -> tuple[MatchRow, ...]:
        return await self._database.read(lambda db: find_matches(db, placed(tail), values))
