"""Split typed text into words, see that all of it is accounted for, and suggest the nearest legal texts.

Scanning is written by hand and the length is limited first. No regular expression runs on a player's text,
because a player could choose its worst case.

A player who types a number expects it to count. So a text is played only if every letter and digit of it lies
in a part that the game has given a meaning to, or knows to have none, such as "please". What is left over
stops the whole text before anything is played. `Game.parse` applies this to every game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, TypeAlias
from unicodedata import category, combining

MAX_LENGTH = 120
"""Maximum length of a typed move, in characters; longer texts are chat. Games may raise it."""


def too_long(text: str, most: int = MAX_LENGTH) -> bool:
    """Return whether a text is longer than `most` characters, not counting blanks around it."""
    return len(text) > most and len(text.strip()) > most


@dataclass(frozen=True, slots=True)
class Word:
    """A run of letters, a run of digits, or one other character, lower-cased, with its span in the text."""

    text: str
    start: int
    end: int


def _is_mark(char: str) -> bool:
    """Return whether a character belongs to the letter before it, as vowels do in Indian scripts."""
    return not char.isascii() and category(char) in ("Mn", "Mc") and combining(char) != 1


def words(text: str, most: int = MAX_LENGTH) -> tuple[Word, ...]:
    """Split a text into words: `"E4 x e6!"` gives e, 4, x, e, 6, !. Blanks only separate words.

    Only the first `most` characters are read; the text is one that was normalised (`normalization`).
    """
    found: list[Word] = []
    text = text[:most]
    at = 0
    while at < len(text):
        char = text[at]
        end = at + 1
        if char.isspace():
            at = end
            continue
        if char.isalpha():
            while end < len(text) and (text[end].isalpha() or _is_mark(text[end])):
                end += 1
        elif char.isdecimal():
            while end < len(text) and text[end].isdecimal():
                end += 1
        found.append(Word(text[at:end].casefold(), at, end))
        at = end
    return tuple(found)


def nearest(text: str, candidates: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Return the candidates most similar to the text, best first; ties keep their order.

    Only the first 24 characters of the text are compared, which bounds the cost.
    """
    wanted = "".join(text[:MAX_LENGTH].split())[:24].casefold()
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    scored: list[tuple[float, int, str]] = []
    for index, candidate in enumerate(candidates):
        matcher.set_seq1(candidate.casefold())
        if matcher.real_quick_ratio() >= 0.3 and matcher.quick_ratio() >= 0.3:
            scored.append((-matcher.ratio(), index, candidate))
    return tuple(candidate for _, _, candidate in sorted(scored)[:limit])


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
