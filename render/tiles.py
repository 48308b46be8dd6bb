"""A tile is one place of the board with all that lies on it, ready to be copied.

A picture is a background with tiles laid on it. Tiles are kept by what they show, so that a game at rest
costs nothing and a running one draws only what it hasn't seen yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from PIL import Image, ImageDraw

from games.engine.scene import Glyph, Ink, MarkKind
from render import fonts
from render.cache import Cache
from render.colour import RGB
from render.palette import flatten
from render.pieces import FINE, pile
from render.themes import Theme, theme_of


class Sign:
    """A glyph compared by identity: its dozens of points are hashed once a picture, not once a piece."""

    __slots__ = ("glyph",)

    def __init__(self, glyph: Glyph) -> None:
        self.glyph = glyph


_signs: Cache[Glyph, Sign] = Cache(256)


def signs_of(glyphs: Mapping[str, Glyph], names: Iterable[str]) -> dict[str, Sign]:
    """Return the sign of each name; a glyph that nobody brought along is blank."""
    found: dict[str, Sign] = {}
    for name in names:
        if name not in found:
            glyph = glyphs.get(name, _BLANK)
            found[name] = _signs.get(glyph, partial(Sign, glyph))
    return found


_BLANK = Glyph(())


@dataclass(frozen=True, slots=True)
class Tile:
    """What one place shows; equal tiles are one image."""

    theme: str
    cell: int
    discs: tuple[tuple[Sign, Ink], ...] = ()
    """What lies here, lowest first."""
    marks: frozenset[MarkKind] = frozenset()
    towards: tuple[int, int] = (0, 0)
    """From a place left: the direction taken, (right, down), each -1, 0 or 1."""


_tiles: Cache[Tile, Image.Image] = Cache(1500)


def tile(what: Tile) -> Image.Image:
    """Return the image of a tile in the palette of its theme. It is shared: never draw on it."""
    return _tiles.get(what, lambda: flatten(_draw(what), what.theme))


def _draw(what: Tile) -> Image.Image:
    theme = theme_of(what.theme)
    side = what.cell * FINE
    image = Image.new("RGB", (side, side), theme.inks["board"])
    draw = ImageDraw.Draw(image)
    ground = _ground(draw, theme, what, side)
    if what.discs:
        discs = [(sign.glyph, ink) for sign, ink in what.discs]
        pile(image, theme, discs, ground, (side * 0.5, side * 0.5), side)
    _above(draw, theme, what, side)
    small = image.reduce(FINE)
    if len(what.discs) > 1:
        _height(small, theme, len(what.discs), what.cell)
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
        ground = theme.inks["space"]
        outline = theme.inks["line"] if theme.inks["board"] == theme.inks["space"] else None
        draw.rounded_rectangle(box, radius, fill=ground, outline=outline)
    if "legal" in marks and not what.discs:
        draw.ellipse((side * 0.39, side * 0.39, side * 0.61, side * 0.61), fill=theme.inks["mark"])
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
    if what.towards != (0, 0):
        _arrow(draw, what.towards, side, mark, theme.inks["space"])
    corner = side * 0.24
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
        _cross(draw, theme, side)


def _arrow(draw: ImageDraw.ImageDraw, towards: tuple[int, int], side: int, fill: RGB, rim: RGB) -> None:
    """Point out of a place that was left, from the middle of an edge or from a corner."""
    dx, dy = towards
    long = (dx * dx + dy * dy) ** 0.5
    dx_, dy_ = dx / long, dy / long
    reach = 0.46 if long == 1 else 0.6
    for size, colour in ((0.21, rim), (0.17, fill)):
        tip = reach + (size - 0.17) * 0.3
        x, y = side * (0.5 + dx_ * tip), side * (0.5 + dy_ * tip)
        back_x, back_y = x - dx_ * size * side, y - dy_ * size * side
        across = size * side * 1.05
        draw.polygon(
            (
                (x, y),
                (back_x - dy_ * across, back_y + dx_ * across),
                (back_x + dy_ * across, back_y - dx_ * across),
            ),
            fill=colour,
        )


def _cross(draw: ImageDraw.ImageDraw, theme: Theme, side: int) -> None:
    """Mark a capture: a disc with a cross in the upper left corner."""
    x = y = side * 0.16
    radius = side * 0.135
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=theme.inks["space"])
    radius = side * 0.115
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=theme.danger)
    arm, thick = radius * 0.5, round(side * 0.035)
    colour = theme.inks["space"]
    draw.line((x - arm, y - arm, x + arm, y + arm), fill=colour, width=thick)
    draw.line((x - arm, y + arm, x + arm, y - arm), fill=colour, width=thick)


def _height(image: Image.Image, theme: Theme, height: int, cell: int) -> None:
    """Put the badge with the height of a pile in the lower right corner."""
    plate, mask = _badges.get((theme.key, height, cell), lambda: _badge(theme, height, cell))
    image.paste(plate, (0, 0), mask)


_badges: Cache[tuple[str, int, int], tuple[Image.Image, Image.Image]] = Cache(64)


def _badge(theme: Theme, height: int, cell: int) -> tuple[Image.Image, Image.Image]:
    """Draw a badge for a tile: its colours, and where it is."""
    plate = Image.new("RGB", (cell, cell), theme.inks["text"])
    text = str(height) if height < 1000 else "999+"
    size = round(cell * 0.27)
    room = fonts.width(text, size, bold=True)
    high, pad = cell * 0.3, cell * 0.075
    wide = max(high, room + 2 * pad)
    right, foot = cell * 0.975, cell * 0.975
    at = (right - wide / 2, foot - high / 2)
    fonts.put(plate, at, text, size, theme.inks["paper"], bold=True, anchor="mm")
    mask = Image.new("L", (cell * FINE, cell * FINE))
    box = ((right - wide) * FINE, (foot - high) * FINE, right * FINE, foot * FINE)
    ImageDraw.Draw(mask).rounded_rectangle(box, high * FINE / 2, fill=255)
    return plate, mask.reduce(FINE)
