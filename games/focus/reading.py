"""Split a typed text into parts, without asking whether it is legal.

Parts are spaces, links between them, verbs of the reserve and a few ignored words. Any other word or
character makes the whole text chat: a remark about e4 is not a move.
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

_VERBS: Final = ("reserve", "place", "put", "add", "drop")
_FILLERS: Final = frozenset(
    ("i", "my", "the", "a", "from", "move", "moves", "play", "plays", "please", "pls", "piece", "pile")
)
_PREFIXES: Final = {"x": "l", "to": "l", "r": "v"}
"""Words that may be joined to a file, and their kind of part: `e4xe6`, `rc4`."""
_NONE: Final[frozenset[str]] = frozenset()
_FILES: Final = frozenset("abcdefgh")
_RANKS: Final = frozenset("12345678")


@dataclass(frozen=True, slots=True)
class FocusText(space_notation.ParsedText):
    """A scanned text; kind `v` is a verb of the reserve. `count` is the number of pieces, if stated."""

    count: int | None = None
    count_span: tuple[int, int] = (0, 0)


def read(text: str) -> FocusText | None:
    """Return the parts of a text; None for chat. An empty text has no parts."""
    found = space_notation.stripped_words(text)
    count: Word | None = None

    def parts_at(word: Word, follower: Word | None, before: list[Part]) -> Parts:
        nonlocal count
        if word.text.isdecimal() and not before and count is None and follower is not None:
            count = word
            return [], 2 if follower.text == ":" else 1
        return _part(word, follower, before)

    scanned = space_notation.scan(found, _FILES, parts_at)
    if scanned is None:
        return None
    parts, ignored = scanned
    if found and (not parts or parts[0].kind == "h" or (count and len(count.text) > 3)):
        return None
    if len(parts) == 1 and parts[0].kind == "v" and parts[0].text == "r":
        return None
    if len(parts) == 2 and parts[0].kind == "v" and parts[1].text.isdecimal():
        return None  # "+1" is a way to agree in chat
    if count is None:
        return FocusText(tuple(parts), ignored=ignored)
    return FocusText(tuple(parts), int(count.text), (count.start, count.end), ignored=ignored)


def _part(word: Word, follower: Word | None, before: list[Part]) -> Parts:
    """Return the parts that begin at a word (None if it is not a part), and the number of words they take."""
    text = word.text
    if follower is not None and word.end == follower.start:
        whole = prefixed_space(word, follower, _PREFIXES, _NONE)
        if whole[0] is not None:
            return whole  # before the verbs: `re4` is a reserve piece on e4, though "re" begins "reserve"
    if text in LINK_CHARACTERS or text in LINKS:
        return [Part("l", text, word.start, word.end)], 1
    if text == "+" or text == "r" or (len(text) > 1 and any(verb.startswith(text) for verb in _VERBS)):
        return [Part("v", text, word.start, word.end)], 1
    if text in DECORATION or (text in _FILLERS and (text not in _FILES or precedes(follower))):
        return [], 1
    if text.isdecimal():
        return ([Part("h", text, word.start, word.end)], 1) if text in _RANKS and before else (None, 1)
    if text in _FILES:
        return [Part("h", text, word.start, word.end)], 1
    return prefixed_space(word, follower, _PREFIXES, _FILES)
