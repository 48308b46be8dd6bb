"""What a typed text says, before anybody asks whether it is possible.

A text is spaces, links between them, verbs of the reserve and a few words that say nothing. One word or
sign that is none of these makes the whole text conversation: a chat about e4 is no move.
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
    is_space,
    prefixed_space,
    space_part,
)

_VERBS: Final = ("reserve", "place", "put", "add", "drop")
_FILLERS: Final = frozenset(
    ("i", "my", "the", "a", "from", "move", "moves", "play", "plays", "please", "pls", "piece", "pile")
)
_GLUED: Final = {"x": "l", "to": "l", "r": "v"}
"""What may stand before a file without a space: `e4xe6`, `rc4`."""
_NONE: Final[frozenset[str]] = frozenset()
_FILES: Final = frozenset("abcdefgh")
_RANKS: Final = frozenset("12345678")


@dataclass(frozen=True, slots=True)
class FocusText(space_notation.ParsedText):
    """The parts of a text, `v` a verb of the reserve, and how many pieces it wants to move if it says so."""

    count: int | None = None
    count_span: tuple[int, int] = (0, 0)


def read(text: str) -> FocusText | None:
    """The parts of a text; None for conversation. An empty text has no parts."""
    found = space_notation.stripped_words(text)
    count: Word | None = None

    def begin(word: Word, follower: Word | None, before: list[Part]) -> Parts:
        nonlocal count
        if word.text.isdecimal() and not before and count is None and follower is not None:
            count = word
            return [], 2 if follower.text == ":" else 1
        return _part(word, follower, before)

    parts = space_notation.scan(found, begin)
    if parts is None or (found and (not parts or parts[0].kind == "h" or (count and len(count.text) > 3))):
        return None
    if len(parts) == 1 and parts[0].kind == "v" and parts[0].text == "r":
        return None
    if len(parts) == 2 and parts[0].kind == "v" and parts[1].text.isdecimal():
        return None  # "+1" is what people say when they agree
    if count is None:
        return FocusText(tuple(parts))
    return FocusText(tuple(parts), int(count.text), (count.start, count.end))


def _part(word: Word, follower: Word | None, before: list[Part]) -> Parts:
    """The parts that begin with a word, and how many words they take; None if it is no part."""
    text = word.text
    if follower is not None and is_space(word, follower):
        tight = word.end == follower.start
        if tight or text <= "h":
            return [space_part(word, follower)], 2
    if follower is not None and word.end == follower.start:
        whole = prefixed_space(word, follower, _GLUED, _NONE)
        if whole[0] is not None:
            return whole  # before the verbs: `re4` is a reserve piece on e4, though "re" begins "reserve"
    if text in LINK_CHARACTERS or text in LINKS:
        return [Part("l", text, word.start, word.end)], 1
    if text == "+" or text == "r" or (len(text) > 1 and any(verb.startswith(text) for verb in _VERBS)):
        return [Part("v", text, word.start, word.end)], 1
    if text in DECORATION or (text in _FILLERS and (text != "a" or follower is not None)):
        return [], 1
    if text.isdecimal():
        return ([Part("h", text, word.start, word.end)], 1) if text in _RANKS and before else (None, 1)
    if text in _FILES:
        return [Part("h", text, word.start, word.end)], 1
    return prefixed_space(word, follower, _GLUED, _FILES)
