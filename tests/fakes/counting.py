"""A store that counts its calls."""

from __future__ import annotations

from collections import Counter
from typing import Any

from matches.ports import Store


class CountingStore:
    """A store that counts its calls by name."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            self.calls[name] += 1
            return await method(*args, **kwargs)

        return call

    def taken(self) -> dict[str, int]:
        """Return the calls since the last time, and count anew."""
        calls = dict(self.calls)
        self.calls.clear()
        return calls
