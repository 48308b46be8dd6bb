"""The layout of a board of any kind: where everything lies, in whole pixels.

Each kind of board has a file of its own that computes its layout; `kinds` chooses between them. All other
files only see boxes by the names of places. `unit` is the measure of everything that isn't board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias

from render.square_base import SquareBase

FULL_UNIT = 80
"""The unit at full size, in pixels: an eight by eight board gives 922 x 698 pixels."""

HEADLINE_HEIGHT = 0.9
"""Height of the headline, in units."""

TileShape: TypeAlias = Literal["square", "hex", "die", "area"]
"""The shape of a place, which also decides how pieces are drawn."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels, from its upper left corner."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class CoordinateLabel:
    """A file or rank beside the board, or the number of a die, centred on (x, y)."""

    text: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A board as seen after its quarter turns, in pixels."""

    unit: int
    shape: TileShape
    cell: int
    """Width of a tile, which is the measure of the pieces on it; on a map, height of a count."""
    tile_height: int
    """Height of a tile."""
    width: int
    height: int
    board: Box
    places: Mapping[str, tuple[int, int]]
    """The upper left corner of each place's tile, by its name."""
    labels: tuple[CoordinateLabel, ...]
    headline: Box
    seats: Box
    """The box of all seats' cards."""
    cards: Mapping[int, Box] = field(default_factory=lambda: MappingProxyType({}))
    """The box of each seat's card, by seat, where cards lie beside their own line."""
    special: frozenset[str] = frozenset()
    """The places with a ring."""
    gap: Box | None = None
    """The box between two lines of dice."""
    cards_below: bool = False
    """Whether the cards lie side by side below the board."""
    top_view: bool = False
    """Whether pieces are discs seen from above, as on large boards of squares."""
    scale: float = 1.0
    """On a map: pixels per unit of the map."""
    bases: Mapping[str, SquareBase] = field(default_factory=lambda: MappingProxyType({}))
    """What is drawn below the pieces of each place, on boards with zones, lines, forts or starts."""

    def centre(self, name: str) -> tuple[float, float]:
        """Return the centre of a place."""
        x, y = self.places[name]
        return x + self.cell / 2, y + self.tile_height / 2


def side_column(unit: int, x: int, height: int) -> tuple[Box, Box]:
    """Return the boxes of the headline and of the cards in a column from `x` beside a board."""
    margin, width, top = round(unit * 0.1), round(unit * 2.66), round(unit * HEADLINE_HEIGHT)
    return (
        Box(x, margin, width, top),
        Box(x, margin + top, width, height - 2 * margin - top),
    )
