"""What one place shows, as a value: the key of its image."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.scene import Ink, MarkKind
from render.geometry import TileShape
from render.glyphs import InternedGlyph
from render.square_base import SquareBase


@dataclass(frozen=True, slots=True)
class Guard:
    """Who guards a place: where its sign is put, 0 to 3, and which it is."""

    slot: int
    glyph: InternedGlyph
    ink: Ink


@dataclass(frozen=True, slots=True)
class Tile:
    """What one place shows; equal tiles are one image."""

    theme: str
    shape: TileShape
    cell: int
    height: int
    discs: tuple[tuple[InternedGlyph, Ink], ...] = ()
    """What lies here, lowest first."""
    pips: int = 0
    """On dice: how many the uppermost shows."""
    marks: frozenset[MarkKind] = frozenset()
    direction: int | None = None
    """From a place left: the direction taken, in degrees clockwise from the right."""
    guards: tuple[Guard, ...] = ()
    special: bool = False
    name: str = ""
    """Written on the place, where that is how places are named."""
    top_view: bool = False
    """Whether pieces are seen from above."""
    letter: str = ""
    """Beside the sign of a flat piece."""
    base: SquareBase | None = None
    flags: tuple[Ink, ...] = ()
    """Whose flags stand here."""
