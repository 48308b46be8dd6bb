"""Count what an operator wants to know: reconnects, limits met, slow answers, dead messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime


class Counters:
    """Named counts since the process began, at `since`."""

    def __init__(self, since: datetime | None = None) -> None:
        self.since = since or datetime.now(UTC)
        self._counts: Counter[str] = Counter()
        self._reported: Counter[str] = Counter()

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
