"""Copy everything from one database to another: table by table, in batches, each with a note how far it came.

Both databases are opened as a bot opens them, so that neither changes meanwhile. The target can't be opened
by a bot before it is whole. At the end all rows are compared, and every log is folded.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from games.engine.match import CorruptLogError, fold
from matches.ports import StoreError
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


async def copy_store(source: CopyEnd, target: CopyEnd, tell: Callable[[str, int], None]) -> Copied:
    """Copy all rows, compare them, fold the logs, and make the target ready. `tell` is told of each table.

    Raises StoreError with what to do. Called again after an interruption, it goes on where that was.
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
        tell(table.name, count)
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
