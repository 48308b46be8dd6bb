"""The tile of a square: its ground and frame, the pile on it, and what marks say about it."""

from __future__ import annotations

from dataclasses import replace

from PIL import Image, ImageDraw

from render import tile_square_base
from render.builtin_glyphs import BAD, STAR
from render.colour import RGB
from render.pieces import FINE, flat, pile
from render.themes import Theme, theme_of
from render.tile import Tile
from render.tile_marks import arrow, badge, corner_flags, cross, height, pennants

_FLAT, _WALLED, _NOBODY = 0.91, 0.81, 0.74
"""How wide flat pieces are, in squares: any, those in an octagon, those that belong to nobody."""


def draw(what: Tile) -> Image.Image:
    """Return the tile in full colour."""
    theme = theme_of(what.theme)
    side = what.cell * FINE
    image = Image.new("RGB", (side, side), theme.inks["board"])
    pen = ImageDraw.Draw(image)
    ground = _ground(pen, theme, what, side)
    if what.discs:
        discs = [(sign.glyph, ink) for sign, ink in what.discs]
        if what.flat:
            fort = what.floor is not None and what.floor.fort
            size = _NOBODY if discs[-1][1] == "paper" else _WALLED if fort else _FLAT
            flat(image, theme, discs[-1], what.letter, (side * 0.5, side * 0.5), side * size)
        else:
            pile(image, theme, discs, ground, (side * 0.5, side * 0.5), side)
    corner_flags(image, theme, what.guards)
    _above(pen, theme, what, side)
    _news(image, theme, what, side)
    small = image.reduce(FINE)
    if len(what.discs) > 1:
        height(small, theme, len(what.discs), what.cell)
    return small


def _ground(draw: ImageDraw.ImageDraw, theme: Theme, what: Tile, side: int) -> RGB:
    """Fill the space, tinted and framed as its marks ask; return the colour that pieces stand on."""
    gap, radius = side * 0.018, side * 0.09
    box = (gap, gap, side - 1 - gap, side - 1 - gap)
    marks = what.marks
    if "to" in marks:
        ground = theme.ground(1)
        draw.rounded_rectangle(
            box, radius, fill=ground, outline=theme.inks["mark"], width=round(side * 0.045)
        )
    elif "from" in marks:
        ground = theme.ground(0.5)
        draw.rounded_rectangle(box, radius, fill=ground)
        _dashes(draw, theme, side)
        if not what.discs:
            inset = (side * 0.3, side * 0.36, side * 0.7, side * 0.64)
            draw.ellipse(inset, outline=theme.inks["mark"], width=round(side * 0.03))
    else:
        ground = theme.ringed if what.special else theme.inks["space"]
        if what.floor is not None:
            ground = tile_square_base.ground(theme, what.floor) or ground
        if "legal" in marks and what.flat:
            ground = theme.ground(0.5)
        outline = theme.inks["line"] if theme.inks["board"] == theme.inks["space"] else None
        draw.rounded_rectangle(box, radius, fill=ground, outline=outline)
    if what.special:
        near, far = side * 0.085, side - 1 - side * 0.085
        draw.rounded_rectangle(
            (near, near, far, far), radius, outline=theme.inks["faint"], width=round(side * 0.03)
        )
    if what.floor is not None:
        tile_square_base.borders(draw, theme, what.floor, side)
        floor = replace(what.floor, start=False) if "from" in marks else what.floor
        tile_square_base.things(draw, theme, floor, side, bare=not what.discs, fill=ground)
    if "legal" in marks and not what.discs:
        near, far = (0.33, 0.67) if what.flat else (0.39, 0.61)
        draw.ellipse((side * near, side * near, side * far, side * far), fill=theme.inks["mark"])
    return ground


def _dashes(draw: ImageDraw.ImageDraw, theme: Theme, side: int) -> None:
    """Frame a place that was left: broken lines along its four edges."""
    thick, far, long = side * 0.035, side * 0.03, side * 0.12
    for k in range(4):
        start = side * (0.15 + k * 0.194)
        for low in (far, side - far - thick):
            draw.rectangle((start, low, start + long, low + thick), fill=theme.inks["mark"])
            draw.rectangle((low, start, low + thick, start + long), fill=theme.inks["mark"])


def _above(draw: ImageDraw.ImageDraw, theme: Theme, what: Tile, side: int) -> None:
    """Draw the marks that lie over the pieces."""
    mark = theme.inks["mark"]
    if what.towards is not None:
        reach = 0.6 if what.towards % 90 else 0.46
        arrow(draw, what.towards, reach, (side * 0.5, side * 0.5), side, (mark, theme.inks["space"]))
    corner = side * (0.3 if what.flat else 0.24)
    if "legal" in what.marks and what.discs:
        near, far = side * 0.03, side - 1 - side * 0.03
        for x, y, dx, dy in ((near, near, 1, 1), (far, near, -1, 1), (near, far, 1, -1), (far, far, -1, -1)):
            draw.polygon(((x, y), (x + dx * corner, y), (x, y + dy * corner)), fill=mark)
    if "hint" in what.marks:
        edge, thick = side * 0.035, round(side * 0.03)
        for inset in (edge, edge + 2.2 * thick):
            draw.rounded_rectangle(
                (inset, inset, side - 1 - inset, side - 1 - inset), side * 0.09, outline=mark, width=thick
            )
    if "captured" in what.marks:
        middle, size = (0.19, side * 1.4) if what.flat else (0.16, side)
        cross(draw, theme, (side * middle, side * middle), size)


def _news(image: Image.Image, theme: Theme, what: Tile, side: int) -> None:
    """Draw what else there is to say of a place: became another, striven for, whose flag stands here."""
    if "changed" in what.marks:
        badge(
            image, (theme.inks["mark"], theme.inks["space"]), STAR, (side * 0.175, side * 0.825), side * 1.05
        )
    if "contested" in what.marks:
        badge(image, (theme.danger, theme.inks["space"]), BAD, (side * 0.825, side * 0.825), side * 1.05)
    pennants(image, theme, what.flags, side, large=not what.discs)
