"""Ids of matches: `F-7K2`, short enough to be said aloud, without signs that look or sound alike."""

from __future__ import annotations

from matches.ports import Entropy

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without 0 O, 1 I L, and U, which is mistaken for V."""
SHORTEST = 3
TRIES = 4
"""How many ids of one length are tried before longer ones."""


def new_id(code: str, entropy: Entropy, attempt: int) -> str:
    """An id for a game's letter; from the TRIES-th collision on it gets longer."""
    size = SHORTEST + attempt // TRIES
    return f"{code}-{''.join(ALPHABET[byte % len(ALPHABET)] for byte in entropy.token(size))}"


def read_id(text: str) -> str | None:
    """The id that a person means by `f7k2`, `F-7K2` or `#f 7k2`; None if it can't be one."""
    signs = [sign for sign in text[:24].upper() if sign.isascii() and sign.isalnum()]
    if len(signs) <= SHORTEST or not signs[0].isalpha() or any(sign not in ALPHABET for sign in signs[1:]):
        return None
    return f"{signs[0]}-{''.join(signs[1:])}"
