"""Judge whether a reading accounts for all that was typed.

A player who types a number expects it to count. So a text is played only if every letter and digit of it lies
in a part that the game has given a meaning to, or knows to have none, such as "please". What is left over
stops the whole text before anything is played. `Game.parse` applies this to every game.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

Span: TypeAlias = "tuple[int, int]"
"""Where a part of a text begins and ends."""
MAX_QUOTED: Final = 24
"""Maximum length of a part that is quoted in a refusal, in characters."""


def left_over(text: str, spans: Iterable[Span]) -> Span | None:
    """Return the span of the first letters and digits of a text that no span covers; None if all are covered.

    Punctuation and blanks needn't be covered; what is left over ends at the next of them.
    """
    covered = bytearray(len(text))
    for start, end in spans:
        covered[start:end] = b"\x01" * (min(end, len(text)) - start)
    bare = [char.isalnum() and not covered[at] for at, char in enumerate(text)]
    if not any(bare):
        return None
    start = bare.index(True)
    return start, next((at for at in range(start, len(text)) if not bare[at]), len(text))
