"""A bounded set that drops the keys not added for longest."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from cachetools import LRUCache

K = TypeVar("K", bound=Hashable)


class RecentKeys(Generic[K]):
    """The last `size` keys that were added."""

    def __init__(self, size: int) -> None:
        self._keys: LRUCache[K, None] = LRUCache(size)

    def add(self, key: K) -> bool:
        """Remember a key; return whether it is new."""
        new = key not in self._keys
        self._keys[key] = None
        return new

    def discard(self, key: K) -> None:
        """Forget a key."""
        self._keys.pop(key, None)

    def __contains__(self, key: K) -> bool:
        return key in self._keys
