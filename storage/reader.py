"""Read a database beside its owner, by a connection that never writes, or as its owner if there is none."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from matches.ports import StoreError
from storage.connection import LOCK_TIMEOUT, quick_check
from storage.errors import explain
from storage.lease import Lease
from storage.migrations import identify, shipped


@contextlib.contextmanager
def reader(path: Path, mode: str = "ro") -> Iterator[sqlite3.Connection]:
    """Open one consistent snapshot of a database that another process may be writing to.

    Raises StoreError if the file isn't ours or can't be read.
    """
    uri = f"file:{quote(str(path.resolve()))}?mode={mode}"
    try:
        with contextlib.closing(
            sqlite3.connect(uri, uri=True, timeout=LOCK_TIMEOUT, isolation_level=None)
        ) as db:
            # An open read transaction keeps the state, however much is written meanwhile.
            db.execute("BEGIN")
            identify(db, path, len(shipped()))
            yield db
            db.execute("COMMIT")
    except sqlite3.Error as error:
        raise explain(path, error) from error


@contextlib.contextmanager
def visitor(path: Path) -> Iterator[sqlite3.Connection]:
    """The same whether or not a program has the database open.

    What a killed process left can be read by an owner only, so without one we are it for the moment.
    """
    if not path.is_file():
        raise StoreError(f"There is no database {path}. Name the one that the program uses.")
    try:
        lease = Lease(path)
    except StoreError:
        with reader(path) as db:
            yield db
        return
    try:
        with reader(path, "rw") as db:
            yield db
    finally:
        lease.release()


def examine(db: sqlite3.Connection) -> tuple[str, ...]:
    """Return what is wrong with a database, one sentence each: the file, its references, the logs."""
    found = list(quick_check(db))
    found += [
        f"{table}: a row refers to no {parent}"
        for table, _, parent, _ in db.execute("PRAGMA foreign_key_check")
    ]
    found += [
        f"match {match}: its version is {version}, its log has {count} entries and ends with {last}"
        for match, version, count, last in db.execute(
            "SELECT id, version, count(seq), coalesce(max(seq), -1) FROM matches "
            "LEFT JOIN entries ON match = id GROUP BY id "
            "HAVING coalesce(max(seq), -1) <> version OR count(seq) <> version + 1"
        )
    ]
    return tuple(found)


def check_file(path: Path) -> tuple[str, ...]:
    """Return what is wrong with a database, in use or not. Blocks. Raises StoreError as `reader` does."""
    with visitor(path) as db:
        return examine(db)
