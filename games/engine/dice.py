"""Verifiable dice: the host commits to a secret before the match, and every draw is derived from it.

Published at the start: SHA-256(secret), the match's id and the public salt (who plays, and the request
that started the match). A draw for log entry `seq` reads the byte stream of blocks

    HMAC-SHA256(key=secret, "dominium-dice-1\\n{match}\\n{seq}\\n{salt}\\n{block}")    block = 0, 1, 2 ...

four bytes at a time as a big-endian number x. A number below n is x mod n; an x at or above the largest
multiple of n not over 2**32 is skipped, so that no face is favoured. The secret is revealed at the end.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct
from typing import TypeVar

T = TypeVar("T")
SECRET_BYTES = 32
"""Length of a match's secret, in bytes."""
_WORD = 1 << 32
_SIXES = _WORD - _WORD % 6
"""Words from here on are skipped for dice with six sides."""
_WORDS = Struct(">8I")
"""A block as numbers."""


def commitment(secret: bytes) -> str:
    """Return the SHA-256 of the secret in lower-case hex, as published before the match."""
    return hashlib.sha256(secret).hexdigest()


class Dice:
    """The random stream of one log entry; deterministic in its four arguments. Only `Game.draw` uses it."""

    __slots__ = ("_block", "_prefix", "_secret", "_words")

    def __init__(self, secret: bytes, match: str, seq: int, salt: str) -> None:
        self._secret = secret
        self._prefix = f"dominium-dice-1\n{match}\n{seq}\n{salt}\n"
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        """Return the next 32 bits of the stream."""
        if not self._words:
            message = f"{self._prefix}{self._block}".encode()
            self._words += _WORDS.unpack(hmac.digest(self._secret, message, "sha256"))[::-1]
            self._block += 1
        return self._words.pop()

    def below(self, n: int) -> int:
        """Return a uniform number 0 <= x < n, for 1 <= n <= 2**32. Raises ValueError for any other n."""
        if not 1 <= n <= _WORD:
            raise ValueError(f"cannot draw below {n}")
        limit = _WORD - _WORD % n
        words = self._words
        while (x := words.pop() if words else self.word()) >= limit:
            pass
        return x % n

    def die(self, sides: int = 6) -> int:
        """Roll a die: return 1 to `sides`."""
        return 1 + self.below(sides)

    def roll(self, n: int) -> tuple[int, ...]:
        """Roll `n` dice with six sides; the same as `n` calls of `die`, in less time."""
        words, found = self._words, []
        for _ in range(n):
            while (x := words.pop() if words else self.word()) >= _SIXES:
                pass
            found.append(1 + x % 6)
        return tuple(found)

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items, each with equal probability."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return all items in random order (Fisher-Yates shuffle, from the last place down)."""
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)


@dataclass(frozen=True, slots=True, repr=False)
class Sealed:
    """A match's secret with its public id and salt; makes the dice of each log entry."""

    secret: bytes
    match: str
    salt: str

    def __post_init__(self) -> None:
        if not (self.match.isprintable() and self.salt.isprintable()):
            raise ValueError("match and salt are single lines of printable characters")

    def __repr__(self) -> str:
        return f"Sealed(match={self.match!r}, salt={self.salt!r})"  # never the secret: it may be logged

    @property
    def commitment(self) -> str:
        """The hash of the secret that is published at the start."""
        return commitment(self.secret)

    def dice(self, seq: int) -> Dice:
        """Return the dice for log entry `seq`."""
        return Dice(self.secret, self.match, seq, self.salt)
