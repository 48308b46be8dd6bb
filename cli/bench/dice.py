"""A draw of the verifiable dice, against the HMAC alone that it takes, in draws per second."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from time import process_time
from typing import Final

from cli.bench.measure import Line, compare
from games.engine.dice import SECRET_BYTES, Sealed

DRAWS = 20_000
"""Draws a round."""
TARGET = 0.5
"""Minimum ratio of draws to bare HMACs."""
SECRET: Final = bytes(range(SECRET_BYTES))
"""The secret of the match whose dice are drawn."""
_MATCH, _SALT = "F-1234", "ann, ben, 1234567890"


def sealed() -> Sealed:
    """Return the dice of the match."""
    return Sealed(SECRET, _MATCH, _SALT)


def message(seq: int) -> bytes:
    """Return what is hashed for the first draw of a log entry: see `games.engine.dice`."""
    return f"dominium-dice-1\n{_MATCH}\n{seq}\n{_SALT}\n0".encode()


def _ours(number: int) -> float:
    """Draw a die for each of many log entries."""
    dice_of, first = sealed().dice, DRAWS * (number + 1)
    begun = process_time()
    for seq in range(first, first + DRAWS):
        dice_of(seq).below(6)
    return DRAWS / (process_time() - begun)


def _theirs(number: int) -> float:
    """Compute as many HMACs of a message as long."""
    digested = message(DRAWS * (number + 1))
    digest = hmac.digest
    begun = process_time()
    for _ in range(DRAWS):
        digest(SECRET, digested, "sha256")
    return DRAWS / (process_time() - begun)


def lines(rounds: int) -> Iterator[Line]:
    """Yield one line."""
    yield compare(
        "a draw of the dice, v its HMAC",
        "draws/s",
        _ours,
        _theirs,
        rounds=rounds,
        target=TARGET,
        better="more",
    )
