"""Read what standing follows from, and compare the standing of a file with what its logs give, row by row.

Matches come in the order of their ends, one at a time, so that the memory doesn't grow with their number.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from matches.standing.ledger import Ledger
from matches.standing.match_results import result_of_rows
from matches.store.rows import SeatRow
from matches.store.standing_rows import MatchResult, Rating
from storage.holders import HOLDER_COLUMNS, to_holder
from storage.reader import visitor
from storage.rows import MATCH_COLUMNS, SEAT_COLUMNS, to_match, to_ms
from storage.standing import CHANGES, RESULT, change_values, result_values

_ENDED: Final = """
SELECT id FROM matches WHERE status = 'over' AND source = 'played' AND rated IS NOT NULL
ORDER BY (SELECT at FROM entries WHERE match = id ORDER BY seq DESC LIMIT 1), id
"""
_MATCH: Final = f"SELECT {MATCH_COLUMNS} FROM matches WHERE id = ?"  # noqa: S608 - our own columns
_LOG: Final = "SELECT seq, kind, seat, data, at FROM entries WHERE match = ? ORDER BY seq"
_SEATS: Final = f"SELECT {SEAT_COLUMNS} FROM seats WHERE match = ? ORDER BY seat"  # noqa: S608 - our own columns
_HOLDERS: Final = f"SELECT {HOLDER_COLUMNS} FROM holders WHERE match = ? ORDER BY seat, since"  # noqa: S608 - our own columns
_AT_ONCE: Final = 1000
_RATINGS = 'SELECT game, family, scope, "user", latest, mu, sigma, matches FROM ratings'
_MATCHES = "SELECT match FROM match_results UNION SELECT match FROM rating_changes"


def read_results(path: Path) -> Iterator[MatchResult]:
    """Yield what all finished matches of a file say about their people, in the order of their ends.

    Some are read at once, which is faster than to read one and count it. Blocks. Raises StoreError.
    """
    with visitor(path) as db:
        ended = db.execute(_ENDED)
        while ids := ended.fetchmany(_AT_ONCE):
            yield from [result for (match,) in ids if (result := _result(db, match)) is not None]


def _result(db: sqlite3.Connection, match: str) -> MatchResult | None:
    ((row,), log, held) = (db.execute(query, (match,)).fetchall() for query in (_MATCH, _LOG, _HOLDERS))
    seats = tuple(SeatRow(*seat) for seat in db.execute(_SEATS, (match,)))
    return result_of_rows(to_match(row, seats), log, tuple(map(to_holder, held)))


@dataclass(frozen=True, slots=True)
class StandingComparison:
    """The numbers of results that the logs give and of ratings that are stored, and what is wrong.

    Each difference is the id of a match, or a game and family with a rating that differs.
    """

    results: int
    ratings: int
    wrong: tuple[str, ...]


def differing(path: Path, results: Iterable[MatchResult]) -> StandingComparison:
    """Compare the standing of a file with what all results of its matches give, in the order of their ends.

    Blocks. Raises StoreError.
    """
    ledger, count = Ledger(), 0
    wrong: list[str] = []
    with visitor(path) as db:
        missing = {match for (match,) in db.execute(_MATCHES)}
        for result, changed in ledger.count_all(results):
            count += 1
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
    return StandingComparison(count, len(stored), (*wrong, *sorted(missing), *sorted(ladders)))


def _rows(db: sqlite3.Connection, query: str, match: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in db.execute(query, (match,))]
