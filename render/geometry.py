"""Where everything lies, in whole pixels: what a layout is, for boards of every kind.

How a kind of board becomes a layout is said in the file of that kind, and which file that is in `layouts`;
the other files get boxes by the names of places. `unit` is the measure of all that isn't board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias

from render.square_base import SquareBase

FULL_UNIT = 80
"""Pixels of `unit` at full size: an eight by eight board gives 922 x 698 pixels."""

HEADLINE_HEIGHT = 0.9
"""Height of the headline, in units."""

TileShape: TypeAlias = Literal["square", "hex", "die", "area"]
"""What a place looks like, and with it what lies there."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels, y downwards."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class CoordinateLabel:
    """A coordinate beside the board, centred on (x, y)."""

    text: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A board as it is seen after its quarter turns."""

    unit: int
    shape: TileShape
    cell: int
    """The measure of what lies on a place: the width of its tile."""
    tile_height: int
    """The height of a tile."""
    width: int
    height: int
    board: Box
    places: Mapping[str, tuple[int, int]]
    """The upper left corner of each place's tile."""
    labels: tuple[CoordinateLabel, ...]
    headline: Box
    seats: Box
    """The column of the cards, where these stand one below the other."""
    cards: Mapping[int, Box] = field(default_factory=lambda: MappingProxyType({}))
    """A card's own box by seat, where each stands by its side of the board."""
    special: frozenset[str] = frozenset()
    """Places with a ring."""
    gap: Box | None = None
    """What lies between two lines."""
    cards_below: bool = False
    """Whether the cards stand side by side below the board."""
    top_view: bool = False
    """Whether pieces are discs seen from above, as on boards with many places."""
    scale: float = 1.0
    """On a map: pixels of one of its own units."""
    bases: Mapping[str, SquareBase] = field(default_factory=lambda: MappingProxyType({}))
    """What lies under the pieces, where the board has more than squares."""

    def centre(self, name: str) -> tuple[float, float]:
        """Return the centre of a place."""
        x, y = self.places[name]
        return x + self.cell / 2, y + self.tile_height / 2


def side_column(unit: int, x: int, height: int) -> tuple[Box, Box]:
    """Return the boxes of headline and cards in a column that begins at `x` beside a board."""
    margin, width, top = round(unit * 0.1), round(unit * 2.66), round(unit * HEADLINE_HEIGHT)
    return (
        Box(x, margin, width, top),
        Box(x, margin + top, width, height - 2 * margin - top),
    )
