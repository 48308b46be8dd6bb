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
from render.detail_levels import LEVELS
from render.map_artwork import light, survey
from render.png import ENOUGH, encode

BUDGET: Final = 120_000
"""Bytes of any picture of a map."""
_CARDS: Final = 19_000
"""Bytes that the seats below a map take, and what a position may have more than those that are measured."""


@dataclass(frozen=True, slots=True)
class Grain:
    """How finely a board is drawn."""

    share: float
    """Of its usual size."""
    level: int
    """Of its author's picture, 0 the finest."""


FINEST: Final = Grain(1.0, 0)
_GRAINS: Final = tuple(
    tuple(Grain(share, level) for level in levels)
    for share, levels in (
        (1.0, range(LEVELS - 2)),
        (0.86, range(3, LEVELS - 2)),
        (0.74, range(4, LEVELS - 1)),
        (0.62, range(5, LEVELS)),
    )
)
"""By size, from the finest to the coarsest each."""
_grains: Cache[tuple[Map, int, str], Grain] = Cache(64)


def grain(board: Map, say: Callable[[Msg], str], theme: str, unit: int) -> Grain:
    """Return the finest grain at which the pictures of a board fit, measured once."""
    seen = survey(board, unit)
    if seen is None or seen.picture is None:
        return FINEST
    return _grains.get((light(board), unit, theme), partial(_measured, board, say, theme, unit))


def coarser(than: Grain) -> Iterator[Grain]:
    """Yield a grain and all that are coarser."""
    rows = [each for row in _GRAINS for each in row]
    yield from rows[rows.index(than) :]


def _measured(board: Map, say: Callable[[Msg], str], theme: str, unit: int) -> Grain:
    """Take the largest size whose coarsest level fits; then halve the levels down to the finest that does."""

    def fits(one: Grain) -> bool:
        pictures = map_picture.probes(board, say, theme, round(unit * one.share), one.level)
        return all(len(encode(each, ENOUGH)) <= BUDGET - _CARDS for each in pictures)

    row = next((row for row in _GRAINS if fits(row[-1])), _GRAINS[-1])
    low, high = 0, len(row) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(row[middle]) else (middle + 1, high)
    return row[low]
