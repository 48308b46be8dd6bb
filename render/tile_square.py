"""The tile of a square: its base and frame, the pile on it, and its marks."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, sin

from PIL import Image, ImageDraw

from render.colour import RGB
from render.glyphs import BAD, STAR
from render.piled_pieces import UPSCALE, draw_pile, draw_top_view
from render.square_base import SquareBase
from render.themes import Theme, theme_of
from render.tile import Tile
from render.tile_marks import capture_cross, direction_arrow, flags, glyph_badge, guard_corners, height_badge

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


_PIECE, _FORT_PIECE, _FREE_PIECE = 0.91, 0.81, 0.74
"""Width of pieces seen from above, in squares: any, those in an octagon, those without an owner."""


def draw(tile: Tile) -> Image.Image:
    """Return the tile in full colour."""
    theme = theme_of(tile.theme)
    side = tile.cell * UPSCALE
    image = Image.new("RGB", (side, side), theme.inks["board"])
    pen = ImageDraw.Draw(image)
    ground = _base(pen, theme, tile, side)
    if tile.discs:
        discs = [(glyph.shape, ink) for glyph, ink in tile.discs]
        if tile.top_view:
            fort = tile.base is not None and tile.base.fort
            size = _FREE_PIECE if discs[-1][1] == "paper" else _FORT_PIECE if fort else _PIECE
            draw_top_view(image, theme, discs[-1], tile.letter, (side * 0.5, side * 0.5), side * size)
        else:
            draw_pile(image, theme, discs, ground, (side * 0.5, side * 0.5), side)
    guard_corners(image, theme, tile.guards)
    _marks_above(pen, theme, tile, side)
    _status_marks(image, theme, tile, side)
    small = image.reduce(UPSCALE)
    if len(tile.discs) > 1:
        height_badge(small, theme, len(tile.discs), tile.cell)
    return small


def _base(draw: ImageDraw.ImageDraw, theme: Theme, tile: Tile, side: int) -> RGB:
    """Fill the space, tinted and framed by its marks; return its colour, for blending pieces."""
    gap, radius = side * 0.018, side * 0.09
    box = (gap, gap, side - 1 - gap, side - 1 - gap)
    marks = tile.marks
    if "to" in marks:
        ground = theme.marked_space(1)
        draw.rounded_rectangle(
            box, radius, fill=ground, outline=theme.inks["mark"], width=round(side * 0.045)
        )
    elif "from" in marks:
        ground = theme.marked_space(0.5)
        draw.rounded_rectangle(box, radius, fill=ground)
        _dashes(draw, theme, side)
        if not tile.discs:
            inset = (side * 0.3, side * 0.36, side * 0.7, side * 0.64)
            draw.ellipse(inset, outline=theme.inks["mark"], width=round(side * 0.03))
    else:
        ground = theme.ringed_space if tile.special else theme.inks["space"]
        if tile.base is not None:
            ground = zone_tint(theme, tile.base) or ground
        if "legal" in marks and tile.top_view:
            ground = theme.marked_space(0.5)
        outline = theme.inks["line"] if theme.inks["board"] == theme.inks["space"] else None
        draw.rounded_rectangle(box, radius, fill=ground, outline=outline)
    if tile.special:
        near, far = side * 0.085, side - 1 - side * 0.085
        draw.rounded_rectangle(
            (near, near, far, far), radius, outline=theme.inks["faint"], width=round(side * 0.03)
        )
    if tile.base is not None:
        draw_borders(draw, theme, tile.base, side)
        base = replace(tile.base, start=False) if "from" in marks else tile.base
        draw_features(draw, theme, base, side, bare=not tile.discs, fill=ground)
    if "legal" in marks and not tile.discs:
        near, far = (0.33, 0.67) if tile.top_view else (0.39, 0.61)
        draw.ellipse((side * near, side * near, side * far, side * far), fill=theme.inks["mark"])
    return ground


def _dashes(draw: ImageDraw.ImageDraw, theme: Theme, side: int) -> None:
    """Frame a place that a piece left: dashes along its four edges."""
    thick, far, long = side * 0.035, side * 0.03, side * 0.12
    for k in range(4):
        start = side * (0.15 + k * 0.194)
        for low in (far, side - far - thick):
            draw.rectangle((start, low, start + long, low + thick), fill=theme.inks["mark"])
            draw.rectangle((low, start, low + thick, start + long), fill=theme.inks["mark"])


def _marks_above(draw: ImageDraw.ImageDraw, theme: Theme, tile: Tile, side: int) -> None:
    """Draw the marks that lie over the pieces."""
    mark = theme.inks["mark"]
    if tile.direction is not None:
        reach = 0.6 if tile.direction % 90 else 0.46
        direction_arrow(
            draw, tile.direction, reach, (side * 0.5, side * 0.5), side, (mark, theme.inks["space"])
        )
    corner = side * (0.3 if tile.top_view else 0.24)
    if "legal" in tile.marks and tile.discs:
        near, far = side * 0.03, side - 1 - side * 0.03
        for x, y, dx, dy in ((near, near, 1, 1), (far, near, -1, 1), (near, far, 1, -1), (far, far, -1, -1)):
            draw.polygon(((x, y), (x + dx * corner, y), (x, y + dy * corner)), fill=mark)
    if "hint" in tile.marks:
        edge, thick = side * 0.035, round(side * 0.03)
        for inset in (edge, edge + 2.2 * thick):
            draw.rounded_rectangle(
                (inset, inset, side - 1 - inset, side - 1 - inset), side * 0.09, outline=mark, width=thick
            )
    if "captured" in tile.marks:
        middle, size = (0.19, side * 1.4) if tile.top_view else (0.16, side)
        capture_cross(draw, theme, (side * middle, side * middle), size)


def _status_marks(image: Image.Image, theme: Theme, tile: Tile, side: int) -> None:
    """Draw the marks of a changed piece, of a contested one, and of flags."""
    if "changed" in tile.marks:
        glyph_badge(
            image, (theme.inks["mark"], theme.inks["space"]), STAR, (side * 0.175, side * 0.825), side * 1.05
        )
    if "contested" in tile.marks:
        glyph_badge(
            image, (theme.danger, theme.inks["space"]), BAD, (side * 0.825, side * 0.825), side * 1.05
        )
    flags(image, theme, tile.flags, side, large=not tile.discs)
