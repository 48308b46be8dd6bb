"""Clean up a typed text before a game parses it: remove Discord's markup, and the `?` of an attempt."""

from __future__ import annotations

from collections.abc import Iterable

from games.engine import normalization
from games.engine.notation import words

MAX_LENGTH = 2000
"""Maximum length of a text to clean up, in characters: that of a Discord message."""
_PAIRS = ("```", "**", "__", "~~", "||", "`")
_EDGES = " \t\r\n*_~|\u200b\u200c\u200d\u2060\ufeff"


def strip_markup(text: str) -> tuple[str, bool]:
    """Return the text without markup, and whether it is an attempt (`?e4-e6`). Too long texts stay as is."""
    bare = text.strip(_EDGES)
    if len(bare) > MAX_LENGTH:
        return bare, False
    for pair in _PAIRS:
        bare = _without(bare, pair)
    bare = bare.strip(_EDGES)
    if bare.startswith("> "):
        bare = bare[2:].strip(_EDGES)
    if bare.startswith("?"):
        return bare.lstrip("?").strip(_EDGES), True
    return bare, False


def _without(text: str, mark: str) -> str:
    """Return a text without a mark. Two numbers that it keeps apart don't become one: `1||5||` isn't 15."""
    bare, *more = text.split(mark)
    for piece in more:
        apart = bare[-1:].isdecimal() and piece[:1].isdecimal()
        bare += f" {piece}" if apart else piece
    return bare


def normalized(text: str) -> str:
    """Return a text without case and separators: `E4 > e6` and `e4-e6` both become `e4e6`."""
    return "".join(
        word.text
        for word in words(normalization.normalized(text).text)
        if word.text not in {"-", ">", ":", ",", ".", "–", "—", "→"}
    )


def completions(prefix: str, candidates: Iterable[str], limit: int) -> tuple[str, ...]:
    """Return up to `limit` candidates: those that begin with the prefix, then those that contain it.

    Case and separators don't matter.
    """
    wanted = normalized(prefix)
    begin: list[str] = []
    contain: list[str] = []
    for candidate in candidates:
        plain = normalized(candidate)
        if plain.startswith(wanted):
            begin.append(candidate)
            if len(begin) >= limit:
                break
        elif wanted in plain and len(contain) < limit:
            contain.append(candidate)
    return tuple((begin + contain)[:limit])
