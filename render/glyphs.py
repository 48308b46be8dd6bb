"""Glyphs of games, interned to be quick to compare in cache keys; and our own, such as crowns and ticks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from math import cos, pi, sin

from games.engine.scene import Glyph
from render.thread_safe_cache import Cache


class InternedGlyph:
    """A glyph compared by identity: its dozens of points are hashed once a picture, not once a piece."""

    __slots__ = ("shape",)

    def __init__(self, glyph: Glyph) -> None:
        self.shape = glyph


_interned: Cache[Glyph, InternedGlyph] = Cache(256)
_BLANK = Glyph(())


def interned_glyphs(glyphs: Mapping[str, Glyph], names: Iterable[str]) -> dict[str, InternedGlyph]:
    """Return the interned glyph of each name; names that `glyphs` lacks get a blank one."""
    found: dict[str, InternedGlyph] = {}
    for name in names:
        if name not in found:
            glyph = glyphs.get(name, _BLANK)
            found[name] = _interned.get(glyph, partial(InternedGlyph, glyph))
    return found


POINTER = Glyph((((0.1, 0.05), (0.95, 0.5), (0.1, 0.95)),))
"""A triangle pointing right: whose turn it is."""

DRAWN = Glyph(
    (
        ((0.08, 0.56), (0.92, 0.56), (0.92, 0.76), (0.08, 0.76)),
        ((0.08, 0.24), (0.92, 0.24), (0.92, 0.44), (0.08, 0.44)),
    )
)
"""An equals sign: the match was drawn."""

OUT = Glyph(
    (
        (
            *((0.08, 0.2), (0.2, 0.08), (0.5, 0.38), (0.8, 0.08), (0.92, 0.2), (0.62, 0.5)),
            *((0.92, 0.8), (0.8, 0.92), (0.5, 0.62), (0.2, 0.92), (0.08, 0.8), (0.38, 0.5)),
        ),
    )
)
"""A cross: the seat is out of the match."""


def _leaf(angle: float, side: int) -> tuple[tuple[float, float], ...]:
    """Return a leaf of the wreath, `angle` radians from its foot on the right (1) or left (-1) branch."""
    x, y = sin(angle) * 0.36 * side, -cos(angle) * 0.4
    lean = angle + 0.95
    tip = (x + sin(lean) * 0.24 * side, y - cos(lean) * 0.24)
    root = (x - sin(lean) * 0.06 * side, y + cos(lean) * 0.06)
    across = (cos(lean) * 0.075, sin(lean) * 0.075 * side)
    half = ((root[0] + tip[0]) / 2, (root[1] + tip[1]) / 2)
    points = (
        root,
        (half[0] + across[0], half[1] + across[1]),
        tip,
        (half[0] - across[0], half[1] - across[1]),
    )
    return tuple((0.5 + px, 0.5 + py) for px, py in points)


WON = Glyph(
    (
        *(_leaf(pi * (0.12 + 0.155 * k), side) for side in (1, -1) for k in range(5)),
        tuple(
            (
                0.5 + sin(pi * k / 5) * (0.2 if k % 2 == 0 else 0.085),
                0.52 + cos(pi * k / 5) * (0.2 if k % 2 == 0 else 0.085),
            )
            for k in range(10)
        ),
    )
)
"""A wreath around a star: the seat has won."""

GOOD = Glyph((((0.04, 0.48), (0.2, 0.64), (0.4, 0.44), (0.8, 0.86), (0.96, 0.7), (0.4, 0.12)),))
"""A tick, on badges that are good for a seat."""

BAD = Glyph(
    (
        ((0.37, 0.98), (0.63, 0.98), (0.58, 0.36), (0.42, 0.36)),
        tuple((0.5 + sin(pi * k / 8) * 0.14, 0.15 + cos(pi * k / 8) * 0.14) for k in range(16)),
    )
)
"""An exclamation mark, on badges that are bad for a seat."""

PLAIN = Glyph((tuple((0.5 + sin(pi * k / 12) * 0.3, 0.5 + cos(pi * k / 12) * 0.3) for k in range(24)),))
"""A dot, on badges that are neither."""

CROWN = Glyph(
    (
        (
            *((0.08, 0.1), (0.92, 0.1), (1.0, 0.82), (0.74, 0.5), (0.5, 0.98), (0.26, 0.5)),
            (0.0, 0.82),
        ),
    )
)
"""A crown: a capital."""

STAR = Glyph(
    (
        tuple(
            (0.5 + sin(pi * k / 4) * (0.56, 0.17)[k % 2], 0.5 + cos(pi * k / 4) * (0.56, 0.17)[k % 2])
            for k in range(8)
        ),
    )
)
"""A star with four rays: a piece became another one."""
