"""What a typed text says, before anybody asks whether it is possible.

A text is spaces, links between them, the verbs spawn and move, and a few words that say nothing. One word or
sign that is none of these makes the whole text conversation: a chat about d4 is no action.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from games.engine.notation import Word, words

_SPAWNS: Final = frozenset(("+", "s", "sp", "spawn", "spawns", "enter", "place", "put", "add", "drop"))
_MOVES: Final = frozenset(("move", "moves", "mv", "step"))
_LINKS: Final = frozenset(("to", "x", "onto", "on", "at", "into", "takes"))
_LINK_SIGNS: Final = frozenset("->=–—−‒―‐‑→⇒⟶➔➜➡×:/")
_FILLERS: Final = frozenset(("i", "my", "the", "a", "from", "play", "plays", "please", "pls", "piece", "new"))
_DECORATION: Final = frozenset("`*_~\"'“”„‘’«»()[]{}!.,\ufe0f")
_GLUED: Final = {"x": "l", "to": "l", "s": "v"}
"""What may stand before a space's letter without a gap: `c3xd4`, `sa1`."""
_LETTERS: Final = frozenset("abcdefghi")
"""Rows or files of the largest board."""
_DIGITS: Final = frozenset("123456789")


@dataclass(frozen=True, slots=True)
class Part:
    """`s` a space ("d4"), `h` half of one ("d" or "4"), `l` a link, `v` the verb spawn, `m` the verb move."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """The parts of a text in order."""

    parts: tuple[Part, ...]

    @property
    def shape(self) -> str:
        """The kinds of the parts: `sls` for "c3-d4"; a verb move before a space says nothing more."""
        kinds = "".join(part.kind for part in self.parts)
        return kinds[1:] if kinds.startswith("ms") else kinds

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


def read(text: str) -> Reading | None:
    """The parts of a text; None for conversation. An empty text has no parts."""
    offset = len(text) - len(text.lstrip())
    found = words(text.strip())
    parts: list[Part] = []
    at = 0
    while at < len(found):
        more, used = _part(found[at], found[at + 1] if at + 1 < len(found) else None, parts)
        if more is None:
            return None
        parts += more
        at += used
    parts = _tidy([Part(p.kind, p.text, p.start + offset, p.end + offset) for p in parts])
    if found and (not parts or parts[0].kind == "h"):
        return None
    if len(parts) == 1 and (parts[0].text == "s" or (parts[0].kind == "m" and len(found) > 1)):
        return None
    if len(parts) == 2 and parts[0].kind in "vm" and parts[1].text.isdecimal():
        return None  # "+1" is what people say when they agree
    return Reading(tuple(parts))


def mentioned(text: str) -> list[str]:
    """Every space that a text names, in order, whatever else it says."""
    found = words(text)
    return [a.text + b.text for a, b in pairwise(found) if _is_space(a, b) and a.end == b.start]


def _is_space(letters: Word, digits: Word | None) -> bool:
    if digits is None or not digits.text.isdecimal() or len(digits.text) > 2:
        return False
    return len(letters.text) == 1 and "a" <= letters.text <= "z"


def _part(word: Word, follower: Word | None, before: list[Part]) -> tuple[list[Part] | None, int]:
    """The parts that begin with a word, and how many words they take; None if it is no part."""
    text = word.text
    if _is_space(word, follower) and follower is not None:
        tight = word.end == follower.start
        if tight or text in _LETTERS:
            return [Part("s", f"{text}{int(follower.text)}", word.start, follower.end)], 2
    if text in _LINK_SIGNS or text in _LINKS:
        return [Part("l", text, word.start, word.end)], 1
    if text in _SPAWNS:
        return [Part("v", text, word.start, word.end)], 1
    if text in _MOVES:
        return [Part("m", text, word.start, word.end)], 1
    if text in _DECORATION or (text in _FILLERS and not (text in _LETTERS and before and follower is None)):
        return [], 1
    if before and (text in _LETTERS or text in _DIGITS):
        return [Part("h", text, word.start, word.end)], 1
    return _glued(word, follower)


def _glued(word: Word, follower: Word | None) -> tuple[list[Part] | None, int]:
    head, letter = word.text[:-1], word.text[-1:]
    if head not in _GLUED or not "a" <= letter <= "z":
        return None, 1
    cut = word.end - 1
    first = Part(_GLUED[head], head, word.start, cut)
    if follower is not None and follower.text.isdecimal() and len(follower.text) < 3:
        return [first, Part("s", f"{letter}{int(follower.text)}", cut, follower.end)], 2
    half = head != "s" and letter in _LETTERS  # "si" is a word
    return ([first, Part("h", letter, cut, word.end)], 1) if half else (None, 1)


def _tidy(parts: list[Part]) -> list[Part]:
    """Several links in a row are one; links at the start, and after a whole move, say nothing."""
    tidy: list[Part] = []
    for part in parts:
        if part.kind != "l" or (tidy and tidy[-1].kind != "l"):
            tidy.append(part)
    if len(tidy) > 2 and tidy[-1].kind == "l":
        tidy.pop()
    return tidy
