"""Strengths by the method of Weng and Lin, with partial pairing by Bradley and Terry, from openskill.

R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12 (2011), algorithm 2.
The scale is that of Elo: someone who is 200 points stronger is expected to win 76 of 100 matches for two.
Every pair of sides is compared, and the average counts, so that matches of many don't count for more than
they show. Results are rounded to thousandths of a point, the precision of all that is stored.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from math import exp, sqrt

from openskill.models import BradleyTerryPart, BradleyTerryPartRating

from games.engine.strengths import SCALE
from matches.store.standing_rows import UNIT, Rating

START = Rating(1_500_000, 350_000)
"""The rating of someone of whom nothing is known."""
PROVISIONAL_ABOVE = 210_000
"""A rating is provisional while its standard deviation is larger: for about 15 matches with equals."""

_BETA = SCALE / sqrt(2)
"""Standard deviation of a performance: by it, differences of ratings mean what they mean in Elo."""
_TAU = 4.0
"""Points by which a strength may drift from match to match."""
_ALL = 100
"""A window that compares every pair of sides."""
_MODEL = BradleyTerryPart(mu=START.points, sigma=START.error, beta=_BETA, tau=_TAU, window_size=_ALL)


class _Teams(list[list[BradleyTerryPartRating]]):
    """Teams that the model may change in place. Else it copies them, which takes longer than rating."""

    def __deepcopy__(self, memo: object) -> _Teams:
        return self


class _Scratch(threading.local):
    """Ratings of the model that each thread reuses: every new one would draw a unique id."""

    def __init__(self) -> None:
        self._made: list[BradleyTerryPartRating] = []

    def teams(self, sides: Sequence[Sequence[Rating]]) -> _Teams:
        """Return sides as the model takes them, until the next call."""
        while len(self._made) < sum(map(len, sides)):
            self._made.append(_MODEL.rating())
        unused = iter(self._made)
        return _Teams([_set(next(unused), one) for one in side] for side in sides)


def _set(made: BradleyTerryPartRating, rating: Rating) -> BradleyTerryPartRating:
    made.mu, made.sigma = rating.points, rating.error
    return made


_SCRATCH = _Scratch()


def updated(sides: Sequence[Sequence[Rating]], places: Sequence[int]) -> list[list[Rating]]:
    """Return the ratings of all members after a match of sides that came to these places; equal is tied.

    Each counts as one more match. Raises ValueError for fewer than two sides or an empty one.
    """
    if len(sides) < 2 or not all(sides) or len(sides) != len(places):
        raise ValueError("a match is between two sides or more, each with a place")
    rated = _MODEL.rate(_SCRATCH.teams(sides), ranks=[float(place) for place in places])
    return [
        [
            Rating(round(new.mu * UNIT), round(new.sigma * UNIT), old.matches + 1)
            for new, old in zip(after, before, strict=True)
        ]
        for after, before in zip(rated, sides, strict=True)
    ]


def expected(one: Rating, other: Rating) -> float:
    """Return the probability that one person beats another in a match for two; a draw counts half."""
    spread = sqrt((one.sigma**2 + other.sigma**2) / UNIT**2 + 2 * _BETA**2)
    return 1 / (1 + exp((other.mu - one.mu) / UNIT / spread))


def is_provisional(rating: Rating) -> bool:
    """Return whether too little is known yet to compare the rating with others."""
    return rating.sigma > PROVISIONAL_ABOVE
