"""A glyph for each of the two colours, readable without colour: a ring for Red, a cross for Black."""

from __future__ import annotations

from typing import Final

from games.engine.scene import Glyph
from games.engine.shapes import arc


def _cross(reach: float, half: float) -> tuple[tuple[float, float], ...]:
    """Return an upright cross, with arms `reach` long from its centre and twice `half` wide."""
    corners = (
        (-half, reach), (half, reach), (half, half), (reach, half), (reach, -half), (half, -half),
        (half, -reach), (-half, -reach), (-half, -half), (-reach, -half), (-reach, half), (-half, half),
    )  # fmt: skip
    return tuple((round(0.5 + x, 4), round(0.5 + y, 4)) for x, y in corners)


# Their areas are about equal (0.38 and 0.39), so that neither colour looks heavier.
GLYPHS: Final = {
    "ring": Glyph((arc(0.5, 0.5, 0.4), arc(0.5, 0.5, 0.2))),
    "cross": Glyph((_cross(0.42, 0.14),)),
}
