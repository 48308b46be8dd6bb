"""Metrics in Prometheus's text format, made from `Counters` when they are asked for.

This is the only file that imports prometheus_client, and it is imported only where metrics are switched on.
Labels have few values: never the id of a match, server or person, nor anything that people write. Names and
units follow https://prometheus.io/docs/practices/naming/.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import accumulate

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.platform.counters import BOUNDS, Counters, Histogram
from matches.store.operation import OutboxState

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_RATE_LIMITS, _SESSIONS = "rate limits met", {"new sessions": "new", "sessions resumed": "resumed"}
GAUGES = {
    "gateway connected": ("dominium_gateway_connected", "Whether events of Discord reach the bot."),
    "gateway latency": ("dominium_gateway_latency_seconds", "Time that a heartbeat took last."),
    "shards served": ("dominium_shards_served", "Shards that this process serves."),
    "shards heard": ("dominium_shards_heard", "Shards of these whose events reach it."),
    "computer jobs waiting": ("dominium_computer_jobs_waiting", "Jobs that wait for a worker process."),
    "computer processes": ("dominium_computer_processes", "Worker processes that think for computers."),
}
"""Names and explanations of what `Counters` reads, by its name there."""


class BotMetrics(Collector):
    """What the bot counts and reads, at one moment."""

    def __init__(self, counters: Counters, outbox: OutboxState | None, now: datetime) -> None:
        self._counters = counters
        self._outbox = outbox
        self._now = now

    def collect(self) -> Iterable[Metric]:
        yield from self._counted()
        yield from self._timed()
        yield from self._read()
        if self._outbox is not None:
            yield from _messages(self._outbox, self._now)

    def _counted(self) -> Iterator[Metric]:
        counts = self._counters.snapshot()
        moves = CounterMetricFamily("dominium_moves", "Moves that were committed.", labels=["game"])
        for game, count in sorted(self._counters.moves.items()):
            moves.add_metric([game], count)
        limits = counts.get(_RATE_LIMITS, 0)
        sessions = CounterMetricFamily(
            "dominium_gateway_sessions", "Sessions after the first.", labels=["kind"]
        )
        for name, kind in _SESSIONS.items():
            sessions.add_metric([kind], counts.get(name, 0))
        events = CounterMetricFamily(
            "dominium_events", "What else was counted, by the words of `/server operator`.", labels=["event"]
        )
        for name, count in counts.items():
            if name != _RATE_LIMITS and name not in _SESSIONS:
                events.add_metric([name], count)
        yield from (moves, sessions, events)
        yield CounterMetricFamily("dominium_rate_limits", "Requests that Discord put off.", value=limits)

    def _timed(self) -> Iterator[Metric]:
        counters = self._counters
        yield _histograms("dominium_step_seconds", "Time for a step of a move.", "step", counters.steps.all())
        yield _histograms(
            "dominium_move_seconds", "Time from a move to its board.", "route", counters.answers.all()
        )
        yield _histograms(
            "dominium_sweep_seconds", "Time for a poller's round.", "poller", counters.sweeps.all()
        )

    def _read(self) -> Iterator[Metric]:
        for name, value in self._counters.readings().items():
            metric, explanation = GAUGES[name]
            yield GaugeMetricFamily(metric, explanation, value=value if math.isfinite(value) else math.nan)
        yield GaugeMetricFamily(
            "dominium_start_time_seconds", "When the bot started.", value=self._counters.since.timestamp()
        )


def _histograms(name: str, explanation: str, label: str, found: Mapping[str, Histogram]) -> Metric:
    family = HistogramMetricFamily(name, explanation, labels=[label])
    bounds = [*map(str, BOUNDS), "+Inf"]
    for value, histogram in found.items():
        counts = accumulate(map(float, histogram.counts))
        family.add_metric([value], list(zip(bounds, counts, strict=True)), histogram.total)
    return family


def _messages(outbox: OutboxState, now: datetime) -> Iterator[Metric]:
    yield GaugeMetricFamily("dominium_outbox_messages", "Messages not sent yet.", value=outbox.waiting)
    yield GaugeMetricFamily(
        "dominium_outbox_oldest_seconds", "Age of the oldest unsent message.", value=outbox.age(now)
    )
    yield GaugeMetricFamily(
        "dominium_outbox_late_seconds", "How long a message has been due that could be sent.",
        value=outbox.lateness(now),
    )  # fmt: skip
    dead = GaugeMetricFamily(
        "dominium_outbox_dead_messages", "Messages that were laid aside.", labels=["why"]
    )
    dead.add_metric(["parked"], outbox.parked)
    dead.add_metric(["dropped"], outbox.dropped)
    yield dead


def exposition(counters: Counters, outbox: OutboxState | None, now: datetime) -> bytes:
    """Return all metrics of the bot and its process as text."""
    registry = CollectorRegistry()
    registry.register(BotMetrics(counters, outbox, now))
    ProcessCollector(registry=registry)
    return generate_latest(registry)
