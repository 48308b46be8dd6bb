"""What operators ask for beside a bot that uses the database: read only, as it is at one moment.

All matches are put in order once, by their ids, and then read a few at a time, so that the memory doesn't
grow with their number.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from matches.store.archive import ArchiveQuery
from matches.store.operation import ErrorGroup
from matches.store.rows import Logged, SeatHolder
from matches.store.servers import ServerUse
from storage.archive import ARCHIVE_WORDS, FinishedMatch, archive_tail
from storage.error_groups import ERROR_GROUPS, to_error_group
from storage.postgres import require_driver
from storage.reader import visitor
from storage.rows import read_matches, to_json, to_logged
from storage.seats import HOLDERS, to_holder
from storage.servers import SERVER_USE, to_server_use


def read_errors(where: Path | str) -> tuple[ErrorGroup, ...]:
    """Return the groups of errors of a file, or of a database by its URL, those seen latest first.

    Blocks. Raises StoreError with what to do.
    """
    return tuple(map(to_error_group, _rows(where, ERROR_GROUPS, "errors")))


def read_server_use(where: Path | str) -> tuple[ServerUse, ...]:
    """Return how each server with matches uses the bot, of a file or of a database by its URL.

    Blocks. Raises StoreError with what to do.
    """
    return tuple(map(to_server_use, _rows(where, SERVER_USE, "matches")))


def _rows(where: Path | str, query: str, table: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query that every database takes; none if an earlier version lacks the table."""
    if isinstance(where, str):
        require_driver()
        from storage.postgres.inspection import rows_of

        return rows_of(where, query, table)
    with visitor(where) as db:
        there = db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        return [] if there is None else db.execute(query).fetchall()


_LOG = "SELECT seq, kind, seat, data, at, user FROM entries WHERE match = ? ORDER BY seq"
_THESE = "WHERE id IN (SELECT value FROM json_each(?)) ORDER BY updated DESC, id DESC"
AT_ONCE = 100
"""Matches that are read at once. Their logs come one by one."""


def read_finished(where: Path | str, query: ArchiveQuery) -> Iterator[FinishedMatch]:
    """Yield finished matches of a file, or of a database by its URL, the latest first.

    Blocks. Raises StoreError with what to do.
    """
    if isinstance(where, str):
        require_driver()
        from storage.postgres.archive import read_finished_of

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
    held = db.execute(HOLDERS, (match,))
    return tuple(map(to_logged, log)), tuple(map(to_holder, held))
