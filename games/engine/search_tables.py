"""Tables of search states: entries that are computed at first use, and the words of Zobrist hashes."""

from __future__ import annotations

import struct
from collections.abc import Callable
from hashlib import shake_256
from itertools import accumulate
from typing import Generic, TypeVar

T = TypeVar("T")


class LazyTable(dict[int, T], Generic[T]):
    """A table whose entries are computed at first use; it is emptied when it has grown to `most` entries."""

    def __init__(self, compute: Callable[[int], T], most: int | None = None) -> None:
        super().__init__()
        self._compute = compute
        self._most = most

    def __missing__(self, at: int) -> T:
        value = self._compute(at)
        if self._most is not None and len(self) >= self._most:
            self.clear()
        self[at] = value
        return value


def hash_words(seed: str, *sizes: int) -> list[tuple[int, ...]]:
    """Return tables of these sizes, of 64-bit words that look random and depend on the seed alone."""
    words = struct.unpack(f"<{sum(sizes)}Q", shake_256(seed.encode()).digest(8 * sum(sizes)))
    return [words[end - size : end] for end, size in zip(accumulate(sizes), sizes, strict=True)]
