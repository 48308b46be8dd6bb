"""What operators ask for beside a bot that uses the database: read only, as it is at one moment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matches.store.departure_store import ServerUse
from matches.store.error_store import ErrorGroup
from storage.departures import SERVER_USE, to_server_use
from storage.error_groups import ERROR_GROUPS, to_error_group
from storage.postgres import require_driver
from storage.reader import visitor


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
