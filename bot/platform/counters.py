"""Count what an operator wants to know: moves, durations, reconnects, limits met, dead messages.

Parts report here, or let themselves be read; `/server operator`, the daily log and `operator_server` show it.
No name that is counted contains the id of a match or a person.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from time import perf_counter

from bot.platform.durations import Durations
from matches.meter import Step

Reading = Callable[[], float]


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
