"""The tile of a hexagon with its points up: like that of a square, with its name, large if it is empty."""

from __future__ import annotations

from PIL import Image, ImageDraw

from render import fonts
from render.colour import RGB
from render.piled_pieces import UPSCALE, draw_pile
from render.themes import Theme, theme_of
from render.tile import Guard, Tile
from render.tile_marks import capture_cross, direction_arrow, guard_corner, height_badge

_CORNERS = ((0.5, 0.0), (1.0, 0.25), (1.0, 0.75), (0.5, 1.0), (0.0, 0.75), (0.0, 0.25))
"""Clockwise from the top, in (width, height)."""
_GUARD_CORNERS = (4, 1, 5, 2)
"""The corners of guards, as indices: lower left, upper right, then the other two."""
_PIECE_SIZE, _PIECE_Y = 0.9, 0.43
"""Size of a piece, in widths of its hexagon, and y of its centre, in heights."""
_NAME_Y = 0.84
"""The y of the centre of a name below a piece, in heights of the hexagon."""


def corners(width: float, height: float, inset: float = 0.0) -> list[tuple[float, float]]:
    """Return the corners of a hexagon in its box, inset by a share of its size."""
    scale = 1 - 2 * inset
    return [(width * (0.5 + (x - 0.5) * scale), height * (0.5 + (y - 0.5) * scale)) for x, y in _CORNERS]


def mask(width: int, height: int) -> Image.Image:
    """Return the mask of a hexagon in its box."""
    shape = Image.new("1", (width, height))
    ImageDraw.Draw(shape).polygon(corners(width - 1, height - 1), fill=1)
    return shape


def draw(tile: Tile) -> Image.Image:
    """Return the tile in full colour, without its name."""
    theme = theme_of(tile.theme)
    wide, high = tile.cell * UPSCALE, tile.height * UPSCALE
    image = Image.new("RGB", (wide, high), theme.inks["board"])
    pen = ImageDraw.Draw(image)
    ground = _base(pen, theme, tile, (wide, high))
    seat = (wide * 0.5, high * _PIECE_Y)
    if tile.discs:
        draw_pile(
            image, theme, [(glyph.shape, ink) for glyph, ink in tile.discs], ground, seat, wide * _PIECE_SIZE
        )
    for guard in tile.guards:
        _guard(image, theme, guard, (wide, high), small=bool(tile.discs))
    _marks_above(pen, theme, tile, (wide, high))
    small = image.reduce(UPSCALE)
    if len(tile.discs) > 1:
        height_badge(small, theme, len(tile.discs), tile.cell, (0.95, 0.86))
    return small


def write_name(image: Image.Image, tile: Tile) -> None:
    """Write the name of a place on its tile."""
    theme = theme_of(tile.theme)
    if not tile.discs:
        colour = theme.inks["text"] if tile.marks - {"guard"} else theme.place_name
        at = (tile.cell * 0.5, tile.height * 0.5)
        fonts.write(image, at, tile.name, round(tile.cell * 0.32), colour, bold=True, anchor="mm")
        return
    x, y, size = tile.cell * 0.5, tile.height * _NAME_Y, round(tile.cell * 0.25)
    wide, high = fonts.width(tile.name, size, bold=True) / 2 + size * 0.1, size * 0.4
    plate = (round(x - wide), round(y - high), round(x + wide), round(y + high))
    ImageDraw.Draw(image).rectangle(plate, fill=_tint(theme, tile))
    fonts.write(image, (x, y), tile.name, size, theme.inks["text"], bold=True, anchor="mm")


def _tint(theme: Theme, tile: Tile) -> RGB:
    """Return the colour of a place, by its marks."""
    if "to" in tile.marks or "from" in tile.marks:
        return theme.marked_space(1 if "to" in tile.marks else 0.5)
    return theme.ringed_space if tile.special else theme.inks["space"]


