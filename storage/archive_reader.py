"""Read finished matches beside a bot that uses the database: as they are at one moment, few at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from matches.store.archive_store import ArchiveQuery
from matches.store.rows import Logged, SeatHolder
from storage.archive import ARCHIVE_WORDS
from storage.archive_query import FinishedMatch, archive_tail
from storage.holders import HOLDER_COLUMNS, to_holder
from storage.postgres import require_driver
from storage.reader import visitor
from storage.rows import read_matches, to_json, to_logged

_LOG = "SELECT seq, kind, seat, data, at, user FROM entries WHERE match = ? ORDER BY seq"
_THESE = "WHERE id IN (SELECT value FROM json_each(?)) ORDER BY updated DESC, id DESC"
_HOLDERS = f"SELECT {HOLDER_COLUMNS} FROM holders WHERE match = ? ORDER BY seat, since"  # noqa: S608 - our own columns
AT_ONCE = 100
"""Matches that are read at once, when the ids of all have been put in order. Their logs come one by one."""


def read_finished(where: Path | str, query: ArchiveQuery) -> Iterator[FinishedMatch]:
    """Yield finished matches of a file, or of a database by its URL, the latest first.

    Blocks. Raises StoreError with what to do.
    """
    if isinstance(where, str):
        require_driver()
        from storage.postgres.archive_reader import read_finished_of

        yield from read_finished_of(where, query, AT_ONCE)
        return
    with visitor(where) as db:
        tail, values = archive_tail(ARCHIVE_WORDS, query)
        found = db.execute(f"SELECT id FROM matches {tail}", values)  # noqa: S608 - our own text
        while some := found.fetchmany(AT_ONCE):
            for row in read_matches(db, _THESE, (to_json([match for (match,) in some]),)):
                yield FinishedMatch(row, *_with(db, row.id))


def _with(db: sqlite3.Connection, match: str) -> tuple[tuple[Logged, ...], tuple[SeatHolder, ...]]:
    log = db.execute(_LOG, (match,))
    held = db.execute(_HOLDERS, (match,))
    return tuple(map(to_logged, log)), tuple(map(to_holder, held))
