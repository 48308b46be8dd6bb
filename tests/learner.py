"""A person who knows no rule and follows only what the bot says: reads, and chooses what was named.

Of the moves that a step offers they try the one that the message names, or else the one of which most words
stand in it. What is said of a wrong answer is read as well, and nothing is tried twice.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

_WORD = re.compile(r"[a-z]+\d+|\d+|[a-z]+")


def next_try(message: str, offered: Sequence[str], tried: Collection[str]) -> str:
    """Return the move to try next. Raises ValueError if all that are offered were tried."""
    text = message.lower()
    read = set(_WORD.findall(text))

    def named(move: str) -> tuple[bool, float]:
        words = _WORD.findall(move.lower())
        return move.lower() in text, sum(word in read for word in words) / max(1, len(words))

    left = [each for each in offered if each not in tried]
    return max(left, key=named)
