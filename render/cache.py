"""A small cache that many threads may use: bounded, least recently used goes first, values never change.

Making a value takes milliseconds, so it happens outside the lock; two threads may make the same value at
once, and the first to finish is kept, so that everybody holds the same one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """At most `size` values by key. Values must be treated as constants by all who get them."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = Lock()
        self._values: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """Return the value of `key`, made by `make()` if it isn't there."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        made = make()
        with self._lock:
            kept = self._values.setdefault(key, made)
            self._values.move_to_end(key)
            while len(self._values) > self._size:
                self._values.popitem(last=False)
        return kept

    def __len__(self) -> int:
        with self._lock:
            return len(self._values)
