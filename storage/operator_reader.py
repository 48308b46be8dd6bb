"""What operators ask for beside a bot that uses the database: read only, as it is at one moment.

All matches are put in order once, by their ids, and then read a few at a time, so that the memory doesn't
grow with their number.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from matches.standing.match_results import EndedRow, result_of_rows
from matches.standing.ratings import Ledger
from matches.store.archive import ArchiveQuery
from matches.store.operation import ErrorGroup
from matches.store.rows import Logged, SeatHolder
from matches.store.servers import ServerUse
from matches.store.standing import Ladder, MatchResult, Rating
from storage.archive import ARCHIVE_WORDS, FinishedMatch, archive_tail
from storage.error_groups import ERROR_GROUPS, to_error_group
from storage.postgres import require_driver
from storage.reader import visitor
from storage.rows import read_matches, to_json, to_logged, to_ms
from storage.seats import HOLDERS, to_holder
from storage.servers import SERVER_USE, to_server_use
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


_ENDED: Final = """
SELECT id FROM matches
WHERE status = 'over' AND source = 'played' AND rated IS NOT NULL
    AND json_extract(result, '$.ranks[0]') IS NOT NULL
ORDER BY (SELECT at FROM entries WHERE match = id ORDER BY seq DESC LIMIT 1), id
"""
_ROWS: Final = """
SELECT id, game, guild, options, result, rated, origin IS NOT NULL FROM matches
WHERE id IN (SELECT value FROM json_each(?))
"""
_SEATS: Final = """
SELECT match, seat, CASE occupant WHEN 'person' THEN "user" END FROM seats
WHERE match IN (SELECT value FROM json_each(?))
"""
_ENTRIES: Final = "SELECT seq, kind, seat, data, at FROM entries WHERE match = ? ORDER BY seq"
_CHANGED: Final = "SELECT match FROM holders WHERE match IN (SELECT value FROM json_each(?))"
"""Matches of which a seat has changed hands: few."""
_RESULTS_AT_ONCE: Final = 1000
_RATINGS = 'SELECT game, family, scope, "user", latest, mu, sigma, matches FROM ratings'
_MATCHES = "SELECT match FROM match_results UNION SELECT match FROM rating_changes"


def read_results(path: Path) -> Iterator[MatchResult]:
    """Yield what all finished matches of a file say about their people, in the order of their ends.

    Some are read at once, which is faster than to read one and count it. Blocks. Raises StoreError.
    """
    with visitor(path) as db:
        ended = db.execute(_ENDED)
        while some := ended.fetchmany(_RESULTS_AT_ONCE):
            yield from _results(db, [match for (match,) in some])


def _results(db: sqlite3.Connection, ids: list[str]) -> list[MatchResult]:
    """Return what matches say about their people, in the order of the ids."""
    these = (to_json(ids),)
    seats: dict[str, dict[int, int | None]] = {match: {} for match in ids}
    for match, seat, user in db.execute(_SEATS, these):
        seats[match][seat] = user
    rows = {
        match: EndedRow(
            match, game, guild, options, json.loads(result)["ranks"], bool(rated), bool(fork), seats[match]
        )
        for match, game, guild, options, result, rated, fork in db.execute(_ROWS, these)
    }
    changed = {match for (match,) in db.execute(_CHANGED, these)}
    found = []
    for match in ids:
        held = tuple(map(to_holder, db.execute(HOLDERS, (match,)))) if match in changed else ()
        result = result_of_rows(rows[match], db.execute(_ENTRIES, (match,)).fetchall(), held)
        if result is not None:
            found.append(result)
    return found


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
            if _rows_of(db, RESULT, result.match) != people or (
                sorted(_rows_of(db, CHANGES, result.match)) != changes
            ):
                wrong.append(result.match)
        stored = {
            (Ladder(game, family, scope), user): (Rating(*values), latest)
            for game, family, scope, user, latest, *values in db.execute(_RATINGS)
        }
    found = {(ladder, user): (rating, to_ms(at)) for ladder, user, rating, at in ledger.ratings()}
    keys = stored.keys() | found.keys()
    ladders = {f"{key[0].game} {key[0].family}" for key in keys if stored.get(key) != found.get(key)}
    return StandingComparison(count, len(stored), (*wrong, *sorted(missing), *sorted(ladders)))


def _rows_of(db: sqlite3.Connection, query: str, match: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in db.execute(query, (match,))]
