"""A PostgreSQL database to copy from or to. Until a target is whole, its mark keeps bots away from it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from matches.ports import Clock, StoreError
from storage.copying import CopiedTable, Row
from storage.postgres.connection import PostgresDatabase, open_postgres_database
from storage.postgres.migrations import MARK, UNFINISHED
from storage.postgres.sessions import BOOKKEEPING, Conn, one
from storage.postgres.transactions import copy_rows, places, quoted

_PROGRESS = "CREATE TABLE IF NOT EXISTS store_copy (name text PRIMARY KEY, after text NOT NULL)"
_COLUMNS = """
SELECT c.relname, a.attname, a.atttypid = 'bytea'::regtype, array_position(i.indkey::int2[], a.attnum)
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid JOIN pg_index AS i ON i.indrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND i.indisprimary
AND a.attnum > 0 AND NOT a.attisdropped
AND NOT c.relname = ANY(%s)
ORDER BY c.relname <> 'matches', c.relname COLLATE "C", a.attnum
"""
_IDENTITIES = """
SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = current_schema() AND is_identity = 'YES'
"""


class PostgresEnd:
    """A database that is read or filled."""

    def __init__(self, database: PostgresDatabase) -> None:
        self.name = database.name
        self._database = database

    async def tables(self) -> tuple[CopiedTable, ...]:
        """Return all tables with data."""
        rows = await self._database.read(lambda db: db.execute(_COLUMNS, (list(BOOKKEEPING),)).fetchall())
        found = []
        for name in dict.fromkeys(row[0] for row in rows):
            columns = [row for row in rows if row[0] == name]
            key = sorted((place, column) for _, column, _, place in columns if place is not None)
            found.append(
                CopiedTable(
                    name,
                    tuple(row[1] for row in columns),
                    tuple(column for _, column in key),
                    pictures=any(row[2] for row in columns),
                )
            )
        return tuple(found)

    async def page(self, table: CopiedTable, after: Row | None, limit: int) -> list[Row]:
        """Return the next rows after a key."""
        return await self._database.read(lambda db: page_of_server(db, table, after, limit))

    async def numbers(self) -> dict[str, int]:
        """Return the last number given in the outbox, where numbers are never used twice."""
        return await self._database.read(numbers_of_server)

    async def begin(self, source: str) -> dict[str, Row | None]:
        """Return after which key each table goes on. Raises StoreError for data of another source."""
        tables = await self.tables()

        def begin(db: Conn) -> dict[str, Row | None]:
            (mark,) = one(db.execute("SELECT obj_description('migrations'::regclass, 'pg_class')").fetchone())
            if mark != UNFINISHED:
                for table in tables:
                    if db.execute(f"SELECT 1 FROM {table.name} LIMIT 1").fetchone() is not None:  # noqa: S608 - our own schema
                        raise StoreError(f"{_upper(self.name)} has data already. Name an empty database.")
                db.execute(f"COMMENT ON TABLE migrations IS '{UNFINISHED}'")
                db.execute(_PROGRESS)
                db.execute("INSERT INTO store_copy VALUES ('', %s)", (json.dumps([source]),))
            rows = db.execute("SELECT name, after FROM store_copy").fetchall()
            return {name: tuple(json.loads(after)) for name, after in rows}

        done = await self._database.transaction(begin)
        if done.pop("") != (source,):
            raise StoreError(
                f"{_upper(self.name)} has the unfinished copy of another database. Finish that one, or name "
                "an empty database."
            )
        return done

    async def put(self, table: CopiedTable, rows: list[Row]) -> None:
        """Add rows, and note how far the table came, in one transaction.

        Raises StoreError for rows that the database doesn't take.
        """

        def put(db: Conn) -> None:
            stream_rows(db, table, rows)
            db.execute(
                "INSERT INTO store_copy VALUES (%s, %s) "
                "ON CONFLICT (name) DO UPDATE SET after = excluded.after",
                (table.name, json.dumps(table.key_of(rows[-1]))),
            )

        try:
            await self._database.transaction(put)
        except (ValueError, LookupError) as error:
            first, last = table.key_of(rows[0]), table.key_of(rows[-1])
            raise StoreError(
                f"A row of {table.name} between {first} and {last} can't be stored by PostgreSQL: {error}."
            ) from error

    async def finish(self, numbers: Mapping[str, int]) -> None:
        """Go on with the numbers of the source, and let bots in."""

        def finish(db: Conn) -> None:
            go_on_after(db, numbers)
            db.execute("DROP TABLE store_copy")
            db.execute(f"COMMENT ON TABLE migrations IS '{MARK}'")

        await self._database.transaction(finish)
        await self._database.transaction(lambda db: db.execute("ANALYZE"))

    async def close(self) -> None:
        """Close the connections."""
        await self._database.close()


def page_of_server(db: Conn, table: CopiedTable, after: Row | None, limit: int) -> list[Row]:
    """Return the next rows after a key."""
    key, columns = quoted(", ".join(table.key)), quoted(", ".join(table.columns))
    where = "" if after is None else f"WHERE ({key}) > ({places(key)})"
    query = f"SELECT {columns} FROM {table.name} {where} ORDER BY {key} LIMIT %s"  # noqa: S608 - our own schema
    return db.execute(query, (*(after or ()), limit)).fetchall()


def stream_rows(db: Conn, table: CopiedTable, rows: list[Row]) -> None:
    """Add rows, within a transaction."""
    copy_rows(db, table.name, quoted(", ".join(table.columns)), rows)


def numbers_of_server(db: Conn) -> dict[str, int]:
    """Return the last number given in the outbox, where numbers are never used twice."""
    row = db.execute("SELECT last_value FROM outbox_id_seq WHERE is_called").fetchone()  # else none was given
    return {} if row is None else {"outbox": int(row[0])}


def go_on_after(db: Conn, numbers: Mapping[str, int]) -> None:
    """Let tables that number their rows go on after these numbers, and after the rows that they have."""
    for name, column in db.execute(_IDENTITIES).fetchall():
        query = f"SELECT coalesce(max({column}), 0) FROM {name}"  # noqa: S608 - our own schema
        (highest,) = one(db.execute(query).fetchone())
        last = max(highest, numbers.get(name, 0))
        if last:
            db.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", (name, column, last))


def _upper(name: str) -> str:
    return name[:1].upper() + name[1:]


async def open_postgres_end(url: str, clock: Clock, *, target: bool) -> PostgresEnd:
    """Open the database of a URL; a target may be an unfinished copy. Raises StoreError."""
    return PostgresEnd(await open_postgres_database(url, clock, unfinished=target))
