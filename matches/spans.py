"""Spans of time, half-open, in UTC: how long they are together, and what they leave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

END_OF_TIME: Final = datetime.max.replace(tzinfo=UTC)
"""The end of a span that hasn't ended yet."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """From `start` up to, but without, `end`; empty unless `end` is later."""

    start: datetime
    end: datetime = END_OF_TIME

    def covers(self, moment: datetime) -> bool:
        """Return whether a moment lies in it."""
        return self.start <= moment < self.end


def union(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans that cover the same instants, in order, without overlaps or gaps of no length."""
    current: Span | None = None
    for span in sorted(span for span in spans if span.start < span.end):
        if current is None or span.start > current.end:
            if current is not None:
                yield current
            current = span
        elif span.end > current.end:
            current = Span(current.start, span.end)
    if current is not None:
        yield current


def without(windows: Iterable[Span], holes: Iterable[Span]) -> Iterator[Span]:
    """Yield what the holes leave of the windows. Windows come in order and don't overlap; holes may."""
    merged = tuple(union(holes))
    last = merged[-1].start if merged and merged[-1].end == END_OF_TIME else END_OF_TIME
    for window in windows:
        if window.start >= last:
            return
        start = window.start
        for hole in merged:
            if hole.end <= start:
                continue
            if hole.start >= window.end:
                break
            if hole.start > start:
                yield Span(start, hole.start)
            start = hole.end
        if start < window.end:
            yield Span(start, window.end)


def measure(spans: Iterable[Span], start: datetime, end: datetime) -> timedelta:
    """Return how much of start..end the spans cover. They come in order and don't overlap."""
    covered = timedelta()
    for span in spans:
        if span.start >= end:
            break
        covered += max(timedelta(), min(span.end, end) - max(span.start, start))
    return covered


def spend(spans: Iterable[Span], start: datetime, amount: timedelta) -> datetime | None:
    """Return the first instant by which the spans cover `amount` since `start`; None if they never do.

    They come in order and don't overlap, and there may be infinitely many.
    """
    for span in spans:
        begins = max(span.start, start)
        if begins >= span.end:
            continue
        if span.end == END_OF_TIME or span.end - begins >= amount:
            return begins + amount if amount < END_OF_TIME - begins else None
        amount -= span.end - begins
    return None