def _guard(image: Image.Image, theme: Theme, guard: Guard, size: tuple[int, int], *, small: bool) -> None:
    """Fill a guard's corner along half of its edges, or less beside a piece."""
    along, inwards, away = (0.5, 0.44, 0.23) if small else (0.56, 0.46, 0.25)
    points = corners(*size, 0.03)
    corner = _GUARD_CORNERS[guard.slot]
    (x, y), ends = points[corner], (points[corner - 1], points[(corner + 1) % 6])
    one, other = ((x + (ex - x) * along, y + (ey - y) * along) for ex, ey in ends)
    across, down = size[0] * 0.5 - x, size[1] * 0.5 - y
    inner = (x + across * inwards, y + down * inwards)
    guard_corner(
        image, theme, guard, [(x, y), one, inner, other], (x + across * away, y + down * away), size[0]
    )


def _inside_corner(corner: int, size: tuple[int, int]) -> tuple[float, float]:
    """Return a point near a corner with room for a small symbol."""
    x, y = _CORNERS[corner]
    return size[0] * (0.5 + (x - 0.5) * 0.66), size[1] * (0.5 + (y - 0.5) * 0.74)


def _outline(
    pen: ImageDraw.ImageDraw, size: tuple[int, int], inset: float, thick: float, colour: RGB
) -> None:
    """Draw a closed line along the edges, `inset` from them; both lengths are shares of the width."""
    points = corners(*size, inset + thick / 2)
    width = round(size[0] * thick)
    pen.line([*points, points[0], points[1]], fill=colour, width=width, joint="curve")


def _base(pen: ImageDraw.ImageDraw, theme: Theme, tile: Tile, size: tuple[int, int]) -> RGB:
    """Fill the space, tinted and framed by its marks; return its colour, for blending pieces."""
    marks, mark = tile.marks, theme.inks["mark"]
    ground = _tint(theme, tile)
    pen.polygon(corners(*size, 0.017), fill=ground)
    if "to" in marks:
        _outline(pen, size, 0.017, 0.05, mark)
    elif "from" in marks:
        _dashes(pen, size, mark)
    if tile.special:
        _outline(pen, size, 0.085, 0.03, theme.inks["faint"])
    if "legal" in marks and not tile.discs:
        x, y, radius = size[0] * 0.5, size[1] * 0.5, size[0] * 0.31
        pen.ellipse(
            (x - radius, y - radius, x + radius, y + radius), outline=mark, width=round(size[0] * 0.065)
        )
    return ground


def _dashes(pen: ImageDraw.ImageDraw, size: tuple[int, int], colour: RGB) -> None:
    """Frame a place that a piece left: three dashes along each edge."""
    points = corners(*size, 0.045)
    for (x0, y0), (x1, y1) in zip(points, [*points[1:], points[0]], strict=True):
        for k in range(3):
            low, high = 0.09 + k * 0.3, 0.31 + k * 0.3
            pen.line(
                (x0 + (x1 - x0) * low, y0 + (y1 - y0) * low, x0 + (x1 - x0) * high, y0 + (y1 - y0) * high),
                fill=colour,
                width=round(size[0] * 0.04),
            )


def _marks_above(pen: ImageDraw.ImageDraw, theme: Theme, tile: Tile, size: tuple[int, int]) -> None:
    """Draw the marks that lie over the pieces."""
    mark, wide = theme.inks["mark"], size[0]
    middle = (size[0] * 0.5, size[1] * 0.5)
    if tile.direction is not None:
        direction_arrow(pen, tile.direction, 0.47, middle, wide, (mark, theme.inks["space"]))
    if "legal" in tile.marks and tile.discs:
        points = corners(*size, 0.03)
        for nth in (1, 2, 4, 5):
            x, y = points[nth]
            ends = (points[nth - 1], points[(nth + 1) % 6])
            pen.polygon([(x, y), *((x + (ex - x) * 0.3, y + (ey - y) * 0.3) for ex, ey in ends)], fill=mark)
    if "hint" in tile.marks:
        for inset in (0.035, 0.1):
            _outline(pen, size, inset, 0.03, mark)
    if "captured" in tile.marks:
        capture_cross(pen, theme, _inside_corner(5, size), wide * 1.1)
