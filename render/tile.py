"""What one place shows, as a value: the cache key of its image."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.scene import Ink, MarkKind
from render.geometry import TileShape
from render.glyphs import InternedGlyph
from render.square_base import SquareBase


@dataclass(frozen=True, slots=True)
class Guard:
    """A guard of a place: its corner (0 to 3), glyph and ink."""

    slot: int
    glyph: InternedGlyph
    ink: Ink


@dataclass(frozen=True, slots=True)
class Tile:
    """What one place shows; equal tiles share one image."""

    theme: str
    shape: TileShape
    cell: int
    height: int
    discs: tuple[tuple[InternedGlyph, Ink], ...] = ()
    """The pieces on the place, lowest first."""
    pips: int = 0
    """On dice: the number of pips that the uppermost shows."""
    marks: frozenset[MarkKind] = frozenset()
    direction: int | None = None
    """Where the piece went that left the place, in degrees clockwise from the right."""
    guards: tuple[Guard, ...] = ()
    special: bool = False
    name: str = ""
    """The name written on the place, on boards that show names there."""
    top_view: bool = False
    """Whether pieces are seen from above."""
    letter: str = ""
    """The letter beside the glyph of a piece seen from above."""
    base: SquareBase | None = None
    flags: tuple[Ink, ...] = ()
    """The inks of the flags on the place."""
