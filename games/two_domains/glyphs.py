"""Glyphs for the six faces and the two sides, so that no one depends on colours or pips.

The outlines are bold: the narrowest strokes and gaps are about a tenth of the square, 3 pixels on a phone.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from games.engine.scene import Glyph
from games.engine.shapes import Outline, arc, box


def _house(left: float, right: float, eaves: float, top: float, bottom: float = 0.12) -> Outline:
    """Return a house: walls up to the eaves and a slightly overhanging roof."""
    out = 0.06
    middle = (left + right) / 2
    return (
        (left, bottom), (right, bottom), (right, eaves), (right + out, eaves), (middle, top),
        (left - out, eaves), (left, eaves),
    )  # fmt: skip


def _tower(left: float, right: float, top: float, bottom: float = 0.1) -> Outline:
    """Return a tower with three battlements."""
    step, cut = (right - left) / 5, top - 0.1
    return (
        (left, bottom), (right, bottom), (right, top),
        (right - step, top), (right - step, cut), (right - 2 * step, cut), (right - 2 * step, top),
        (left + 2 * step, top), (left + 2 * step, cut), (left + step, cut), (left + step, top),
        (left, top),
    )  # fmt: skip


def _turned(outline: Outline, degrees: float) -> Outline:
    """Return an outline given around the origin, rotated and moved to the centre of the square."""
    c, s = cos(degrees * pi / 180), sin(degrees * pi / 180)
    return tuple((round(0.5 + x * c - y * s, 4), round(0.5 + x * s + y * c, 4)) for x, y in outline)


# Half the widths of a sword's blade, guard and grip; it points upwards.
_BLADE, _GUARD, _GRIP = 0.075, 0.19, 0.06
_HILT: Outline = (
    (_BLADE, -0.27), (_GUARD, -0.27), (_GUARD, -0.38), (_GRIP, -0.38), (_GRIP, -0.55),
    (-_GRIP, -0.55), (-_GRIP, -0.38), (-_GUARD, -0.38), (-_GUARD, -0.27), (-_BLADE, -0.27),
)  # fmt: skip
_TIP: Outline = ((-_BLADE, 0.46), (0.0, 0.6), (_BLADE, 0.46))
_GAP = 0.13
_SWORD: Outline = (*_HILT, *_TIP)
_POINT_HALF: Outline = ((_BLADE, _GAP), (-_BLADE, _GAP), *_TIP)
_HILT_HALF: Outline = (*_HILT, (-_BLADE, -_GAP), (_BLADE, -_GAP))

GLYPHS: Final = {
    "king": Glyph(
        (
            ((0.12, 0.34), (0.88, 0.34), (0.97, 0.8), (0.7, 0.58), (0.5, 0.94), (0.3, 0.58), (0.03, 0.8)),
            box(0.12, 0.12, 0.88, 0.24),
        )
    ),
    "village": Glyph((_house(0.22, 0.78, 0.5, 0.92), box(0.42, 0.12, 0.58, 0.38))),
    "town": Glyph(
        (
            _house(0.08, 0.44, 0.36, 0.62),
            box(0.2, 0.12, 0.32, 0.28),
            _house(0.58, 0.92, 0.62, 0.9),
            box(0.69, 0.12, 0.81, 0.28),
            box(0.69, 0.42, 0.81, 0.54),
        )
    ),
    "city": Glyph(
        (
            _tower(0.02, 0.3, 0.62),
            _tower(0.36, 0.64, 0.94),
            _tower(0.7, 0.98, 0.62),
            box(0.11, 0.26, 0.21, 0.4),
            box(0.45, 0.56, 0.55, 0.72),
            box(0.43, 0.1, 0.57, 0.32),
            box(0.79, 0.26, 0.89, 0.4),
        )
    ),
    "capital": Glyph(
        (
            box(0.04, 0.06, 0.96, 0.17),  # the steps
            box(0.12, 0.22, 0.25, 0.42),
            box(0.34, 0.22, 0.46, 0.42),
            box(0.54, 0.22, 0.66, 0.42),
            box(0.75, 0.22, 0.88, 0.42),
            (
                (0.06, 0.46),
                (0.94, 0.46),
                (0.94, 0.55),
                *arc(0.5, 0.55, 0.28, 0, 180, corners=16),
                (0.06, 0.55),
            ),
            ((0.46, 0.85), (0.54, 0.85), (0.76, 0.92), (0.54, 0.99), (0.46, 0.99)),
        )
    ),
    "army": Glyph((_turned(_SWORD, 45), _turned(_POINT_HALF, -45), _turned(_HILT_HALF, -45))),
    "triangle": Glyph((((0.5, 0.95), (0.04, 0.14), (0.96, 0.14)),)),
    "square": Glyph((box(0.17, 0.17, 0.83, 0.83),)),
}
