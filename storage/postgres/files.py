"""A PostgreSQL database as a file, and back: backups are the same for both databases.

The file has the schema that the database has, since both grow by steps of the same numbers (migrations.py).
Saving reads one state while moves are committed. Loading is one transaction: whatever stops it, the database
is as it was.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psycopg

from matches.ports import StoreError
from storage.backup import require_free, settle, verified
from storage.beside import open_uri
from storage.copying import (
    CopiedTable,
    Row,
    numbers_of_file,
    page_of_file,
    place_of,
    put_numbers,
    put_rows,
    row_bytes,
    tables_of_file,
)
from storage.errors import explain as explain_file
from storage.migrations import compare as compare_file
from storage.migrations import identify as identify_file
from storage.migrations import migrate as migrate_file
from storage.migrations import shipped
from storage.postgres.copy_postgres import go_on_after, numbers_of_server, page_of_server, stream_rows
from storage.postgres.errors import explain, unreachable
from storage.postgres.inspection import visiting
from storage.postgres.migrations import apply, compare, identify, shipped_for_postgres
from storage.postgres.sessions import BOOKKEEPING, GATE, Conn, connect, holder, number_alone
from storage.postgres.target import read_target

_FUNCTION = re.compile(r"CREATE (?:OR REPLACE )?FUNCTION (\w+)\(")


@dataclass(frozen=True, slots=True)
class ServerState:
    """What commands ask before they change a database."""

    schema: int
    """The number of its schema; 0 if it is empty."""
    holder: str | None
    """What uses it as a bot does, None if nothing does."""


def look_at_database(url: str) -> ServerState:
    """Return what a database is like. Blocks. Raises StoreError if it isn't ours, or can't be reached."""
    with visiting(url) as (db, name):
        return ServerState(identify(db, name, len(shipped())), holder(db))


def save_database(url: str, target: Path) -> None:
    """Write one state of a database into a new file, whether or not a bot uses it. Blocks.

    Raises FileExistsError if the file exists, StoreError with what to do.
    """
    require_free(target)
    with visiting(url) as (db, name):
        _take_time(db)
        db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", prepare=False)
        schema = identify(db, name, len(shipped()))
        if not schema:
            raise StoreError(f"{_upper(name)} is empty: there is nothing to back up yet.")
        compare(db, name, shipped_for_postgres()[:schema])
        try:
            with verified(partial(_save, db, target, schema), target) as part:
                settle(part, target)
        except sqlite3.Error as error:
            raise explain_file(target.parent, error) from error
        db.execute("COMMIT", prepare=False)


def _save(db: Conn, target: Path, schema: int, file: sqlite3.Connection) -> None:
    migrate_file(file, target, shipped()[:schema], 0)
    file.execute("BEGIN")
    for table in tables_of_file(file):
        _copy_table(table, partial(page_of_server, db), partial(put_rows, file), partial(page_of_file, file))
    put_numbers(file, numbers_of_server(db))
    made = db.execute("SELECT applied, number FROM migrations").fetchall()
    file.executemany("UPDATE migrations SET applied = ? WHERE number = ?", made)
    file.execute("COMMIT")


@contextlib.contextmanager
def owned(url: str, *, wait: bool = False) -> Iterator[tuple[Conn, str, int]]:
    """Hold the lease of a database, with `wait` once the bot that has it ends. Blocks. Raises StoreError.

    Yields the connection, the database's name, and the number of its schema.
    """
    target = read_target(url)
    try:
        db = connect(target, number_alone(), patience=math.inf if wait else None)
    except psycopg.Error as error:
        raise unreachable(target.name, error) from error
    try:
        with db:
            yield db, target.name, identify(db, target.name, len(shipped()))
    except psycopg.Error as error:
        told = explain(target.name, error)
        raise told if isinstance(told, StoreError) else StoreError(f"{target.name}: {told}") from error


def load_database(db: Conn, name: str, source: Path) -> None:
    """Put a whole file's data in the place of a database's, in one transaction, with the schema of the file.

    Blocks. Raises StoreError or psycopg.Error; the database is then as it was.
    """
    with open_uri(source, "immutable=1") as file:
        schema = identify_file(file, source, len(shipped()))
        compare_file(file, source, shipped()[:schema])
        _take_time(db)
        with db.transaction():
            db.execute(GATE)
            _drop(db, identify(db, name, len(shipped())))
            apply(db, shipped_for_postgres()[:schema], 0)
            for table in sorted(tables_of_file(file), key=place_of):
                _copy_table(
                    table, partial(page_of_file, file), partial(stream_rows, db), partial(page_of_server, db)
                )
            go_on_after(db, numbers_of_file(file))
            made = file.execute("SELECT applied, number FROM migrations").fetchall()
            with db.cursor() as cursor:
                cursor.executemany("UPDATE migrations SET applied = %s WHERE number = %s", made)
    db.execute("ANALYZE")


def _drop(db: Conn, schema: int) -> None:
    """Drop what the steps of a schema have made, and nothing of anyone else's."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as same:
        migrate_file(same, Path(), shipped()[:schema], 0)
        tables = (*(table.name for table in tables_of_file(same)), *BOOKKEEPING)
    db.execute(f"DROP TABLE IF EXISTS {', '.join(tables)}", prepare=False)
    steps = shipped_for_postgres()[:schema]
    for function in {name for step in steps for name in _FUNCTION.findall(step.sql)}:
        db.execute(f"DROP FUNCTION IF EXISTS {function}", prepare=False)


def _copy_table(
    table: CopiedTable,
    read: Callable[[CopiedTable, Row | None, int], list[Row]],
    write: Callable[[CopiedTable, list[Row]], None],
    read_again: Callable[[CopiedTable, Row | None, int], list[Row]],
) -> None:
    """Copy all rows of a table, and compare them with what was written. Raises StoreError if they differ."""
    sums = []
    for page, put in ((read, write), (read_again, None)):
        digest, after = hashlib.sha256(), None
        while rows := page(table, after, table.batch):
            if put is not None:
                put(table, rows)
            for row in rows:
                digest.update(row_bytes(row))
            after = table.key_of(rows[-1])
        sums.append(digest.digest())
    if sums[0] != sums[1]:
        raise StoreError(f"The rows of {table.name} aren't the same after they were written. Check the disk.")


def _take_time(db: Conn) -> None:
    """Let what follows take minutes, in which a file is read or written as well."""
    db.execute("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0", prepare=False)


def _upper(name: str) -> str:
    return name[:1].upper() + name[1:]
