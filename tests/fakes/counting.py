"""A store that counts its calls."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from matches.ports import Store


class CountingStore:
    """A store that counts its calls by name."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.calls: Counter[str] = Counter()
        self.running = 0
        """So many calls haven't returned."""
        self._rest: asyncio.Future[None] | None = None

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            self.calls[name] += 1
            self.running += 1
            try:
                return await method(*args, **kwargs)
            finally:
                self.running -= 1
                if self._rest is not None and not self.running:
                    self._rest.set_result(None)
                    self._rest = None

        return call

    def rest(self) -> asyncio.Future[None]:
        """Return what is done when all calls have returned."""
        if self._rest is None:
            self._rest = asyncio.get_running_loop().create_future()
        return self._rest

    def taken(self) -> dict[str, int]:
        """Return the calls since the last time, and count anew."""
        calls = dict(self.calls)
        self.calls.clear()
        return calls
