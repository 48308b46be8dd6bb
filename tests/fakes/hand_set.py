"""A clock that is set by hand, and entropy that repeats."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 1, 12, tzinfo=UTC)


class FakeClock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self, now: datetime = START) -> None:
        self._now = now

    def now(self) -> datetime:
        """The time that was set last."""
        return self._now

    def set(self, now: datetime) -> None:
        """Jump to a time; it must be aware."""
        if now.tzinfo is None:
            raise ValueError("a clock shows aware times only")
        self._now = now.astimezone(UTC)

    def advance(self, by: timedelta | None = None, **units: float) -> datetime:
        """Let time pass, `advance(hours=1)` or `advance(timedelta(...))`, and tell the new time."""
        self._now += (by or timedelta()) + timedelta(**units)
        return self._now


class FakeEntropy:
    """Bytes that look random and are the same in every run; equal seeds give equal streams."""

    def __init__(self, seed: str = "") -> None:
        self._seed = seed
        self._calls = 0

    def token(self, size: int) -> bytes:
        """The next bytes; each call gives others."""
        self._calls += 1
        return hashlib.shake_256(f"{self._seed}/{self._calls}".encode()).digest(size)
