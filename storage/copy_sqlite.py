"""A SQLite file to copy from or to. A target is filled beside its place, and moved there when it is whole."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from matches.ports import Clock, StoreError
from storage.backup import require_free, settle
from storage.beside import look_beside
from storage.connection import Database, open_database
from storage.copying import CopiedTable, Row
from storage.lease import lock_path
from storage.reader import require_database

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
