"""Durations by name, as histograms: how many lay in which bucket, and their sum."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

BOUNDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the buckets in seconds, from a step without work to Discord at its slowest."""


@dataclass(slots=True)
class Histogram:
    """Durations of one kind. `counts` has one number for each bound, and one for what is longer."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    total: float = 0.0
    """Sum of all durations in seconds."""

    def add(self, seconds: float) -> None:
        """Count a duration; one that equals a bound lies below it."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds


class Durations:
    """Histograms by name. Used in one thread."""

    def __init__(self) -> None:
        self._histograms: dict[str, Histogram] = {}

    def add(self, name: str, seconds: float) -> None:
        """Count how long something took."""
        found = self._histograms.get(name)
        if found is None:
            found = self._histograms[name] = Histogram()
        found.add(seconds)

    def all(self) -> Mapping[str, Histogram]:
        """Return the histograms in order of their names."""
        return dict(sorted(self._histograms.items()))
