"""Reading what people type: hand-written scanning, length capped first, and "did you mean".

No regular expression sees a player's text: its worst case would be the player's to choose.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from unicodedata import normalize

MAX_LENGTH = 120
"""Longer texts are conversation, whatever they contain, but where a game has longer orders."""


def too_long(text: str, most: int = MAX_LENGTH) -> bool:
    """Whether a text is conversation for its length alone; blanks around it don't count."""
    return len(text) > most and len(text.strip()) > most


@dataclass(frozen=True, slots=True)
class Word:
    """A run of letters, a run of digits, or one other sign, lower-cased, with its place in the text."""

    text: str
    start: int
    end: int


def _plain(text: str) -> str:
    """Sign by sign the plain form where that is one sign too, so that places stay what they are."""
    if text.isascii():
        return text
    return "".join(plain if len(plain := normalize("NFKC", sign)) == 1 else sign for sign in text)


def words(text: str, most: int = MAX_LENGTH) -> tuple[Word, ...]:
    """Split a text: `"E4 x e6!"` gives e, 4, x, e, 6, !. Spaces separate and vanish.

    At most so many signs are read. Full-width signs, as East Asian keyboards send them, are read as
    their plain forms.
    """
    found: list[Word] = []
    text = _plain(text[:most])
    at = 0
    while at < len(text):
        sign = text[at]
        end = at + 1
        if sign.isspace():
            at = end
            continue
        if sign.isalpha():
            while end < len(text) and text[end].isalpha():
                end += 1
        elif sign.isdecimal():
            while end < len(text) and text[end].isdecimal():
                end += 1
        found.append(Word(text[at:end].casefold(), at, end))
        at = end
    return tuple(found)


def nearest(text: str, candidates: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The candidates most like the text, best first; ties stay in the candidates' order.

    Looks at 24 characters of the text at most, so that a long text costs no more than a short one.
    """
    wanted = _plain("".join(text[:MAX_LENGTH].split())[:24]).casefold()
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    scored: list[tuple[float, int, str]] = []
    for index, candidate in enumerate(candidates):
        matcher.set_seq1(candidate.casefold())
        if matcher.real_quick_ratio() >= 0.3 and matcher.quick_ratio() >= 0.3:
            scored.append((-matcher.ratio(), index, candidate))
    return tuple(candidate for _, _, candidate in sorted(scored)[:limit])
