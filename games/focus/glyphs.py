"""A glyph for each of the four colours, readable without colour: triangle, circle, square, diamond."""

from __future__ import annotations

from typing import Final

from games.engine.scene import Glyph
from games.engine.shapes import arc, box

# Their areas are about equal (0.4 to 0.44), so that no colour looks heavier than another.
GLYPHS: Final = {
    "triangle": Glyph((((0.5, 0.97), (0.03, 0.13), (0.97, 0.13)),)),
    "circle": Glyph((arc(0.5, 0.5, 0.37),)),
    "square": Glyph((box(0.17, 0.17, 0.83, 0.83),)),
    "diamond": Glyph((((0.5, 0.97), (0.96, 0.5), (0.5, 0.03), (0.04, 0.5)),)),
}
