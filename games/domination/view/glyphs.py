"""The symbols of the six armies, and of what panels count: land, armies, income, cards, the kinds of cards.

Their outlines are bold and differ as a whole: on a phone a symbol is about eleven pixels wide.
"""

from __future__ import annotations

from functools import partial
from math import cos, pi, sin
from typing import Final

from games.engine.scene import Glyph
from games.engine.scene_parts import Outline, arc, box

_arc: Final = partial(arc, corners=32)


def _star(points: int, outer: float, inner: float, y: float) -> Outline:
    """Return the outline of a star, centred at half the width and at height `y`."""
    turns = ((pi * k / points, (outer, inner)[k % 2]) for k in range(2 * points))
    return tuple((round(0.5 + far * sin(a), 4), round(y + far * cos(a), 4)) for a, far in turns)


def _cross(thick: float) -> Outline:
    """Return the outline of an upright cross with arms of twice `thick`."""
    low, high = 0.5 - thick, 0.5 + thick
    return (
        *((low, 0.04), (high, 0.04), (high, low), (0.96, low), (0.96, high), (high, high)),
        *((high, 0.96), (low, 0.96), (low, high), (0.04, high), (0.04, low), (low, low)),
    )


_SEATS: Final = {
    "triangle": Glyph((((0.5, 0.95), (0.04, 0.14), (0.96, 0.14)),)),
    "square": Glyph((box(0.14, 0.14, 0.86, 0.86),)),
    "diamond": Glyph((((0.5, 1.0), (0.92, 0.5), (0.5, 0.0), (0.08, 0.5)),)),
    "circle": Glyph((_arc(0.5, 0.5, 0.42),)),
    "star": Glyph((_star(5, 0.525, 0.215, 0.46),)),
    "cross": Glyph((_cross(0.17),)),
}
_NEUTRAL: Final = {"ring": Glyph((_arc(0.5, 0.5, 0.46), _arc(0.5, 0.5, 0.22)))}
_HORSE: Final = (
    (0.2, 0.03), (0.86, 0.03), (0.93, 0.3), (0.91, 0.55), (0.82, 0.75), (0.66, 0.87), (0.62, 0.99),
    (0.5, 0.88), (0.34, 0.78), (0.22, 0.62), (0.07, 0.42), (0.08, 0.29), (0.2, 0.23), (0.32, 0.33),
    (0.53, 0.43), (0.5, 0.33), (0.27, 0.16),
)  # fmt: skip
_COUNTS: Final = {
    "land": Glyph((box(0.14, 0.0, 0.28, 1.0), ((0.28, 0.98), (0.96, 0.74), (0.28, 0.5)))),
    "armies": Glyph((_arc(0.5, 0.76, 0.23), ((0.1, 0.02), (0.9, 0.02), (0.76, 0.47), (0.24, 0.47)))),
    "income": Glyph((((0.5, 0.98), (0.96, 0.5), (0.66, 0.5), (0.66, 0.04), (0.34, 0.04), (0.34, 0.5),
                      (0.04, 0.5)),)),
    "cards": Glyph((box(0.17, 0.0, 0.83, 1.0), box(0.3, 0.13, 0.7, 0.87), box(0.4, 0.34, 0.6, 0.66))),
}  # fmt: skip
_KINDS: Final = {
    "infantry": Glyph((((0.5, 0.98), (0.9, 0.86), (0.9, 0.46), (0.84, 0.28), (0.7, 0.13), (0.5, 0.02),
                        (0.3, 0.13), (0.16, 0.28), (0.1, 0.46), (0.1, 0.86)),)),
    "cavalry": Glyph((_HORSE,)),
    "cannon": Glyph((((0.02, 0.5), (0.1, 0.72), (0.94, 0.98), (1.0, 0.76), (0.36, 0.42)),
                     _arc(0.34, 0.24, 0.24), _arc(0.34, 0.24, 0.09))),
    "wild": Glyph((_star(8, 0.5, 0.2, 0.5),)),
}  # fmt: skip
SEAT_GLYPHS: Final = tuple(_SEATS)
"""The glyph of each seat."""
NEUTRAL_GLYPH: Final = next(iter(_NEUTRAL))
"""The glyph of the neutral army."""
GLYPHS: Final = _SEATS | _NEUTRAL | _COUNTS | _KINDS
"""All glyphs by name."""
