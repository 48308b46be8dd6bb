"""The tile of a hexagon with its points up: as that of a square, and its name, large where nothing lies."""

from __future__ import annotations

from PIL import Image, ImageDraw

from render import fonts
from render.colour import RGB
from render.pieces import FINE, pile
from render.themes import Theme, theme_of
from render.tile import Guard, Tile
from render.tile_marks import arrow, cross, flag, height

_CORNERS = ((0.5, 0.0), (1.0, 0.25), (1.0, 0.75), (0.5, 1.0), (0.0, 0.75), (0.0, 0.25))
"""Clockwise from the top, in (width, height)."""
_SLOTS = (4, 1, 5, 2)
"""The corners of guards: lower left, upper right, then the other two."""
_PIECE, _SEAT = 0.9, 0.43
"""Size of a piece by the width of its hexagon, and where its middle is."""
_FOOT = 0.84
"""The middle of a name below a piece."""


def corners(width: float, high: float, inset: float = 0.0) -> list[tuple[float, float]]:
    """Return the corners of a hexagon in its box, its edges `inset` (a share of the width) within."""
    scale = 1 - 2 * inset
    return [(width * (0.5 + (x - 0.5) * scale), high * (0.5 + (y - 0.5) * scale)) for x, y in _CORNERS]


def mask(width: int, high: int) -> Image.Image:
    """Return where the hexagon is in its box, for copying."""
    shape = Image.new("1", (width, high))
    ImageDraw.Draw(shape).polygon(corners(width - 1, high - 1), fill=1)
    return shape


def draw(what: Tile) -> Image.Image:
    """Return the tile in full colour, but without its name."""
    theme = theme_of(what.theme)
    wide, high = what.cell * FINE, what.high * FINE
    image = Image.new("RGB", (wide, high), theme.inks["board"])
    pen = ImageDraw.Draw(image)
    ground = _ground(pen, theme, what, (wide, high))
    seat = (wide * 0.5, high * _SEAT)
    if what.discs:
        pile(image, theme, [(sign.glyph, ink) for sign, ink in what.discs], ground, seat, wide * _PIECE)
    for guard in what.guards:
        _guard(image, theme, guard, (wide, high), small=bool(what.discs))
    _above(pen, theme, what, (wide, high))
    small = image.reduce(FINE)
    if len(what.discs) > 1:
        height(small, theme, len(what.discs), what.cell, (0.95, 0.86))
    return small


def write(image: Image.Image, what: Tile) -> None:
    """Put the name of a place on its tile."""
    theme = theme_of(what.theme)
    if not what.discs:
        colour = theme.inks["text"] if what.marks - {"guard"} else theme.soft
        at = (what.cell * 0.5, what.high * 0.5)
        fonts.put(image, at, what.name, round(what.cell * 0.32), colour, bold=True, anchor="mm")
        return
    x, y, size = what.cell * 0.5, what.high * _FOOT, round(what.cell * 0.25)
    wide, high = fonts.width(what.name, size, bold=True) / 2 + size * 0.1, size * 0.4
    plate = (round(x - wide), round(y - high), round(x + wide), round(y + high))
    ImageDraw.Draw(image).rectangle(plate, fill=_tint(theme, what))
    fonts.put(image, (x, y), what.name, size, theme.inks["text"], bold=True, anchor="mm")


def _tint(theme: Theme, what: Tile) -> RGB:
    """Return the colour of a place, as its marks ask."""
    if "to" in what.marks or "from" in what.marks:
        return theme.ground(1 if "to" in what.marks else 0.5)
    return theme.ringed if what.special else theme.inks["space"]


