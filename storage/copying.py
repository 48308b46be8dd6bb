"""Copy everything from one database to another: table by table, in batches, each with a note how far it came.

Both databases are opened as a bot opens them, so that neither changes meanwhile. The target can't be opened
by a bot before it is whole. At the end all rows are compared, and every log is folded.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from games.engine.match import CorruptLogError, fold
from matches.ports import Clock, StoreError
from storage.backup import require_free, settle
from storage.beside import look_beside
from storage.connection import Database, open_database
from storage.lease import lock_path
from storage.reader import require_database
from storage.rows import to_logged

Row = tuple[Any, ...]

BATCH = 500
"""Rows in a batch; of a table with pictures, only a few."""

BATCH_OF_PICTURES = 4

_REFERRED_TO = ("matches", "moderation", "tournaments")
"""Tables to which others refer: they are filled first."""

LOG_COLUMNS = "seq, kind, seat, data, at, user"


@dataclass(frozen=True, slots=True)
class CopiedTable:
    """A table, its columns in order, and those of its key, by which rows are sorted (text byte by byte)."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    pictures: bool = False

    @property
    def batch(self) -> int:
        """How many rows to move at once."""
        return BATCH_OF_PICTURES if self.pictures else BATCH

    def key_of(self, row: Row) -> Row:
        """Return the key of a row."""
        return tuple(row[self.columns.index(column)] for column in self.key)


@dataclass(frozen=True, slots=True)
class Copied:
    """What was moved: the number of rows of each table, and of logs that were folded."""

    rows: Mapping[str, int]
    logs: int
    corrupt: tuple[str, ...]
    """Matches whose log can't be folded; it is the same in the source."""


class CopyEnd(Protocol):
    """A database to copy from or to."""

    name: str

    async def tables(self) -> tuple[CopiedTable, ...]:
        """Return all tables with data."""
        ...

    async def page(self, table: CopiedTable, after: Row | None, limit: int) -> list[Row]:
        """Return the next rows after a key."""
        ...

    async def numbers(self) -> dict[str, int]:
        """Return the last number given in each table whose numbers are never used twice."""
        ...

    async def begin(self, source: str) -> dict[str, Row | None]:
        """Return after which key each table goes on, None for one that hasn't begun.

        Raises StoreError if the target has other data, or the copy of another source.
        """
        ...

    async def put(self, table: CopiedTable, rows: list[Row]) -> None:
        """Add rows, and note how far the table came, in one transaction."""
        ...

    async def finish(self, numbers: Mapping[str, int]) -> None:
        """Make the target a database that a bot can open."""
        ...

    async def close(self) -> None:
        """Close the database."""
        ...


async def copy_store(source: CopyEnd, target: CopyEnd, progress: Callable[[str, int], None]) -> Copied:
    """Copy all rows, compare them, fold the logs, and make the target ready.

    `progress` is called with the name of each table and its number of rows. Raises StoreError with what to
    do. Called again after an interruption, it goes on where that was.
    """
    tables = tuple(sorted(await source.tables(), key=place_of))
    if {(one.name, one.columns) for one in tables} != {
        (one.name, one.columns) for one in await target.tables()
    }:
        raise StoreError(
            f"{source.name} and {target.name} have different tables. Use one version of the program for both."
        )
    done = await target.begin(source.name)
    for table in tables:
        after = done.get(table.name)
        while rows := await source.page(table, after, table.batch):
            await target.put(table, rows)
            after = table.key_of(rows[-1])
    counts = {}
    for table in tables:
        ours, count = await _digest(source, table)
        if (await _digest(target, table)) != (ours, count):
            raise StoreError(
                f"The rows of {table.name} are not the same in both: {source.name} was changed after the "
                f"copy was begun. Remove {target.name}, and begin again with an empty one."
            )
        counts[table.name] = count
        progress(table.name, count)
    logs, corrupt = await _fold_all(target, tables)
    await target.finish(await source.numbers())
    return Copied(counts, logs, tuple(corrupt))


