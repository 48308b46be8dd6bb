"""What operators ask for beside a bot that uses the database: read only, as it is at one moment.

All logs are read in one go, side by side with matches, seats and holders, each in the order of the matches'
ids: a million matches take minutes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from matches.standing.ledger import Ledger
from matches.store.archive import ArchiveQuery
from matches.store.operation import ErrorGroup
from matches.store.rows import Logged, SeatHolder, SeatRow
from matches.store.servers import ServerUse
from matches.store.standing_rows import MatchResult, Rating
from storage.archive import FinishedMatch, find_finished, paged
from storage.departures import SERVER_USE, to_server_use
from storage.error_groups import ERROR_GROUPS, to_error_group
from storage.postgres import require_driver
from storage.reader import visitor
from storage.rows import MATCH_COLUMNS, SEAT_COLUMNS, to_logged, to_match, to_ms
from storage.seats import HOLDER_COLUMNS, HOLDERS, to_holder
from storage.standing import CHANGES, RESULT, change_values, result_values


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
AT_ONCE = 100
"""Matches that are found at once. Their logs are read one by one."""


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
        for row in paged(lambda mark: find_finished(db, query, AT_ONCE, mark)):
            yield FinishedMatch(row, *_with(db, row.id))


def _with(db: sqlite3.Connection, match: str) -> tuple[tuple[Logged, ...], tuple[SeatHolder, ...]]:
    log = db.execute(_LOG, (match,))
    held = db.execute(HOLDERS, (match,))
    return tuple(map(to_logged, log)), tuple(map(to_holder, held))


_RATED: Final = f"""
SELECT {MATCH_COLUMNS} FROM matches
WHERE status = 'over' AND source = 'played' AND rated IS NOT NULL ORDER BY id
"""  # noqa: S608 - our own columns
_LOGS: Final = "SELECT match, seq, kind, seat, data, at, user FROM entries ORDER BY match, seq"
_SEATS: Final = f"SELECT match, {SEAT_COLUMNS} FROM seats ORDER BY match, seat"  # noqa: S608 - our own columns
_HOLDERS: Final = f"SELECT {HOLDER_COLUMNS} FROM holders ORDER BY match, seat, since"  # noqa: S608 - our own columns
_RATINGS = 'SELECT game, family, scope, "user", latest, mu, sigma, matches FROM ratings'
_MATCHES = "SELECT match FROM match_results UNION SELECT match FROM rating_changes"


class _ByMatch:
    """The rows of a query whose first column is a match, in the order of matches."""

    def __init__(self, rows: Iterator[tuple[Any, ...]]) -> None:
        self._rows = rows
        self._ahead = next(rows, None)

    def of(self, match: str) -> list[tuple[Any, ...]]:
        """Return the rows of a match, which comes after all that were asked for before."""
        found = []
        row = self._ahead
        while row is not None and row[0] <= match:
            if row[0] == match:
                found.append(row)
            row = next(self._rows, None)
        self._ahead = row
        return found


def read_rated(path: Path) -> Iterator[FinishedMatch]:
    """Yield the finished matches of a file that may count for ratings, by their ids.

    Blocks. Raises StoreError.
    """
    with visitor(path) as db:
        logs, seats, holders = (_ByMatch(db.execute(query)) for query in (_LOGS, _SEATS, _HOLDERS))
        for row in db.execute(_RATED):
            match = row[0]
            seated = tuple(SeatRow(*seat) for _, *seat in seats.of(match))
            log = tuple(to_logged(entry[1:]) for entry in logs.of(match))
            yield FinishedMatch(to_match(row, seated), log, tuple(map(to_holder, holders.of(match))))


def differing(path: Path, results: Iterable[MatchResult]) -> tuple[list[str], int]:
    """Return what differs in a file from what all results of its matches give, and the number of its ratings.

    Each difference is the id of a match, or a game and family with a rating that differs. Blocks. Raises
    StoreError.
    """
    ledger = Ledger()
    wrong: list[str] = []
    with visitor(path) as db:
        missing = {match for (match,) in db.execute(_MATCHES)}
        for result, changed in ledger.count_all(results):
            missing.discard(result.match)
            people = [result_values(result, one) for one in result.people]
            changes = sorted(change_values(result.match, one) for one in changed)
            if _rows_of(db, RESULT, result.match) != people or (
                sorted(_rows_of(db, CHANGES, result.match)) != changes
            ):
                wrong.append(result.match)
        stored = {
            (game, family, scope, user): (Rating(*values), latest)
            for game, family, scope, user, latest, *values in db.execute(_RATINGS)
        }
    found = {key: (rating, to_ms(ledger.latest[key])) for key, rating in ledger.ratings.items()}
    keys = stored.keys() | found.keys()
    ladders = {f"{key[0]} {key[1]}" for key in keys if stored.get(key) != found.get(key)}
    return [*wrong, *sorted(missing), *sorted(ladders)], len(stored)


def _rows_of(db: sqlite3.Connection, query: str, match: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in db.execute(query, (match,))]
