"""Texts about the spaces of a board: what games whose moves are typed as spaces read in the same way.

A text becomes parts: spaces, links between them, and what a game adds. A game whose reader meets one word
that is no part takes the whole text for conversation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from games.engine.notation import Word, words

LINKS: Final = frozenset(("to", "x", "onto", "takes", "on", "at", "into"))
LINK_CHARACTERS: Final = frozenset("->=–—−‒―‐‑→⇒⟶➔➜➡×:/")
DECORATION: Final = frozenset("`*_~\"'“”„‘’«»()[]{}!.,\ufe0f")
"""Signs that say nothing."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part: `s` a space ("e4"), `h` half of one ("e" or "4"), `l` a link; others are a game's own."""

    kind: str
    text: str
    start: int
    end: int


Parts: TypeAlias = "tuple[list[Part] | None, int]"
"""The parts that begin with a word, and how many words they take; None if it is no part."""


@dataclass(frozen=True, slots=True)
class ParsedText:
    """The parts of a text in order."""

    parts: tuple[Part, ...]

    @property
    def shape(self) -> str:
        """The kinds of the parts: `sls` for "e4-e6"."""
        return "".join(part.kind for part in self.parts)

    @property
    def spaces(self) -> tuple[Part, ...]:
        """The spaces among the parts."""
        return tuple(part for part in self.parts if part.kind == "s")

    @property
    def span(self) -> tuple[int, int]:
        """From the first part to the last."""
        return (self.parts[0].start, self.parts[-1].end) if self.parts else (0, 0)

    @property
    def complete(self) -> bool:
        """Whether the text is a whole action, be it possible or not; a space alone may be a remark."""
        return self.shape in ("ss", "sls", "vs", "vls")


def stripped_words(text: str) -> tuple[Word, ...]:
    """The words of a text with blanks around it left out of its length, not of the places of its words."""
    offset = len(text) - len(text.lstrip())
    found = words(text.strip())
    return tuple(Word(w.text, w.start + offset, w.end + offset) for w in found) if offset else found


def scan(
    found: tuple[Word, ...], begin: Callable[[Word, Word | None, list[Part]], Parts]
) -> list[Part] | None:
    """The parts of some words; None if one is no part. `begin` gets a word, the next, the parts so far."""
    parts: list[Part] = []
    at = 0
    while at < len(found):
        more, used = begin(found[at], found[at + 1] if at + 1 < len(found) else None, parts)
        if more is None:
            return None
        parts += more
        at += used
    return _tidy(parts)


def is_space(letters: Word, digits: Word | None) -> bool:
    """Whether two words are the letter and the number of a space, on whatever board."""
    if digits is None or not digits.text.isdecimal() or len(digits.text) > 2:
        return False
    return len(letters.text) == 1 and "a" <= letters.text <= "z"


def space_part(letters: Word, digits: Word) -> Part:
    """The space that they name."""
    return Part("s", f"{letters.text}{int(digits.text)}", letters.start, digits.end)


def mentioned_spaces(text: str) -> list[str]:
    """Every space that a text names, in order, whatever else it says."""
    return [a.text + b.text for a, b in pairwise(words(text)) if is_space(a, b) and a.end == b.start]


def prefixed_space(
    word: Word, follower: Word | None, heads: Mapping[str, str], halves: frozenset[str]
) -> Parts:
    """A space's letter with something before it and no blank between: `xd4`, `rc4`.

    `heads` says which kind of part may stand there; a letter alone is half a space if it is in `halves`.
    """
    head, letter = word.text[:-1], word.text[-1:]
    if head not in heads or not "a" <= letter <= "z":
        return None, 1
    cut = word.end - 1
    first = Part(heads[head], head, word.start, cut)
    if follower is not None and is_space(Word(letter, cut, word.end), follower):
        return [first, space_part(Word(letter, cut, word.end), follower)], 2
    return ([first, Part("h", letter, cut, word.end)], 1) if letter in halves else (None, 1)


def _tidy(parts: list[Part]) -> list[Part]:
    """Several links in a row are one; links at the start, and after a whole move, say nothing."""
    tidy: list[Part] = []
    for part in parts:
        if part.kind != "l" or (tidy and tidy[-1].kind != "l"):
            tidy.append(part)
    if len(tidy) > 2 and tidy[-1].kind == "l":
        tidy.pop()
    return tidy