def place_of(table: CopiedTable) -> int:
    """Return the place of a table in the order in which they are filled."""
    return _REFERRED_TO.index(table.name) if table.name in _REFERRED_TO else len(_REFERRED_TO)


async def _rows(end: CopyEnd, table: CopiedTable) -> AsyncIterator[Row]:
    after: Row | None = None
    while rows := await end.page(table, after, table.batch):
        for row in rows:
            yield row
        after = table.key_of(rows[-1])


async def _digest(end: CopyEnd, table: CopiedTable) -> tuple[str, int]:
    """Return a checksum of all rows in the order of their keys, and their number."""
    digest, count = hashlib.sha256(), 0
    async for row in _rows(end, table):
        digest.update(row_bytes(row))
        count += 1
    return digest.hexdigest(), count


def row_bytes(row: Row) -> bytes:
    """Return what a row is for a checksum, the same from both databases."""
    return json.dumps([value.hex() if isinstance(value, bytes) else value for value in row]).encode() + b"\n"


async def _fold_all(end: CopyEnd, tables: tuple[CopiedTable, ...]) -> tuple[int, list[str]]:
    """Fold every log, and return how many there are, and the matches whose log is wrong."""
    by_name = {table.name: table for table in tables}
    matches, entries = by_name["matches"], by_name["entries"]
    versions = {}
    async for row in _rows(end, matches):
        one = dict(zip(matches.columns, row, strict=True))
        versions[one["id"]] = one["version"]
    logs: int = 0
    wrong: list[str] = []
    log: list[Row] = []
    async for row in _rows(end, entries):
        one = dict(zip(entries.columns, row, strict=True))
        if log and log[0][0] != one["match"]:
            wrong += _judged(log, versions)
            logs, log = logs + 1, []
        log.append((one["match"], *(one[column] for column in LOG_COLUMNS.split(", "))))
    if log:
        wrong += _judged(log, versions)
        logs += 1
    empty = sum(version >= 0 for version in versions.values()) - logs
    if empty:
        wrong.append(f"{empty} without entries")
    return logs, wrong


def _judged(log: list[Row], versions: Mapping[str, int]) -> list[str]:
    match = str(log[0][0])
    try:
        folded = fold([to_logged(row[1:]).entry for row in log])
    except (CorruptLogError, LookupError, ValueError):
        return [match]
    return [] if folded.seq == versions.get(match) else [match]


_PROGRESS = (
    "CREATE TABLE IF NOT EXISTS store_copy (name TEXT NOT NULL PRIMARY KEY, after TEXT NOT NULL) STRICT"
)
_OURS = ("migrations", "store_copy", "file_mark")


