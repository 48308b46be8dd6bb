"""Glyphs of the nine kinds of pieces and symbols of the four teams, so that no one has to tell colours apart.

The outlines are bold and differ as a whole: on a phone a glyph is about eleven pixels wide. Each shows what
the piece is or how it moves: the tower moves straight, the horse leaps.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from games.dominion.position import KIND_KEYS
from games.engine.scene import Glyph
from games.engine.shapes import Outline, arc, box


def _even(right: Outline) -> Outline:
    """Return a symmetric outline from its right half, whose x coordinates count from the middle."""
    left = tuple((-x, y) for x, y in reversed(right) if x)
    return tuple((round(0.5 + x, 4), y) for x, y in right + left)


def _star(points: int, outer: float, inner: float, x: float, y: float) -> Outline:
    turns = ((pi * k / points, (outer, inner)[k % 2]) for k in range(2 * points))
    return tuple((round(x + far * sin(a), 4), round(y + far * cos(a), 4)) for a, far in turns)


def _chevron(top: float) -> Outline:
    right = ((0.0, top), (0.45, top - 0.4), (0.45, top - 0.61), (0.0, top - 0.21))
    return _even(right)


_CROWN: Final = (
    (0.12, 0.34), (0.88, 0.34), (0.98, 0.82), (0.7, 0.58), (0.5, 0.96), (0.3, 0.58), (0.02, 0.82),
)  # fmt: skip
_TOWER: Final = _even(
    (
        (0.0, 0.78), (0.1, 0.78), (0.1, 0.96), (0.36, 0.96), (0.36, 0.62), (0.23, 0.54),
        (0.27, 0.27), (0.4, 0.17), (0.4, 0.03),
    )
)  # fmt: skip
_ANCHOR: Final = _even(
    (
        (0.075, 0.72), (0.075, 0.68), (0.27, 0.68), (0.27, 0.54), (0.075, 0.54), (0.075, 0.16), (0.2, 0.2),
        (0.29, 0.31), (0.2, 0.33), (0.39, 0.55), (0.5, 0.27), (0.42, 0.27), (0.35, 0.13), (0.21, 0.03),
        (0.0, 0.0),
    )
)  # fmt: skip
_HORSE: Final = (
    (0.2, 0.03), (0.86, 0.03), (0.93, 0.3), (0.91, 0.55), (0.82, 0.75), (0.66, 0.87), (0.62, 0.99),
    (0.5, 0.88), (0.34, 0.78), (0.22, 0.62), (0.07, 0.42), (0.08, 0.29), (0.2, 0.23), (0.32, 0.33),
    (0.53, 0.43), (0.5, 0.33), (0.27, 0.16),
)  # fmt: skip
_DAGGER: Final = _even(
    (
        *((0.0, 1.0), (0.11, 0.94), (0.08, 0.8), (0.08, 0.77), (0.34, 0.77), (0.34, 0.65), (0.18, 0.62)),
        *((0.16, 0.32), (0.0, 0.0)),
    )
)
_SHIELD: Final = _even(((0.0, 0.97), (0.4, 0.85), (0.4, 0.46), (0.34, 0.28), (0.2, 0.13), (0.0, 0.02)))

_KINDS: Final = {
    "emperor": Glyph((_CROWN, box(0.12, 0.1, 0.88, 0.24))),
    "prince": Glyph((_star(5, 0.525, 0.215, 0.5, 0.46),)),
    "general": Glyph((_TOWER,)),
    "admiral": Glyph((_ANCHOR, arc(0.5, 0.85, 0.15, corners=40), arc(0.5, 0.85, 0.06, corners=40))),
    "warrior": Glyph((_HORSE,)),
    "assassin": Glyph((_DAGGER,)),
    "sergeant": Glyph((_chevron(0.98), _chevron(0.63))),
    "soldier": Glyph((_SHIELD,)),
    "peasant": Glyph((((0.0, 0.5), (0.5, 0.98), (1.0, 0.5)), arc(0.5, 0.02, 0.42, 0, 180, corners=40))),
}
_TEAMS: Final = {
    "triangle": Glyph((((0.5, 0.95), (0.04, 0.14), (0.96, 0.14)),)),
    "diamond": Glyph((((0.5, 1.0), (0.92, 0.5), (0.5, 0.0), (0.08, 0.5)),)),
    "square": Glyph((box(0.14, 0.14, 0.86, 0.86),)),
    "circle": Glyph((arc(0.5, 0.5, 0.42, corners=40),)),
}
TEAM_GLYPHS: Final = tuple(_TEAMS)
"""The key of each side's symbol: north, east, south, west."""
GLYPHS: Final = {kind: _KINDS[kind] for kind in KIND_KEYS if kind} | _TEAMS
