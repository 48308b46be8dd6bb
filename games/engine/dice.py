"""Verifiable chance: the host commits to a secret before the match, and every draw follows from it.

Published at the start: SHA-256(secret), the match's id and the public salt (who plays, and the request
that started the match). A draw for log entry `seq` reads the byte stream of blocks

    HMAC-SHA256(key=secret, "dominium-dice-1\\n{match}\\n{seq}\\n{salt}\\n{block}")    block = 0, 1, 2 ...

four bytes at a time as a big-endian number x. A number below n is x mod n; an x at or above the largest
multiple of n not over 2**32 is thrown away, so that no face is favoured. The secret is revealed at the end.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
SECRET_BYTES = 32
_WORD = 1 << 32


def commitment(secret: bytes) -> str:
    """SHA-256 of the secret in lower-case hex: what is published before the match."""
    return hashlib.sha256(secret).hexdigest()


class Dice:
    """The stream of one draw. Used by `Game.draw` only; deterministic in its four arguments."""

    __slots__ = ("_block", "_buffer", "_prefix", "_secret")

    def __init__(self, secret: bytes, match: str, seq: int, salt: str) -> None:
        self._secret = secret
        self._prefix = f"dominium-dice-1\n{match}\n{seq}\n{salt}\n"
        self._block = 0
        self._buffer = b""

    def word(self) -> int:
        """The next 32 bits of the stream."""
        if not self._buffer:
            message = f"{self._prefix}{self._block}".encode()
            self._buffer = hmac.digest(self._secret, message, "sha256")
            self._block += 1
        head, self._buffer = self._buffer[:4], self._buffer[4:]
        return int.from_bytes(head, "big")

    def below(self, n: int) -> int:
        """A uniform number 0 <= x < n, for 1 <= n <= 2**32. Raises ValueError for any other n."""
        if not 1 <= n <= _WORD:
            raise ValueError(f"cannot draw below {n}")
        limit = _WORD - _WORD % n
        while (x := self.word()) >= limit:
            pass
        return x % n

    def die(self, sides: int = 6) -> int:
        """One roll of a die: 1 to `sides`."""
        return 1 + self.below(sides)

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, each as likely as the others."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """All items in random order (Fisher and Yates, from the last place down)."""
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)


@dataclass(frozen=True, slots=True, repr=False)
class Sealed:
    """A match's secret with what is public about it; hands out the dice of each log entry."""

    secret: bytes
    match: str
    salt: str

    def __post_init__(self) -> None:
        if not (self.match.isprintable() and self.salt.isprintable()):
            raise ValueError("match and salt are single lines of printable signs")

    def __repr__(self) -> str:
        return f"Sealed(match={self.match!r}, salt={self.salt!r})"  # never the secret: it may be logged

    @property
    def commitment(self) -> str:
        """What is published at the start."""
        return commitment(self.secret)

    def dice(self, seq: int) -> Dice:
        """The dice for log entry `seq`."""
        return Dice(self.secret, self.match, seq, self.salt)