def _guard(image: Image.Image, theme: Theme, guard: Guard, size: tuple[int, int], *, small: bool) -> None:
    """Fill a guard's corner along half of its edges, less beside a piece."""
    along, inwards, sign = (0.5, 0.44, 0.23) if small else (0.56, 0.46, 0.25)
    points = corners(*size, 0.03)
    corner = _SLOTS[guard.slot]
    (x, y), ends = points[corner], (points[corner - 1], points[(corner + 1) % 6])
    one, other = ((x + (ex - x) * along, y + (ey - y) * along) for ex, ey in ends)
    across, down = size[0] * 0.5 - x, size[1] * 0.5 - y
    inner = (x + across * inwards, y + down * inwards)
    flag(image, theme, guard, [(x, y), one, inner, other], (x + across * sign, y + down * sign), size[0])


def _within(corner: int, size: tuple[int, int]) -> tuple[float, float]:
    """Return a point near a corner where a small sign has room."""
    x, y = _CORNERS[corner]
    return size[0] * (0.5 + (x - 0.5) * 0.66), size[1] * (0.5 + (y - 0.5) * 0.74)


def _outline(
    pen: ImageDraw.ImageDraw, size: tuple[int, int], inset: float, thick: float, colour: RGB
) -> None:
    """Draw a closed line along the edges, `thick` a share of the width, its outer side `inset` within."""
    points = corners(*size, inset + thick / 2)
    width = round(size[0] * thick)
    pen.line([*points, points[0], points[1]], fill=colour, width=width, joint="curve")


def _ground(pen: ImageDraw.ImageDraw, theme: Theme, what: Tile, size: tuple[int, int]) -> RGB:
    """Fill the space, tinted and framed as its marks ask; return the colour that pieces stand on."""
    marks, mark = what.marks, theme.inks["mark"]
    ground = _tint(theme, what)
    pen.polygon(corners(*size, 0.017), fill=ground)
    if "to" in marks:
        _outline(pen, size, 0.017, 0.05, mark)
    elif "from" in marks:
        _dashes(pen, size, mark)
    if what.special:
        _outline(pen, size, 0.085, 0.03, theme.inks["faint"])
    if "legal" in marks and not what.discs:
        x, y, radius = size[0] * 0.5, size[1] * 0.5, size[0] * 0.31
        pen.ellipse(
            (x - radius, y - radius, x + radius, y + radius), outline=mark, width=round(size[0] * 0.065)
        )
    return ground


def _dashes(pen: ImageDraw.ImageDraw, size: tuple[int, int], colour: RGB) -> None:
    """Frame a place that was left: three broken lines along each edge."""
    points = corners(*size, 0.045)
    for (x0, y0), (x1, y1) in zip(points, [*points[1:], points[0]], strict=True):
        for k in range(3):
            low, high = 0.09 + k * 0.3, 0.31 + k * 0.3
            pen.line(
                (x0 + (x1 - x0) * low, y0 + (y1 - y0) * low, x0 + (x1 - x0) * high, y0 + (y1 - y0) * high),
                fill=colour,
                width=round(size[0] * 0.04),
            )


def _above(pen: ImageDraw.ImageDraw, theme: Theme, what: Tile, size: tuple[int, int]) -> None:
    """Draw the marks that lie over the pieces."""
    mark, wide = theme.inks["mark"], size[0]
    middle = (size[0] * 0.5, size[1] * 0.5)
    if what.towards is not None:
        arrow(pen, what.towards, 0.47, middle, wide, (mark, theme.inks["space"]))
    if "legal" in what.marks and what.discs:
        points = corners(*size, 0.03)
        for nth in (1, 2, 4, 5):
            x, y = points[nth]
            ends = (points[nth - 1], points[(nth + 1) % 6])
            pen.polygon([(x, y), *((x + (ex - x) * 0.3, y + (ey - y) * 0.3) for ex, ey in ends)], fill=mark)
    if "hint" in what.marks:
        for inset in (0.035, 0.1):
            _outline(pen, size, inset, 0.03, mark)
    if "captured" in what.marks:
        cross(pen, theme, _within(5, size), wide * 1.1)
