"""How much of the picture that a map's author drew can be sent: the finest grain within the budget of bytes.

A grain belongs to the board and the theme, so that a picture doesn't change from turn to turn. It is measured
on the very bytes that would be sent, for two positions that are hard to compress: one in which nobody stands
anywhere, and one in which neighbours belong to different seats. First detail is given up, then size.
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
from render.map_artwork import artwork, without_bytes
from render.png import LARGE_QUICK_LIMIT, encode

BUDGET: Final = 120_000
"""Bytes of any picture of a map."""
_RESERVE: Final = 19_000
"""Bytes that the seats below a map take, and what a position may have more than those that are measured."""


@dataclass(frozen=True, slots=True)
class Detail:
    """How finely a board is drawn."""

    scale: float
    """Of its usual size."""
    level: int
    """Of its author's picture, 0 the finest."""


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
"""By size, from the finest to the coarsest each."""
_details: Cache[tuple[Map, int, str], Detail] = Cache(64)


def finest_detail(board: Map, say: Callable[[Msg], str], theme: str, unit: int) -> Detail:
    """Return the finest grain at which the pictures of a board fit, measured once."""
    seen = artwork(board, unit)
    if seen is None or seen.picture is None:
        return FINEST
    return _details.get((without_bytes(board), unit, theme), partial(_measured, board, say, theme, unit))


def coarser(than: Detail) -> Iterator[Detail]:
    """Yield a grain and all that are coarser."""
    rows = [each for row in _DETAILS for each in row]
    yield from rows[rows.index(than) :]


def _measured(board: Map, say: Callable[[Msg], str], theme: str, unit: int) -> Detail:
    """Take the largest size whose coarsest level fits; then halve the levels down to the finest that does."""

    def fits(one: Detail) -> bool:
        pictures = map_picture.worst_cases(board, say, theme, round(unit * one.scale), one.level)
        return all(len(encode(each, LARGE_QUICK_LIMIT)) <= BUDGET - _RESERVE for each in pictures)

    row = next((row for row in _DETAILS if fits(row[-1])), _DETAILS[-1])
    low, high = 0, len(row) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(row[middle]) else (middle + 1, high)
    return row[low]
