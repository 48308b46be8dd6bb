"""Clean up a typed text before a game parses it: remove Discord's markup, and the `?` of an attempt."""

from __future__ import annotations

import re
from collections.abc import Iterable
from unicodedata import category

from games.engine.normalization import is_invisible, normalized
from games.engine.notation import words

MAX_LENGTH = 2000
"""Maximum length of a typed move, in characters: that of a Discord message."""
_ATTEMPTS = ("?", "？", "؟")
_PAIRS = ("```", "**", "__", "~~", "||", "`")
_EDGES = " \t\r\n*_~|"
_EMOJI = re.compile(r"<a?:\w{1,32}:[0-9]{1,20}>", re.ASCII)
"""A server's own emoji (https://docs.discord.com/developers/reference#message-formatting-formats)."""


def strip_markup(text: str) -> tuple[str, bool]:
    """Return the text without markup, and whether it is an attempt (`?e4-e6`). Too long texts stay as is."""
    bare = _trimmed(text)
    if len(bare) > MAX_LENGTH:
        return bare, False
    for pair in _PAIRS:
        bare = _without(bare, pair)
    bare = _trimmed(bare)
    bare = _trimmed(_EMOJI.sub(" ", bare)) or bare
    if bare.startswith("> "):
        bare = _trimmed(bare[2:])
    if bare.startswith(_ATTEMPTS):
        return _trimmed(bare.lstrip("".join(_ATTEMPTS))), True
    return bare, False


def _trimmed(text: str) -> str:
    """Return a text without blanks, markup and what can't be seen around it."""
    start, end = 0, len(text)
    while start < end and _is_edge(text[start]):
        start += 1
    while start < end and _is_edge(text[end - 1]) and not category(text[end - 1]).startswith("M"):
        end -= 1
    return text[start:end]


def _is_edge(char: str) -> bool:
    return char in _EDGES or char.isspace() or (not char.isascii() and is_invisible(char))


def _without(text: str, mark: str) -> str:
    """Return a text without a mark. Two numbers that it keeps apart don't become one: `1||5||` isn't 15."""
    bare, *more = text.split(mark)
    for piece in more:
        apart = bare[-1:].isdecimal() and piece[:1].isdecimal()
        bare += f" {piece}" if apart else piece
    return bare


def without_separators(text: str) -> str:
    """Return a text as it is compared with legal moves: `E4 > e6` and `e4-e6` both become `e4e6`."""
    return "".join(
        word.text for word in words(normalized(text).text) if word.text not in {"-", ">", ":", ",", ".", "→"}
    )


def completions(prefix: str, candidates: Iterable[str], limit: int) -> tuple[str, ...]:
    """Return up to `limit` candidates: those that begin with the prefix, then those that contain it.

    Case and separators don't matter.
    """
    wanted = without_separators(prefix)
    begin: list[str] = []
    contain: list[str] = []
    for candidate in candidates:
        plain = without_separators(candidate)
        if plain.startswith(wanted):
            begin.append(candidate)
            if len(begin) >= limit:
                break
        elif wanted in plain and len(contain) < limit:
            contain.append(candidate)
    return tuple((begin + contain)[:limit])
