"""The byte budget of map pictures: the finest detail of an author's picture that can be sent.

The detail is chosen for a board and a theme, so that pictures don't change from turn to turn. It is measured
on the very bytes that would be sent, for two positions that compress badly: one without any army, and one in
which neighbours belong to different seats. Detail is given up first, then size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from games.engine.message import Msg
from games.engine.scene import Map
from render import map_picture
from render.detail_levels import FINEST, LEVEL_COUNT, Detail
from render.geometry_map import without_bytes
from render.map_artwork import artwork
from render.png import NEVER_QUICK, encode
from render.thread_safe_cache import Cache

BUDGET: Final = 120_000
"""Maximum size of a picture of a map, in bytes. Maps that fit when compressed quickly stay so: 105,000 bytes
instead of 81,000 save a third of the time that a picture takes."""
_RESERVE: Final = 19_000
"""Bytes kept for the seats below a map, and for positions larger than those that are measured."""


_DETAILS: Final = tuple(
    tuple(Detail(share, level) for level in levels)
    for share, levels in (
        (1.0, range(LEVEL_COUNT - 2)),
        (0.86, range(3, LEVEL_COUNT - 2)),
        (0.74, range(4, LEVEL_COUNT - 1)),
        (0.62, range(5, LEVEL_COUNT)),
    )
)
"""The details that are tried: by scale, and for each scale from the finest level to the coarsest."""
_details: Cache[tuple[Map, int, str], Detail] = Cache(64)


def details(board: Map, say: Callable[[Msg], str], theme: str, unit: int) -> Iterator[Detail]:
    """Yield the finest detail at which pictures should fit the budget, measured once, and coarser ones."""
    seen, finest = artwork(board, unit), FINEST
    if seen is not None and seen.picture is not None:
        key = (without_bytes(board), unit, theme)
        finest = _details.get(key, partial(_measured, board, say, theme, unit))
    rows = [each for row in _DETAILS for each in row]
    yield from rows[rows.index(finest) :] if board.ground is not None else (finest,)


def _measured(board: Map, say: Callable[[Msg], str], theme: str, unit: int) -> Detail:
    """Take the largest scale whose coarsest level fits, and search its levels for the finest that does."""

    def fits(one: Detail) -> bool:
        pictures = map_picture.worst_cases(board, say, theme, round(unit * one.scale), one.level)
        return all(len(encode(each, NEVER_QUICK)) <= BUDGET - _RESERVE for each in pictures)

    row = next((row for row in _DETAILS if fits(row[-1])), _DETAILS[-1])
    low, high = 0, len(row) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(row[middle]) else (middle + 1, high)
    return row[low]
