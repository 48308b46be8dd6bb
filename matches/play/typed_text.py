"""Clean up a typed text before a game parses it, and find the one legal move among other words.

Removed are Discord's markup, and the `?` of an attempt. A move with a few words beside it is asked about.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator
from typing import Any
from unicodedata import category

from games.engine.game import AnyGame, Done, Seat
from games.engine.normalization import is_invisible, normalized
from games.engine.notation import words

MAX_LENGTH = 2000
"""Maximum length of a typed move, in characters: that of a Discord message."""
_ATTEMPTS = ("?", "？", "؟")
_PAIRS = ("```", "**", "__", "~~", "||", "`")
_EDGES = " \t\r\n*_~|"
_EMOJI = re.compile(r"<a?:\w{1,32}:[0-9]{1,20}>", re.ASCII)
"""A server's own emoji (https://docs.discord.com/developers/reference#message-formatting-formats)."""
MAX_BESIDE = 3
"""Maximum number of words beside a move about which its author is asked, or of symbols; more are talk."""
_WITHIN = "'’"
"""Symbols within words."""
_MAX_WORDS = 24
"""Maximum number of words and symbols of such a text."""


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


async def move_in(game: AnyGame, view: Any, seat: Seat, text: str) -> str | None:
    """Return the one legal move in a text that isn't one, as `parse` reads it; None if it is talk.

    Words are left out at the beginning, at the end, or at one place between; the fewest that will do. Others
    get their turn between any two attempts.
    """
    plain = normalized(text).text
    found = _chunks(plain)
    if len(found) > _MAX_WORDS:
        return None
    spoken_at = [any(char.isalnum() for char in plain[start:end]) for start, end in found]
    for start, first, last, end in _cuts(len(found)):
        beside = [*spoken_at[:start], *spoken_at[first:last], *spoken_at[end:]]
        if sum(beside) > MAX_BESIDE or len(beside) - sum(beside) > MAX_BESIDE:
            continue
        parts = [(start, end)] if first == last else [(start, first), (last, end)]
        less = " ".join(plain[found[a][0] : found[b - 1][1]] for a, b in parts if a < b)
        await asyncio.sleep(0)
        reading = game.parse(view, seat, less)
        if isinstance(reading, Done):
            return less if reading.script is not None else game.format(view, reading.action)
    return None


def _chunks(text: str) -> list[tuple[int, int]]:
    """Return the spans of words, numbers and symbols; `don't` is one word, and `...` one sign."""
    spans: list[tuple[int, int]] = []
    spoken = False
    for word in words(text, len(text)):
        speaks = any(char.isalnum() for char in text[word.start : word.end])
        if spans and spans[-1][1] == word.start and not text[spans[-1][0]].isdigit():
            start, end = spans[-1]
            symbols = not spoken and not speaks
            within = text[end - 1] in _WITHIN and text[start].isalpha() and word.text.isalpha()
            after = word.text in _WITHIN and text[start].isalpha()
            if symbols or within or (after and text[word.end : word.end + 1].isalpha()):
                spans[-1] = (start, word.end)
                spoken = spoken or speaks
                continue
        spans.append((word.start, word.end))
        spoken = speaks
    return spans


def _cuts(length: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield what stays, as two slices, for each way to leave out words: few before many."""
    for count in range(1, min(2 * MAX_BESIDE, length - 1) + 1):
        for before in range(count + 1):
            yield before, before, before, length - (count - before)
        for at in range(1, length - count) if count <= MAX_BESIDE else ():
            yield 0, at, at + count, length
