"""Drawing the base of a square, below marks and pieces."""

from __future__ import annotations

from math import cos, pi, sin

from PIL import ImageDraw

from render.colour import RGB
from render.square_base import SquareBase
from render.themes import Theme

_LINE, _BORDER = 0.07, 0.06
"""Width of lines and of half a border, in squares."""


def draw_borders(draw: ImageDraw.ImageDraw, theme: Theme, base: SquareBase, side: int) -> None:
    """Draw the borders of a zone along the edges of the square."""
    if base.tint is None:
        return
    thick, far = round(side * _BORDER), side - 1
    boxes = (
        (0, 0, far, thick),
        (far - thick, 0, far, far),
        (0, far - thick, far, far),
        (0, 0, thick, far),
    )
    for ends, box in zip(base.border, boxes, strict=True):
        if ends:
            draw.rectangle(box, fill=theme.rim(base.tint))


def draw_features(
    draw: ImageDraw.ImageDraw, theme: Theme, base: SquareBase, side: int, *, bare: bool, fill: RGB
) -> None:
    """Draw lines, octagon and, on a `bare` place, the small ring; `fill` is the inside of an octagon."""
    colour, thick = theme.drawn_line, round(side * _LINE)
    for segment in base.lines:
        draw.line([part * side for part in segment], fill=colour, width=thick)
    if base.fort:
        rings = [(0.53, colour), (0.49, theme.light)]
        if bare:
            rings += [(0.4, colour), (0.36, fill)]
        for radius, shade in rings:
            draw.polygon(_octagon(radius, side), fill=shade)
    if base.start and bare:
        near, far = side * 0.36, side * 0.64
        draw.ellipse((near, near, far, far), outline=colour, width=round(side * 0.045))


def _octagon(radius: float, side: int) -> list[tuple[float, float]]:
    """Return the corners of a regular octagon with a flat base; `radius` is in squares."""
    turns = (pi * (2 * k + 1) / 8 for k in range(8))
    return [(side * (0.5 + radius * cos(turn)), side * (0.5 + radius * sin(turn))) for turn in turns]


def zone_tint(theme: Theme, base: SquareBase) -> RGB | None:
    """Return the tint of a square; None outside all zones."""
    return None if base.tint is None else theme.zone(base.tint)
