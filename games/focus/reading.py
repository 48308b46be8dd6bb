"""What a typed text says, before anybody asks whether it is possible.

A text is spaces, links between them, verbs of the reserve and a few words that say nothing. One word or
sign that is none of these makes the whole text conversation: a chat about e4 is no move.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from games.engine.notation import Word, words

_VERBS: Final = ("reserve", "place", "put", "add", "drop")
_LINKS: Final = frozenset(("to", "x", "onto", "takes", "on", "at", "into"))
_LINK_SIGNS: Final = frozenset("->=–—−‒―‐‑→⇒⟶➔➜➡×:/")
_FILLERS: Final = frozenset(
    ("i", "my", "the", "a", "from", "move", "moves", "play", "plays", "please", "pls", "piece", "pile")
)
_DECORATION: Final = frozenset("`*_~\"'“”„‘’«»()[]{}!.,\ufe0f")
_GLUED: Final = {"x": "l", "to": "l", "r": "v"}
"""What may stand before a file without a space: `e4xe6`, `rc4`."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part: `s` a space ("e4"), `h` half of one ("e" or "4"), `l` a link, `v` a verb of the reserve."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """The parts of a text in order, and how many pieces it wants to move if it says so."""

    parts: tuple[Part, ...]
    count: int | None = None
    count_span: tuple[int, int] = (0, 0)

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
        """Whether the text is a whole move, be it possible or not."""
        return self.shape in ("ss", "sls", "vs", "vls")


def read(text: str) -> Reading | None:
    """The parts of a text; None for conversation. An empty text has no parts."""
    offset = len(text) - len(text.lstrip())
    found = words(text.strip())
    parts: list[Part] = []
    count: Word | None = None
    at = 0
    while at < len(found):
        word = found[at]
        follower = found[at + 1] if at + 1 < len(found) else None
        if word.text.isdecimal() and not parts and count is None and follower is not None:
            count = word
            at += 2 if follower.text == ":" else 1
            continue
        more, used = _part(word, follower, parts)
        if more is None:
            return None
        parts += more
        at += used
    parts = _tidy([Part(p.kind, p.text, p.start + offset, p.end + offset) for p in parts])
    if found and (not parts or parts[0].kind == "h" or (count and len(count.text) > 3)):
        return None
    if len(parts) == 1 and parts[0].kind == "v" and parts[0].text == "r":
        return None
    if len(parts) == 2 and parts[0].kind == "v" and parts[1].text.isdecimal():
        return None  # "+1" is what people say when they agree
    if count is None:
        return Reading(tuple(parts))
    return Reading(tuple(parts), int(count.text), (count.start + offset, count.end + offset))


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
        if tight or text <= "h":
            return [Part("s", f"{text}{int(follower.text)}", word.start, follower.end)], 2
    if text in _LINK_SIGNS or text in _LINKS:
        return [Part("l", text, word.start, word.end)], 1
    if text == "+" or text == "r" or (len(text) > 1 and any(verb.startswith(text) for verb in _VERBS)):
        return [Part("v", text, word.start, word.end)], 1
    if text in _DECORATION or (text in _FILLERS and (text != "a" or follower is not None)):
        return [], 1
    if text.isdecimal():
        return ([Part("h", text, word.start, word.end)], 1) if text in _RANKS and before else (None, 1)
    if len(text) == 1 and "a" <= text <= "h":
        return [Part("h", text, word.start, word.end)], 1
    return _glued(word, follower)


_RANKS: Final = frozenset("12345678")


def _glued(word: Word, follower: Word | None) -> tuple[list[Part] | None, int]:
    head, file = word.text[:-1], word.text[-1:]
    if head not in _GLUED or not "a" <= file <= "z":
        return None, 1
    cut = word.end - 1
    first = Part(_GLUED[head], head, word.start, cut)
    if follower is not None and follower.text.isdecimal() and len(follower.text) < 3:
        return [first, Part("s", f"{file}{int(follower.text)}", cut, follower.end)], 2
    return ([first, Part("h", file, cut, word.end)], 1) if file <= "h" else (None, 1)


def _tidy(parts: list[Part]) -> list[Part]:
    """Several links in a row are one; links at the start, and after a whole move, say nothing."""
    tidy: list[Part] = []
    for part in parts:
        if part.kind != "l" or (tidy and tidy[-1].kind != "l"):
            tidy.append(part)
    if len(tidy) > 2 and tidy[-1].kind == "l":
        tidy.pop()
    return tidy
