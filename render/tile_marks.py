"""Marks over the pieces, on places of any shape."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin

from PIL import Image, ImageDraw

from games.engine.scene import Glyph, Ink
from render import fonts
from render.colour import RGB
from render.piled_pieces import UPSCALE, count_text, fill_glyph
from render.themes import Theme
from render.thread_safe_cache import Cache
from render.tile import Guard


def direction_arrow(
    draw: ImageDraw.ImageDraw,
    direction: int,
    reach: float,
    middle: tuple[float, float],
    side: float,
    colours: tuple[RGB, RGB],
) -> None:
    """Draw an arrowhead that points out of a place, in a direction in degrees clockwise from the right.

    `reach` is the distance of its tip from the middle, in sides; `colours` are those of arrow and rim.
    """
    dx, dy = round(cos(radians(direction)), 6), round(sin(radians(direction)), 6)
    fill, rim = colours
    for size, colour in ((0.21, rim), (0.17, fill)):
        tip = reach + (size - 0.17) * 0.3
        x, y = middle[0] + side * dx * tip, middle[1] + side * dy * tip
        back_x, back_y = x - dx * size * side, y - dy * size * side
        across = size * side * 1.05
        draw.polygon(
            (
                (x, y),
                (back_x - dy * across, back_y + dx * across),
                (back_x + dy * across, back_y - dx * across),
            ),
            fill=colour,
        )


def capture_cross(draw: ImageDraw.ImageDraw, theme: Theme, middle: tuple[float, float], side: float) -> None:
    """Draw the mark of a capture: a cross on a disc, about a quarter of `side` across."""
    x, y = middle
    radius = side * 0.135
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=theme.inks["space"])
    radius = side * 0.115
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=theme.danger)
    arm, thick = radius * 0.5, round(side * 0.035)
    colour = theme.inks["space"]
    draw.line((x - arm, y - arm, x + arm, y + arm), fill=colour, width=thick)
    draw.line((x - arm, y + arm, x + arm, y - arm), fill=colour, width=thick)


def guard_corner(
    image: Image.Image,
    theme: Theme,
    guard: Guard,
    shape: list[tuple[float, float]],
    middle: tuple[float, float],
    side: float,
) -> None:
    """Fill a corner in the ink of a guard, with its glyph at `middle`."""
    pen = ImageDraw.Draw(image)
    pen.polygon(shape, fill=theme.inks[guard.ink])
    pen.line([*shape, shape[0], shape[1]], fill=theme.outline(guard.ink), width=round(side * 0.02))
    fill_glyph(image, guard.glyph.shape, middle, (side * 0.21, side * 0.21), theme.glyph(guard.ink))


def glyph_badge(
    image: Image.Image, colours: tuple[RGB, RGB], glyph: Glyph, middle: tuple[float, float], side: float
) -> None:
    """Draw a small disc with a glyph on a tile; `colours` are those of the disc, and of its glyph and rim."""
    pen = ImageDraw.Draw(image)
    x, y = middle
    for radius, colour in ((side * 0.17, colours[1]), (side * 0.145, colours[0])):
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)
    fill_glyph(image, glyph, middle, (side * 0.21, side * 0.21), colours[1])


def flags(image: Image.Image, theme: Theme, inks: Sequence[Ink], side: float, *, large: bool) -> None:
    """Draw flags: small ones from the upper right corner down, or a large one if it is alone."""
    pen = ImageDraw.Draw(image)
    size = side * (0.72 if large and len(inks) == 1 else 0.34)
    for nth, ink in enumerate(inks):
        x, y = side * 0.64, size * (0.1 + 0.7 * nth)
        if large and len(inks) == 1:
            x, y = side * 0.24, side * 0.13
        cloth = [(x, y), (x + size, y + size * 0.28), (x, y + size * 0.56)]
        thick = max(2, round(side * 0.03))
        pole = (x - size * 0.05, y - size * 0.04, x + size * 0.07, y + size)
        pen.rectangle(
            [*(edge - thick for edge in pole[:2]), *(edge + thick for edge in pole[2:])], theme.light
        )
        pen.polygon(cloth, fill=theme.inks[ink])
        pen.line([*cloth, cloth[0], cloth[1]], fill=theme.outline(ink), width=thick)
        pen.rectangle(pole, fill=theme.dark)


def guard_corners(image: Image.Image, theme: Theme, guards: tuple[Guard, ...]) -> None:
    """Fill the guards' corners of a square or die: lower left, upper right, then the other two."""
    wide, high = image.size
    near, far, away = wide * 0.04, wide * 0.46, wide * 0.165
    for guard in guards:
        x, right = ((0, 1), (wide, -1), (0, 1), (wide, -1))[guard.slot]
        y, down = ((high, -1), (0, 1), (0, 1), (high, -1))[guard.slot]
        ends = [(near, near), (far, near), (near, far)]
        shape = [(x + right * across, y + down * along) for across, along in ends]
        guard_corner(image, theme, guard, shape, (x + right * away, y + down * away), wide)


def height_badge(
    image: Image.Image, theme: Theme, count: int, cell: int, corner: tuple[float, float] = (0.975, 0.975)
) -> None:
    """Draw a badge with the height of a pile; `corner` is its lower right corner, in cells."""
    key = (theme.key, count, cell, corner, image.size)
    plate, mask = _height_badges.get(key, lambda: _height_badge(theme, count, cell, corner, image.size))
    image.paste(plate, (0, 0), mask)


_BadgeKey = tuple[str, int, int, tuple[float, float], tuple[int, int]]
_height_badges: Cache[_BadgeKey, tuple[Image.Image, Image.Image]] = Cache(64)


def _height_badge(
    theme: Theme, count: int, cell: int, corner: tuple[float, float], size: tuple[int, int]
) -> tuple[Image.Image, Image.Image]:
    """Return the badge in the size of its tile, and its mask."""
    plate = Image.new("RGB", size, theme.inks["text"])
    text = count_text(count)
    letters = round(cell * 0.27)
    room = fonts.width(text, letters, bold=True)
    high, pad = cell * 0.3, cell * 0.075
    wide = max(high, room + 2 * pad)
    right, foot = cell * corner[0], cell * corner[1]
    at = (right - wide / 2, foot - high / 2)
    fonts.write(plate, at, text, letters, theme.inks["paper"], bold=True, anchor="mm")
    mask = Image.new("L", (size[0] * UPSCALE, size[1] * UPSCALE))
    box = ((right - wide) * UPSCALE, (foot - high) * UPSCALE, right * UPSCALE, foot * UPSCALE)
    ImageDraw.Draw(mask).rounded_rectangle(box, high * UPSCALE / 2, fill=255)
    return plate, mask.reduce(UPSCALE)
