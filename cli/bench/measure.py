"""Fair comparison: ours and theirs take turns in one process, and the median of the rounds' ratios counts.

Absolute speeds differ from machine to machine and from minute to minute; ratios within one round do not.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Literal

Work = Callable[[int], float]
"""Takes the number of the round (-1: warm-up), does the work, gives its measure (a rate, or seconds)."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: what, ours and theirs in the unit, the ratio and its target."""

    name: str
    unit: str
    ours: float
    theirs: float | None
    ratio: float
    target: float
    better: Literal["more", "less"]

    @property
    def passed(self) -> bool:
        """Whether the target is met."""
        return self.ratio >= self.target if self.better == "more" else self.ratio <= self.target


def compare(
    name: str,
    unit: str,
    ours: Work,
    theirs: Work,
    *,
    rounds: int,
    target: float,
    better: Literal["more", "less"],
) -> Line:
    """Let both warm up once, then take turns for `rounds` rounds; who goes first alternates."""
    ours(-1)
    theirs(-1)
    mine: list[float] = []
    other: list[float] = []
    for number in range(rounds):
        pair = ((ours, mine), (theirs, other))
        for work, figures in pair if number % 2 == 0 else reversed(pair):
            gc.collect()
            figures.append(work(number))
    ratio = median(a / b for a, b in zip(mine, other, strict=True))
    return Line(name, unit, median(mine), median(other), ratio, target, better)


def limit(name: str, unit: str, value: float, at_most: float) -> Line:
    """Return a line for a figure that has a limit rather than a rival."""
    return Line(name, unit, value, None, value, at_most, "less")
