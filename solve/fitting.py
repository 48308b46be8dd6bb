"""Fit the weights of an evaluation to what came of positions, by logistic regression."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from games.engine.search import WIN

_SHRINK: Final = 1.0
_STEPS: Final = 30
_MOST: Final = 1000
"""Values are cut off here: who is so far ahead wins as surely as anyone."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A position of a match, and the share of the match that seat 0 is taken to get from there."""

    features: tuple[int, ...]
    target: float


def _probability(value: int, steepness: float) -> float:
    """Return the chance to win with a value of a search; `steepness` is the logit of one hundredth."""
    return 1 / (1 + math.exp(-steepness * max(-_MOST, min(_MOST, value))))


def labelled(
    seen: Sequence[tuple[tuple[int, ...] | None, int]], share: float, *, later: int, steepness: float
) -> Iterator[Sample]:
    """Yield the positions of a match that have features, given seat 0's share of the match.

    Each comes with seat 0's value by a search. The target is the mean of the share and of what the value is
    `later` positions on; after the last one it is the result.
    """
    ending = round(WIN * (2 * share - 1))
    for nth, (features, _) in enumerate(seen):
        value = seen[nth + later][1] if nth + later < len(seen) else ending
        if features is not None:
            yield Sample(features, (share + _probability(value, steepness)) / 2)


def fit_weights(found: Sequence[Sample], names: Sequence[str], unit: str, scale: int = 100) -> dict[str, int]:
    """Return the weights by feature that explain the samples best, by Newton's method.

    They are multiplied so that that of the feature `unit` becomes `scale`.
    """
    counts = np.array([sample.features for sample in found], dtype=float)
    target = np.array([sample.target for sample in found])
    weights = np.zeros(counts.shape[1])
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(-counts @ weights))
        slope = counts.T @ (expected - target) + _SHRINK * weights
        bend = (counts.T * (expected * (1 - expected))) @ counts + _SHRINK * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    one = weights[list(names).index(unit)]
    return {name: round(scale * float(each / one)) for name, each in zip(names, weights, strict=True)}
