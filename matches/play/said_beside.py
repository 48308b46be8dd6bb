"""Find the legal move in a text that says at most a few words beside it, so that its author can be asked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from games.engine.game import AnyGame, Done, Seat
from games.engine.normalization import normalized
from games.engine.notation import words

MAX_BESIDE = 3
"""Maximum number of words beside a move about which its author is asked, or of symbols; more are talk."""
_WITHIN = "'’"
"""Symbols within words."""
_MAX_WORDS = 24
"""Maximum number of words and symbols of such a text."""


async def move_in(game: AnyGame, view: Any, seat: Seat, text: str) -> str | None:
    """Return the one legal move in a text that isn't one, as `parse` reads it; None if it is talk.

    Words are left out at the beginning, at the end, or at one place between; the fewest that will do. Others
    get their turn between any two attempts.
    """
    plain = normalized(text).text
    found = _chunks(plain)
    if len(found) > _MAX_WORDS:
        return None
    said_at = [any(char.isalnum() for char in plain[start:end]) for start, end in found]
    for start, first, last, end in _cuts(len(found)):
        beside = [*said_at[:start], *said_at[first:last], *said_at[end:]]
        if sum(beside) > MAX_BESIDE or len(beside) - sum(beside) > MAX_BESIDE:
            continue
        parts = [(start, end)] if first == last else [(start, first), (last, end)]
        less = " ".join(plain[found[a][0] : found[b - 1][1]] for a, b in parts if a < b)
        await asyncio.sleep(0)
        said = game.parse(view, seat, less)
        if isinstance(said, Done):
            return less if said.script is not None else game.format(view, said.action)
    return None


def _chunks(text: str) -> list[tuple[int, int]]:
    """Return the spans of words, numbers and symbols; `don't` is one word, and `...` one sign."""
    spans: list[tuple[int, int]] = []
    for word in words(text, len(text)):
        if spans and spans[-1][1] == word.start and not text[spans[-1][0]].isdigit():
            start, end = spans[-1]
            symbols = not any(char.isalnum() for char in text[start : word.end])
            within = text[end - 1] in _WITHIN and text[start].isalpha() and word.text.isalpha()
            after = word.text in _WITHIN and text[start].isalpha()
            if symbols or within or (after and text[word.end : word.end + 1].isalpha()):
                spans[-1] = (start, word.end)
                continue
        spans.append((word.start, word.end))
    return spans


def _cuts(length: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield what stays, as two slices, for each way to leave out words: few before many."""
    for count in range(1, min(2 * MAX_BESIDE, length - 1) + 1):
        for before in range(count + 1):
            yield before, before, before, length - (count - before)
        for at in range(1, length - count) if count <= MAX_BESIDE else ():
            yield 0, at, at + count, length
