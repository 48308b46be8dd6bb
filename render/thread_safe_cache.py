"""A small cache for values that are used by many threads: bounded, least recently used first out.

Making a value takes milliseconds, so it is done outside the lock: two threads may make the same value at
once, but the first to finish is kept, and both get that one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress
from threading import Lock
from typing import Generic, TypeVar

from cachetools import LRUCache

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """At most `size` values by key. Values are shared: never change one."""

    def __init__(self, size: int) -> None:
        self._lock = Lock()
        self._values: LRUCache[K, V] = LRUCache(size)

    def get(self, key: K, make: Callable[[], V]) -> V:
        """Return the value of `key`, calling `make` for one that isn't cached."""
        with self._lock, suppress(KeyError):
            return self._values[key]
        made = make()
        with self._lock:
            return self._values.setdefault(key, made)

    def __len__(self) -> int:
        with self._lock:
            return len(self._values)
