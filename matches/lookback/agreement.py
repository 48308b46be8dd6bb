"""How often people's moves agree with the analyses of their matches, beside what is usual for their rating.

Nothing is analysed for that but the matches of the person who is asked about: what is usual follows from
analyses that were made anyway. It doesn't show why moves agree.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from games.ai.analysis_json import load_analysis
from matches.long_work import long_in_thread
from matches.lookback.analyses import Analyses
from matches.ports import Store
from matches.results import Refused
from matches.standing.ratings import START
from matches.store.archive import AnalysedSeat
from matches.store.rows import MatchRow
from matches.store.standing import UNIT, Ladder

NEAR: Final = 100
"""Points within which others have such a rating."""
COMPARED: Final = 200
"""Number of latest analysed matches from which follows what is usual."""
LEAST_COMPARED: Final = 100
"""Number of moves of others below which nothing is called usual."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The number of `moves` that were judged in `matches`, and how many of them were among the `best`."""

    matches: int = 0
    moves: int = 0
    best: int = 0

    def plus(self, moves: int, best: int) -> Agreement:
        """Return it with another match."""
        return Agreement(self.matches + 1, self.moves + moves, self.best + best)

    @property
    def percent(self) -> int:
        """The share of moves that agree; 0 for none."""
        return round(100 * self.best / self.moves) if self.moves else 0


@dataclass(frozen=True, slots=True)
class Compared:
    """Someone's agreement, how many of their matches aren't analysed, and that of people like them."""

    own: Agreement
    missing: int
    started: bool
    """Whether the analysis of one of those has been started, or is in progress."""
    points: int
    """Their rating now."""
    usual: Agreement
    people: int


async def compare(
    store: Store, analyses: Analyses, rows: Iterable[MatchRow], user: int, ladder: Ladder, asker: int
) -> Compared:
    """Compare someone's finished matches with those of others; the first without an analysis gets one.

    `ladder` is one over all servers.
    """
    own, missing, started = Agreement(), 0, False
    for row in rows:
        found = await analyses.kept(row)
        seat = next((one.seat for one in row.seats if one.user == user), None)
        if found is None:
            missing += 1
            started = started or not isinstance(await analyses.start(row, asker), Refused)
        elif seat is not None:
            own = own.plus(found.seats[seat].moves, found.seats[seat].best)
    rating = (await store.ratings_of(user)).get(ladder, START)
    near = (rating.mu - NEAR * UNIT, rating.mu + NEAR * UNIT)
    met = await store.analysed_seats(ladder, analyses.source(ladder.game), near, COMPARED)
    others = [one for one in met if one.user != user]
    usual = await long_in_thread(_added, others)
    people = len({one.user for one in others})
    return Compared(own, missing, started, round(rating.points), usual, people)


def _added(seats: Iterable[AnalysedSeat]) -> Agreement:
    """Return the agreement of people in analysed matches, without analyses that can't be read."""
    total = Agreement()
    for one in seats:
        with contextlib.suppress(ValueError):
            report = load_analysis(one.analysis).seats[one.seat]
            total = total.plus(report.moves, report.best)
    return total
