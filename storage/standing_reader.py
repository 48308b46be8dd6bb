"""Read what standing follows from, and compare the standing of a file with what its logs give, row by row.

All logs are read in one go, side by side with matches, seats and holders, each in the order of the matches'
ids: a million matches take minutes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from matches.standing.ledger import Ledger
from matches.store.rows import SeatRow
from matches.store.standing_rows import MatchResult, Rating
from storage.archive_query import FinishedMatch
from storage.holders import HOLDER_COLUMNS, to_holder
from storage.reader import visitor
from storage.rows import MATCH_COLUMNS, SEAT_COLUMNS, to_logged, to_match, to_ms
from storage.standing import CHANGES, RESULT, change_values, result_values

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
            if _rows(db, RESULT, result.match) != people or (
                sorted(_rows(db, CHANGES, result.match)) != changes
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


def _rows(db: sqlite3.Connection, query: str, match: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in db.execute(query, (match,))]
