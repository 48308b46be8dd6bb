"""How values turn into chances of winning: a game's odds scale, the spread of its values, a check of both.

A logistic curve through values and results has one parameter, the scale: the evaluation that multiplies the
odds by e. The spread is how much values change with ten times the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from games.ai.win_shares import is_mixed, proves, share_of_value
from solve.fitting import Estimate, with_errors
from solve.self_play import PlayedMatch

BINS: Final = 5
_CLEAR: Final = 1500
"""Values beyond this size say nothing more about the spread."""
_STEPS: Final = 60
_LEAST_SLOPE: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Odds:
    """What was measured of a game."""

    scale: Estimate
    thirds: tuple[float, ...]
    """The scale by the first, second and last third of each match; `inf` where values say nothing."""
    spread: Estimate
    positions: int
    compared: int
    """Number of positions behind the spread."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Positions whose predicted chances lie near each other; shares from 0.0 to 1.0, of seat 0."""

    positions: int
    matches: int
    predicted: float
    actual: float
    error: float
    """The standard error of the difference; positions of a match count together."""


Pair = tuple[int, float]
"""A value that proves nothing, and the share that came of it, both for seat 0."""


def pairs_of(match: PlayedMatch) -> list[Pair]:
    """Return the values of a match that can be calibrated."""
    return [(value, match.share) for value in match.values if not proves(value) and not is_mixed(value)]


def measure_odds(matches: Sequence[PlayedMatch]) -> Odds:
    """Return the odds of a game. Raises ValueError if there are no positions, or values say nothing."""

    def scale(some: Sequence[PlayedMatch]) -> list[float]:
        return [fit_scale([pair for match in some for pair in pairs_of(match)])]

    def spread(some: Sequence[PlayedMatch]) -> list[float]:
        squares = [(one - two) ** 2 for match in some for one, two in _compared(match)]
        return [sqrt(sum(squares) / max(1, len(squares)))]

    found = [pair for match in matches for pair in pairs_of(match)]
    return Odds(
        with_errors(matches, scale)[0],
        tuple(_scale_of_third(matches, nth) for nth in range(3)),
        with_errors(matches, spread)[0],
        len(found),
        sum(len(_compared(match)) for match in matches),
    )


def _compared(match: PlayedMatch) -> list[tuple[int, int]]:
    return [pair for pair in match.deeper if max(map(abs, pair)) <= _CLEAR]


def _scale_of_third(matches: Sequence[PlayedMatch], nth: int) -> float:
    found: list[Pair] = []
    for match in matches:
        pairs = pairs_of(match)
        found += pairs[nth * len(pairs) // 3 : (nth + 1) * len(pairs) // 3]
    try:
        return fit_scale(found)
    except ValueError:
        return float("inf")


def fit_scale(pairs: Sequence[Pair]) -> float:
    """Return the scale with which the logistic curve explains the results best, by bisection of its slope.

    Raises ValueError if there are no pairs, or higher values don't win more often.
    """
    values = np.array([value for value, _ in pairs], dtype=float)
    shares = np.array([share for _, share in pairs])

    def misses(slope: float) -> float:
        """Return a number that grows with the slope, and is 0 for the best one."""
        chances = 1 / (1 + np.exp(-np.clip(values * slope, -40, 40)))
        return float(values @ (chances - shares))

    low, high = _LEAST_SLOPE, 1.0
    if not pairs or misses(low) >= 0:
        raise ValueError("higher values don't win more often in them")
    for _ in range(_STEPS):
        middle = sqrt(low * high)
        if misses(middle) < 0:
            low = middle
        else:
            high = middle
    return 1 / sqrt(low * high)


def reliability(matches: Sequence[PlayedMatch], scale: float) -> list[Bin | None]:
    """Return what came of positions by their predicted chance, from the lowest fifth; None for empty ones."""
    found: list[list[tuple[int, float, float]]] = [[] for _ in range(BINS)]
    for match in matches:
        for value, share in pairs_of(match):
            chance = share_of_value(value, scale)
            found[min(BINS - 1, int(BINS * chance))].append((match.number, chance, share))
    return [_bin(each) if each else None for each in found]


def _bin(found: Sequence[tuple[int, float, float]]) -> Bin:
    count = len(found)
    predicted, actual = (sum(each[at] for each in found) / count for at in (1, 2))
    sums: dict[int, float] = {}
    for number, chance, share in found:
        sums[number] = sums.get(number, 0.0) + share - chance - (actual - predicted)
    error = sqrt(sum(each * each for each in sums.values())) / count
    return Bin(count, len(sums), predicted, actual, error)