class SqliteEnd:
    """A file that is read, or filled as `path` and moved to `place`."""

    def __init__(self, database: Database, place: Path) -> None:
        self.name = str(place)
        self._database = database
        self._place = place

    async def tables(self) -> tuple[CopiedTable, ...]:
        """Return all tables with data."""
        return await self._database.read(tables_of_file)

    async def page(self, table: CopiedTable, after: Row | None, limit: int) -> list[Row]:
        """Return the next rows after a key."""
        return await self._database.read(lambda db: page_of_file(db, table, after, limit))

    async def numbers(self) -> dict[str, int]:
        """Return the last number given in each table whose numbers are never used twice."""
        return await self._database.read(numbers_of_file)

    async def begin(self, source: str) -> dict[str, Row | None]:
        """Return after which key each table goes on. Raises StoreError if it is another source's copy."""

        def begin(db: sqlite3.Connection) -> dict[str, Row | None]:
            db.execute(_PROGRESS)
            db.execute("INSERT OR IGNORE INTO store_copy VALUES ('', ?)", (json.dumps([source]),))
            return {name: tuple(json.loads(after)) for name, after in db.execute("SELECT * FROM store_copy")}

        done = await self._database.transaction(begin)
        if done.pop("") != (source,):
            raise StoreError(
                f"{self._database.path} is the unfinished copy of another database. Finish that one, or "
                "remove this file."
            )
        return done

    async def put(self, table: CopiedTable, rows: list[Row]) -> None:
        """Add rows, and note how far the table came, in one transaction."""

        def put(db: sqlite3.Connection) -> None:
            put_rows(db, table, rows)
            db.execute(
                "INSERT INTO store_copy VALUES (?, ?) "
                "ON CONFLICT (name) DO UPDATE SET after = excluded.after",
                (table.name, json.dumps(table.key_of(rows[-1]))),
            )

        await self._database.transaction(put)

    async def finish(self, numbers: Mapping[str, int]) -> None:
        """Close the file, and move it into place.

        Raises StoreError if another program uses it or the place is taken.
        """

        def finish(db: sqlite3.Connection) -> None:
            put_numbers(db, numbers)
            db.execute("DROP TABLE store_copy")

        await self._database.transaction(finish)
        part = self._database.path
        await self._database.close()
        # As a start will look at it: without its log it must be whole.
        if look_beside(part, None).access != "immutable=1":
            raise StoreError(
                f"Another program reads {part}, so the copy isn't whole without its log. Close that program, "
                "remove both files, and call the command again."
            )
        try:
            settle(part, self._place)
        except FileExistsError as error:
            raise StoreError(f"{error} by now: it has appeared meanwhile. The copy is {part}.") from error
        part.unlink(missing_ok=True)
        lock_path(part).unlink(missing_ok=True)

    async def close(self) -> None:
        """Close the file."""
        await self._database.close()


def page_of_file(db: sqlite3.Connection, table: CopiedTable, after: Row | None, limit: int) -> list[Row]:
    """Return the next rows after a key."""
    key = ", ".join(table.key)
    where = "" if after is None else f"WHERE ({key}) > ({', '.join('?' for _ in table.key)})"
    query = f"SELECT {', '.join(table.columns)} FROM {table.name} {where} ORDER BY {key} LIMIT ?"  # noqa: S608 - our own schema
    return db.execute(query, (*(after or ()), limit)).fetchall()


def put_rows(db: sqlite3.Connection, table: CopiedTable, rows: list[Row]) -> None:
    """Add rows."""
    marks = ", ".join("?" for _ in table.columns)
    insert = f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({marks})"  # noqa: S608 - our own schema
    db.executemany(insert, rows)


def numbers_of_file(db: sqlite3.Connection) -> dict[str, int]:
    """Return the last number given in each table whose numbers are never used twice."""
    return {str(name): int(last) for name, last in db.execute("SELECT name, seq FROM sqlite_sequence")}


def put_numbers(db: sqlite3.Connection, numbers: Mapping[str, int]) -> None:
    """Go on with these numbers."""
    for name, number in numbers.items():
        db.execute("DELETE FROM sqlite_sequence WHERE name = ?", (name,))
        db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (name, number))


def tables_of_file(db: sqlite3.Connection) -> tuple[CopiedTable, ...]:
    """Return all tables with data."""
    names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
    found = []
    for (name,) in db.execute(names).fetchall():
        if name in _OURS:
            continue
        # cid, name, type, notnull, default, place in the key
        columns = db.execute(f"PRAGMA table_info({name})").fetchall()
        key = sorted((row[5], row[1]) for row in columns if row[5])
        found.append(
            CopiedTable(
                name,
                tuple(row[1] for row in columns),
                tuple(column for _, column in key),
                pictures=any(row[2] == "BLOB" for row in columns),
            )
        )
    return tuple(sorted(found, key=lambda one: one.name != "matches"))


async def open_sqlite_end(path: Path, clock: Clock, *, target: bool) -> SqliteEnd:
    """Open a file, which must be there, or the file to fill for a target, which must not.

    Raises StoreError with what to do.
    """
    if not target:
        require_database(path)
        return SqliteEnd(await open_database(path, clock), path)
    try:
        require_free(path)
    except FileExistsError as error:
        raise StoreError(f"{error}: choose another name, nothing is ever overwritten.") from None
    return SqliteEnd(await open_database(path.with_name(f".{path.name}.copying"), clock), path)
