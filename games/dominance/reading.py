"""Split a typed text into parts, without asking whether it is legal.

Parts are spaces, links between them, the verbs spawn and move, and a few ignored words. Any other word or
character makes the whole text chat: a remark about d4 is not an action.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.engine import space_notation
from games.engine.notation import Word
from games.engine.space_notation import (
    DECORATION,
    LINK_CHARACTERS,
    LINKS,
    Part,
    Parts,
    precedes,
    prefixed_space,
)

_SPAWNS: Final = frozenset(("+", "s", "sp", "spawn", "spawns", "enter", "place", "put", "add", "drop"))
_MOVES: Final = frozenset(("move", "moves", "mv", "step"))
_FILLERS: Final = frozenset(("i", "my", "the", "a", "from", "play", "plays", "please", "pls", "piece", "new"))
_PREFIXES: Final = {"x": "l", "to": "l", "s": "v"}
"""Words that may be joined to a space's letter, and their kind of part: `c3xd4`, `sa1`."""
_LETTERS: Final = frozenset("abcdefghi")
"""Letters of the largest board's rows or files."""
_NONE: Final[frozenset[str]] = frozenset()
_DIGITS: Final = frozenset("123456789")


@dataclass(frozen=True, slots=True)
class DominanceText(space_notation.ParsedText):
    """A scanned text; kind `v` is the verb spawn, `m` the verb move."""

    @property
    def shape(self) -> str:
        """The kinds of the parts: `sls` for "c3-d4"; the verb move before a space is dropped."""
        kinds = "".join(part.kind for part in self.parts)
        return kinds[1:] if kinds.startswith("ms") else kinds


def read(text: str) -> DominanceText | None:
    """Return the parts of a text; None for chat. An empty text has no parts."""
    found = space_notation.stripped_words(text)
    scanned = space_notation.scan(found, _LETTERS, _part)
    if scanned is None:
        return None
    parts, ignored = scanned
    if found and (not parts or parts[0].kind == "h"):
        return None
    if len(parts) == 1 and (parts[0].text == "s" or (parts[0].kind == "m" and len(found) > 1)):
        return None
    if len(parts) == 2 and parts[0].kind in "vm" and parts[1].text.isdecimal():
        return None  # "+1" is a way to agree in chat
    return DominanceText(tuple(parts), ignored=ignored)


def _part(word: Word, follower: Word | None, before: list[Part]) -> Parts:
    """Return the parts that begin at a word (None if it is not a part), and the number of words they take."""
    text = word.text
    if text in LINK_CHARACTERS or text in LINKS:
        return [Part("l", text, word.start, word.end)], 1
    if text in _SPAWNS:
        return [Part("v", text, word.start, word.end)], 1
    if text in _MOVES:
        return [Part("m", text, word.start, word.end)], 1
    if text in DECORATION or (text in _FILLERS and (text not in _LETTERS or precedes(follower))):
        return [], 1
    if before and (text in _LETTERS or text in _DIGITS):
        return [Part("h", text, word.start, word.end)], 1
    return prefixed_space(word, follower, _PREFIXES, _NONE if text[0] == "s" else _LETTERS)  # "si" is a word
