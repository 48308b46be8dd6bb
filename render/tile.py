"""What one place shows, as a value: the key of its image."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.scene import Ink, MarkKind
from render.geometry import Shape
from render.glyphs import Sign
from render.square_base import Floor


@dataclass(frozen=True, slots=True)
class Guard:
    """Who guards a place: where its sign is put, 0 to 3, and which it is."""

    slot: int
    sign: Sign
    ink: Ink


@dataclass(frozen=True, slots=True)
class Tile:
    """What one place shows; equal tiles are one image."""

    theme: str
    shape: Shape
    cell: int
    high: int
    discs: tuple[tuple[Sign, Ink], ...] = ()
    """What lies here, lowest first."""
    pips: int = 0
    """On dice: how many the uppermost shows."""
    marks: frozenset[MarkKind] = frozenset()
    towards: int | None = None
    """From a place left: the direction taken, in degrees clockwise from the right."""
    guards: tuple[Guard, ...] = ()
    special: bool = False
    name: str = ""
    """Written on the place, where that is how places are named."""
    flat: bool = False
    """Whether pieces are seen from above."""
    letter: str = ""
    """Beside the sign of a flat piece."""
    floor: Floor | None = None
    flags: tuple[Ink, ...] = ()
    """Whose flags stand here."""
