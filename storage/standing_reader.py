"""Compare the standing of a file with what its logs give, row by row."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from matches.standing.ledger import Ledger
from matches.store.standing_rows import MatchResult, Rating
from storage.reader import visitor
from storage.standing import CHANGES, RESULT, change_values, result_values

_RATINGS = 'SELECT game, family, scope, "user", mu, sigma, matches FROM ratings'
_MATCHES = "SELECT match FROM match_results UNION SELECT match FROM rating_changes"


def differing(path: Path, results: Iterable[MatchResult]) -> tuple[list[str], int]:
    """Return what differs in a file from what all results of its matches give, and the number of its ratings.

    Each difference is the id of a match, or a game and family with a rating that differs. Blocks. Raises
    StoreError.
    """
    ledger = Ledger()
    wrong: list[str] = []
    with visitor(path) as db:
        missing = {match for (match,) in db.execute(_MATCHES)}
        for result, found in ledger.count_all(results):
            missing.discard(result.match)
            people = [result_values(result, one) for one in result.people]
            changes = sorted(change_values(result.match, one) for one in found)
            if _rows(db, RESULT, result.match) != people or (
                sorted(_rows(db, CHANGES, result.match)) != changes
            ):
                wrong.append(result.match)
        stored = {
            (game, family, scope, user): Rating(*values)
            for game, family, scope, user, *values in db.execute(_RATINGS)
        }
    keys = stored.keys() | ledger.ratings.keys()
    ladders = {f"{key[0]} {key[1]}" for key in keys if stored.get(key) != ledger.ratings.get(key)}
    return [*wrong, *sorted(missing), *sorted(ladders)], len(stored)


def _rows(db: sqlite3.Connection, query: str, match: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in db.execute(query, (match,))]
