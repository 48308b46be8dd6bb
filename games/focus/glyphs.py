"""The signs of the four colours, so that nobody needs to see colours: triangle, circle, square, diamond."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from games.engine.scene import Glyph

_CORNERS: Final = 48
"""Corners of the polygon that stands for a circle: round at any size a board is drawn in."""


def _ring(radius: float) -> tuple[tuple[float, float], ...]:
    angles = (2 * pi * corner / _CORNERS for corner in range(_CORNERS))
    return tuple((round(0.5 + radius * cos(a), 4), round(0.5 + radius * sin(a), 4)) for a in angles)


# Their areas are about equal (0.4 to 0.44), so that no colour looks heavier than another.
GLYPHS: Final = {
    "triangle": Glyph((((0.5, 0.97), (0.03, 0.13), (0.97, 0.13)),)),
    "circle": Glyph((_ring(0.37),)),
    "square": Glyph((((0.17, 0.17), (0.83, 0.17), (0.83, 0.83), (0.17, 0.83)),)),
    "diamond": Glyph((((0.5, 0.97), (0.96, 0.5), (0.5, 0.03), (0.04, 0.5)),)),
}
