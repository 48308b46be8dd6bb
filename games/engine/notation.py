"""Split typed text into words, and suggest the nearest legal texts.

Scanning is written by hand and the length is limited first. No regular expression runs on a player's text,
because a player could choose its worst case.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
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
