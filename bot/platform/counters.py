"""Count what an operator wants to know: moves, durations, reconnects, answers of Discord, dead messages.

Discord expects an answer to an interaction within three seconds, and bars an address after 10,000 answers of
401, 403 or 429 in ten minutes (https://docs.discord.com/developers/topics/rate-limits).
"""

from __future__ import annotations

import contextlib
import logging
import re
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import perf_counter
from types import SimpleNamespace
from typing import Final

import aiohttp
from cachetools import LRUCache

from matches.ports import Step

BOUNDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the buckets in seconds, from a step without work to Discord at its slowest."""
Reading = Callable[[], float]
log = logging.getLogger(__name__)
SLOW = 2.0
"""Seconds after which an answer to an interaction counts as slow."""
_REMEMBERED = 1024
_CALLBACK = re.compile(r"/interactions/(\d+)/[^/]+/callback$")
_LIMITED, _REFUSED, _SERVER_ERROR = 429, (401, 403), 500


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


class RequestMeter:
    """Counts limits met, refusals, Discord's own errors, and slow answers to interactions."""

    def __init__(self, counters: Counters, now: Callable[[], float] = time.monotonic) -> None:
        self._counters = counters
        self._now = now
        self._begun: LRUCache[int, float] = LRUCache(_REMEMBERED)
        """When the interactions came in that aren't answered yet."""

    def trace(self) -> aiohttp.TraceConfig:
        """Return what the HTTP session has to be made with."""
        config = aiohttp.TraceConfig()
        config.on_request_end.append(self._on_request_end)
        return config

    async def _on_request_end(
        self,
        session: aiohttp.ClientSession,
        context: SimpleNamespace,
        params: aiohttp.TraceRequestEndParams,
    ) -> None:
        self.answered(params.url.path, params.response.status)

    def interaction_came(self, interaction: int) -> None:
        """Note that an interaction has come in."""
        self._begun[interaction] = self._now()

    def answered(self, path: str, status: int) -> None:
        """Count a request that Discord has answered."""
        if status == _LIMITED:
            self._counters.add("rate limits met")
        elif status in _REFUSED:
            self._counters.add("requests refused")
        elif status >= _SERVER_ERROR:
            self._counters.add("errors of Discord")
        if (found := _CALLBACK.search(path)) is not None:
            self._note_answer(int(found[1]))

    def _note_answer(self, interaction: int) -> None:
        begun = self._begun.pop(interaction, None)
        if begun is not None and (took := self._now() - begun) > SLOW:
            self._counters.add("slow answers")
            log.warning("slow answer", extra={"interaction": interaction, "seconds": round(took, 2)})
