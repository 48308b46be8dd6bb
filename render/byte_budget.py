"""The byte budget of map pictures: the finest detail of an author's picture that can be sent.

The detail is chosen for a board and a theme, so that pictures don't change from turn to turn. It is measured
on the very bytes that would be sent, for two positions that compress badly: one without any army, and one in
which neighbours belong to different seats. Detail is given up first, then size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from games.engine.message import Msg
from games.engine.scene import Map
from render import map_picture
from render.cache import Cache
from render.detail_levels import LEVEL_COUNT
from render.layouts import without_bytes
from render.map_artwork import artwork
from render.png import LARGE_QUICK_LIMIT, encode

BUDGET: Final = 120_000
"""Maximum size of a picture of a map, in bytes."""
_RESERVE: Final = 19_000
"""Bytes kept for the seats below a map, and for positions larger than those that are measured."""


@dataclass(frozen=True, slots=True)
class Detail:
    """How large and how finely a board is drawn."""

    scale: float
    """Size of the picture, as a share of its usual size."""
    level: int
    """Level of detail of the author's picture; 0 is the finest."""


FINEST: Final = Detail(1.0, 0)
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


def finest_detail(board: Map, say: Callable[[Msg], str], theme: str, unit: int) -> Detail:
    """Return the finest detail at which the pictures of a board fit the budget, measured once."""
    seen = artwork(board, unit)
    if seen is None or seen.picture is None:
        return FINEST
    return _details.get((without_bytes(board), unit, theme), partial(_measured, board, say, theme, unit))


def coarser(than: Detail) -> Iterator[Detail]:
    """Yield `than` and all coarser details."""
    rows = [each for row in _DETAILS for each in row]
    yield from rows[rows.index(than) :]


def _measured(board: Map, say: Callable[[Msg], str], theme: str, unit: int) -> Detail:
    """Take the largest scale whose coarsest level fits, and search its levels for the finest that does."""

    def fits(one: Detail) -> bool:
        pictures = map_picture.worst_cases(board, say, theme, round(unit * one.scale), one.level)
        return all(len(encode(each, LARGE_QUICK_LIMIT)) <= BUDGET - _RESERVE for each in pictures)

    row = next((row for row in _DETAILS if fits(row[-1])), _DETAILS[-1])
    low, high = 0, len(row) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(row[middle]) else (middle + 1, high)
    return row[low]
