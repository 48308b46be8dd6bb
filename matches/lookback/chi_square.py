"""Pearson's chi-square test of counts against expected ones.

The probability is exact for the chi-square distribution: M. Abramowitz and I. A. Stegun, Handbook of
Mathematical Functions (1964), 26.4.4 and 26.4.5, which need no incomplete gamma function for whole degrees of
freedom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, exp, pi, sqrt
from typing import Final

LEAST_EXPECTED: Final = 5.0
"""Smallest expected count for which the test is good (W. G. Cochran, 1954)."""


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """The result of a test."""

    value: float
    freedom: int
    """Degrees of freedom."""
    p: float
    """The probability that fair dice give counts at least as uneven."""


def chi_square_of(counts: Sequence[int], chances: Sequence[float]) -> ChiSquare | None:
    """Return the test of counts, given the probability of each result; None for too few counts.

    Raises ValueError unless there is a probability above 0 for each count, of at least two.
    """
    if len(counts) != len(chances) or len(counts) < 2 or min(chances) <= 0:
        raise ValueError("each of two or more results needs a count and a probability")
    if (total := sum(counts)) < rolls_needed(chances):
        return None
    value = sum(
        (n - total * chance) ** 2 / (total * chance) for n, chance in zip(counts, chances, strict=True)
    )
    return ChiSquare(value, len(counts) - 1, upper_tail(value, len(counts) - 1))


def rolls_needed(chances: Sequence[float]) -> int:
    """Return the number of rolls from which on each result is expected at least five times."""
    least = LEAST_EXPECTED / min(chances)
    return int(least) if least == int(least) else int(least) + 1


def upper_tail(value: float, freedom: int) -> float:
    """Return the probability that a chi-square variable is at least `value`."""
    if value <= 0:
        return 1.0
    if freedom % 2:
        total, term, n = erfc(sqrt(value / 2)), sqrt(2 * value / pi) * exp(-value / 2), 1
    else:
        total, term, n = 0.0, exp(-value / 2), 0
    while n < freedom:
        total += term
        n += 2
        term *= value / n
    return min(1.0, total)
