"""Count what an operator wants to know: moves, durations, reconnects, limits met, dead messages."""

from __future__ import annotations

import contextlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import perf_counter
from typing import Final

from matches.ports import Step

BOUNDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the buckets in seconds, from a step without work to Discord at its slowest."""
Reading = Callable[[], float]


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


class Counters:
    """Named counts and durations since the process began, at `since`. The `Meter` of the match service."""

    def __init__(self, since: datetime | None = None) -> None:
        self.since = since or datetime.now(UTC)
        self.moves: Counter[str] = Counter()
        """Number of committed moves, by the key of the game."""
        self.steps = Durations()
        """How long the steps of moves took, by `Step`."""
        self.answers = Durations()
        """How long typed moves took from the message to the new board, all under one name."""
        self.sweeps = Durations()
        """How long the pollers' rounds took, by the poller's name."""
        self._counts: Counter[str] = Counter()
        self._reported: Counter[str] = Counter()
        self._readings: dict[str, Reading] = {}

    def add(self, name: str, count: int = 1) -> None:
        """Count something that has happened, `count` times."""
        self._counts[name] += count

    def snapshot(self) -> Mapping[str, int]:
        """Return the counts so far, in order of their names."""
        return dict(sorted(self._counts.items()))

    def take_new(self) -> Mapping[str, int]:
        """Return what was counted since the last call, in order of the names."""
        new = self._counts - self._reported
        self._reported = self._counts.copy()
        return dict(sorted(new.items()))

    def took(self, step: Step, seconds: float) -> None:
        """Note how long a step of a move took."""
        self.steps.add(step, seconds)

    def moved(self, game: str, moves: int) -> None:
        """Note that moves of a game were committed."""
        self.moves[game] += moves

    @contextlib.contextmanager
    def sweep(self, name: str) -> Iterator[None]:
        """Note how long a round of a poller takes, unless it fails."""
        begun = perf_counter()
        yield
        self.sweeps.add(name, perf_counter() - begun)

    def watch(self, name: str, read: Reading) -> None:
        """Let `read` be called for a number that rises and falls, when someone wants to know it."""
        self._readings[name] = read

    def readings(self) -> Mapping[str, float]:
        """Return the current numbers of everything that is watched."""
        return {name: read() for name, read in self._readings.items()}
