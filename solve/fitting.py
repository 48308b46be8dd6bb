"""Fit the weights of an evaluation to what came of positions, by logistic regression.

What came of a position is the mean of the match's result and of the search's value some moves later, as a
chance of winning: results alone are noisy, later values alone believe what the current weights say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Final, TypeVar

import numpy as np

from games.ai.win_shares import share_of_value
from solve.self_play import PlayedMatch

Item = TypeVar("Item")

LATER: Final = 16
"""Decisions after which the search's value counts."""
_SHRINK: Final = 1.0
_STEPS: Final = 30
_GROUPS: Final = 10
"""Groups of matches that are left out in turn, to find standard errors."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A position of a match, and the share of the match that seat 0 is taken to get from there."""

    features: tuple[int, ...]
    target: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its standard error; `inf` if there are too few matches."""

    value: float
    error: float


def samples_of(match: PlayedMatch, scale: float) -> Iterator[Sample]:
    """Yield the positions of a match that have features; `scale` turns values into chances."""
    for nth, features in enumerate(match.features):
        later = nth + LATER
        chance = share_of_value(match.values[later], scale) if later < len(match.values) else match.share
        if features is not None:
            yield Sample(features, (match.share + chance) / 2)


def fit_weights(
    matches: Sequence[PlayedMatch], unit: Sequence[int], size: float, scale: float
) -> list[Estimate]:
    """Return the weights that explain matches best, multiplied so that those of `unit` add up to `size`.

    Raises ValueError if there are no samples, or the unit turns out to be worth nothing.
    """

    def fit(some: Sequence[PlayedMatch]) -> list[float]:
        return fit_samples([sample for match in some for sample in samples_of(match, scale)], unit, size)

    return with_errors(matches, fit)


def fit_samples(found: Sequence[Sample], unit: Sequence[int], size: float) -> list[float]:
    """Return the weights that explain samples best, by Newton's method. Raises ValueError like the above."""
    if not found:
        raise ValueError("there are no positions")
    counts = np.array([sample.features for sample in found], dtype=float)
    target = np.array([sample.target for sample in found])
    weights = np.zeros(counts.shape[1])
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(-counts @ weights))
        slope = counts.T @ (expected - target) + _SHRINK * weights
        bend = (counts.T * (expected * (1 - expected))) @ counts + _SHRINK * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    one = float(weights[list(unit)].sum())
    if one <= 0:
        raise ValueError("what weights are relative to is worth nothing in them")
    return [size * float(weight) / one for weight in weights]


def with_errors(items: Sequence[Item], fit: Callable[[Sequence[Item]], list[float]]) -> list[Estimate]:
    """Return what is fitted to matches, with standard errors by a jackknife over groups of them.

    Positions of a match depend on each other, matches don't. Raises ValueError like `fit` for all of them.
    """
    whole = fit(items)
    groups = min(_GROUPS, len(items))
    parts = []
    for group in range(groups):
        try:
            parts.append(fit([item for nth, item in enumerate(items) if nth % groups != group]))
        except ValueError:
            return [Estimate(value, inf) for value in whole]
    return [
        Estimate(value, sqrt((groups - 1) / groups * sum((part[nth] - value) ** 2 for part in parts)))
        for nth, value in enumerate(whole)
    ]
