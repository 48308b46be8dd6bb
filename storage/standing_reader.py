"""One state of a store from which all ratings are computed again, and with which they are compared.

Of a file it is a copy, of a server what one transaction sees; both are there whether or not a bot plays on. A
thousand matches are read at once, so that the memory doesn't grow with their number.
"""

from __future__ import annotations

import json
import sqlite3
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from matches.standing.match_results import EndedRow, LogRow, result_of_rows
from matches.standing.ratings import Ledger
from matches.store.rows import SeatHolder
from matches.store.standing import Ladder, MatchResult, Rating
from storage.reader import visitor
from storage.rows import to_json, to_ms
from storage.seats import HOLDER_COLUMNS, to_holder
from storage.standing import CHANGE_COLUMNS, RESULT_COLUMNS, change_values, result_values

AT_ONCE: Final = 1000
"""Matches that are read at once."""
_Row = tuple[Any, ...]
ENDED: Final = """
SELECT id FROM matches
WHERE status = 'over' AND source = 'played' AND rated IS NOT NULL AND {first_rank} IS NOT NULL
ORDER BY (SELECT at FROM entries WHERE match = id ORDER BY seq DESC LIMIT 1), id
"""
"""Finished matches in the order of their ends."""
_ENTRIES: Final = """
SELECT match, seq, kind, seat, data, at FROM entries WHERE match {these} ORDER BY match, seq
"""
_MATCHES: Final = """
SELECT id, game, guild, options, result, rated, origin IS NOT NULL FROM matches WHERE id {these}
"""
_SEATS: Final = """
SELECT match, seat, CASE occupant WHEN 'person' THEN "user" END FROM seats WHERE match {these}
"""
_HOLDERS: Final = f"SELECT {HOLDER_COLUMNS} FROM holders WHERE match {{these}} ORDER BY seat, since"  # noqa: S608 - our own columns
_RESULTS: Final = f"SELECT {RESULT_COLUMNS} FROM match_results WHERE match {{these}}"  # noqa: S608 - our own columns
_CHANGES: Final = f"SELECT {CHANGE_COLUMNS} FROM rating_changes WHERE match {{these}}"  # noqa: S608 - our own columns
_RATINGS: Final = 'SELECT game, family, scope, "user", latest, mu, sigma, matches FROM ratings'
_STORED: Final = "SELECT match FROM match_results UNION SELECT match FROM rating_changes"


class StandingState(ABC):
    """What is asked of a database, all of it about one state."""

    @abstractmethod
    def ended(self) -> Iterator[list[str]]:
        """Yield the ids of finished matches in the order of their ends, AT_ONCE together."""

    @abstractmethod
    def rows(self, query: str, ids: Sequence[str]) -> list[_Row]:
        """Return the rows of a query about matches that are `{these}`."""

    @abstractmethod
    def all_rows(self, query: str) -> list[_Row]:
        """Return the rows of a query."""


class FileStandingState(StandingState):
    """A file that nobody changes meanwhile."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def ended(self) -> Iterator[list[str]]:
        """Yield the ids of finished matches in the order of their ends, AT_ONCE together."""
        found = self._db.execute(ENDED.format(first_rank="json_extract(result, '$.ranks[0]')"))
        while some := found.fetchmany(AT_ONCE):
            yield [match for (match,) in some]

    def rows(self, query: str, ids: Sequence[str]) -> list[_Row]:
        """Return the rows of a query about matches that are `{these}`."""
        these = query.format(these="IN (SELECT value FROM json_each(?))")
        return self._db.execute(these, (to_json(ids),)).fetchall()

    def all_rows(self, query: str) -> list[_Row]:
        """Return the rows of a query."""
        return self._db.execute(query).fetchall()


@dataclass(frozen=True, slots=True)
class StandingComparison:
    """The numbers of results that the logs give and of ratings that are stored, and what is wrong.

    Each difference is the id of a match, or a game and family with a rating that differs.
    """

    results: int
    ratings: int
    wrong: tuple[str, ...]


class StandingReader:
    """Computes results again from a state of a store, which `look` begins to look at. Blocks."""

    def __init__(self, look: Callable[[], AbstractContextManager[StandingState]]) -> None:
        self._look = look

    def results(self) -> Iterator[MatchResult]:
        """Yield what all finished matches say about their people, in the order of their ends.

        Raises StoreError.
        """
        with self._look() as state:
            yield from _results(state)

    def compare(self, watch: Callable[[Iterator[MatchResult]], Iterator[MatchResult]]) -> StandingComparison:
        """Compare what is stored with what the results give; `watch` hands them on. Raises StoreError."""
        ledger, count = Ledger(), 0
        wrong: list[str] = []
        with self._look() as state:
            missing = {match for (match,) in state.all_rows(_STORED)}
            counted = ledger.count_all(watch(_results(state)))
            while some := tuple(islice(counted, AT_ONCE)):
                ids = [result.match for result, _ in some]
                people, changes = _by_match(state, _RESULTS, ids), _by_match(state, _CHANGES, ids)
                count += len(some)
                missing.difference_update(ids)
                for result, changed in some:
                    match = result.match
                    given = {result_values(result, one) for one in result.people}
                    moved = {change_values(match, one) for one in changed}
                    if people[match] != given or changes[match] != moved:
                        wrong.append(match)
            stored = {
                (Ladder(game, family, scope), user): (Rating(*values), latest)
                for game, family, scope, user, latest, *values in state.all_rows(_RATINGS)
            }
        found = {(ladder, user): (rating, to_ms(at)) for ladder, user, rating, at in ledger.ratings()}
        keys = stored.keys() | found.keys()
        ladders = {f"{key[0].game} {key[0].family}" for key in keys if stored.get(key) != found.get(key)}
        return StandingComparison(count, len(stored), (*wrong, *sorted(missing), *sorted(ladders)))


def _by_match(state: StandingState, query: str, ids: Sequence[str]) -> defaultdict[str, set[_Row]]:
    """Return the rows of a query by their first column."""
    found: defaultdict[str, set[_Row]] = defaultdict(set)
    for row in state.rows(query, ids):
        found[row[0]].add(tuple(row))
    return found


def _results(state: StandingState) -> Iterator[MatchResult]:
    """Yield what all finished matches say about their people, in the order of their ends."""
    for ids in state.ended():
        seats: dict[str, dict[int, int | None]] = {match: {} for match in ids}
        for match, seat, user in state.rows(_SEATS, ids):
            seats[match][seat] = user
        held: defaultdict[str, list[SeatHolder]] = defaultdict(list)
        for one in map(to_holder, state.rows(_HOLDERS, ids)):
            held[one.match].append(one)
        rows = {
            match: EndedRow(
                match,
                game,
                guild,
                options,
                json.loads(result)["ranks"],
                bool(rated),
                bool(fork),
                seats[match],
            )
            for match, game, guild, options, result, rated, fork in state.rows(_MATCHES, ids)
        }
        logs: dict[str, list[LogRow]] = {match: [] for match in ids}
        for row in state.rows(_ENTRIES, ids):
            logs[row[0]].append(row[1:])
        for match in ids:
            if (result := result_of_rows(rows[match], logs[match], held[match])) is not None:
                yield result


@contextmanager
def file_state(path: Path) -> Iterator[StandingState]:
    """Look at a file. Raises StoreError."""
    with visitor(path) as db:
        yield FileStandingState(db)
