"""Pieces: discs seen from above at a slant, piled so that every rim shows, with their sign on the top face.

Everything is drawn at `FINE` times its size and reduced, which is what makes edges smooth. The height of a
pile sets the slant: one disc is seen nearly from above, with room for its sign; five more from the side,
with room for their rims. A pile of many shows its uppermost `VISIBLE` rims.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import TypeAlias

from PIL import Image, ImageChops, ImageDraw

from games.engine.scene import Glyph, Ink
from render import fonts
from render.colour import RGB
from render.themes import Theme

UPSCALE = 4
"""How many times larger than its size a sprite is drawn."""

MAX_VISIBLE_DISCS = 9
"""The most rims shown of one pile."""

Disc: TypeAlias = tuple[Glyph, Ink]
"""A piece: its sign and its ink."""

_Polygon: TypeAlias = tuple[tuple[float, float], ...]


def _bars(count: int, fill: float, low: float, high: float, lean: float = 0.0) -> tuple[_Polygon, ...]:
    """Bars around a rim in (angle, height), both 0..1: `count` on the visible half, left to right."""
    step = 1 / count
    return tuple(
        (
            (k * step + step * (1 - fill) / 2, low),
            (k * step + step * (1 + fill) / 2, low),
            (k * step + step * (1 + fill) / 2 + lean, high),
            (k * step + step * (1 - fill) / 2 + lean, high),
        )
        for k in range(count)
    )


_BAND = tuple(((k / 24, 0.34), ((k + 1) / 24, 0.34), ((k + 1) / 24, 0.66), (k / 24, 0.66)) for k in range(24))
_EDGES = tuple(
    tuple((x, y + up) for x, y in spot) for up in (-0.28, 0.28) for spot in _bars(24, 1.0, 0.4, 0.6)
)
_LOW = _bars(5, 0.5, 0.0, 0.5)
_HIGH = tuple(tuple((x + 0.1, y + 0.5) for x, y in spot) for spot in _LOW)

RIM_PATTERNS: dict[Ink, tuple[_Polygon, ...]] = {
    "red": (),
    "green": _bars(7, 0.42, 0.0, 1.0),
    "blue": _BAND,
    "yellow": _bars(5, 0.42, 0.3, 0.75),
    "purple": _LOW + _HIGH,
    "orange": _bars(6, 0.36, 0.0, 1.0, 0.06),
    "black": _EDGES,
}
"""The pattern of each ink's rim: plain, bars, a band, dots, checks, slants, two lines."""


def _glyph_mask(
    size: tuple[int, int], glyph: Glyph, left: float, top: float, width: float, height: float
) -> Image.Image:
    """Return a mask of a sign in the given box; where an even number of outlines overlap, it is empty."""
    whole = Image.new("1", size)
    for outline in glyph.outlines:
        one = Image.new("1", size)
        points = [(left + x * width, top + (1 - y) * height) for x, y in outline]
        ImageDraw.Draw(one).polygon(points, fill=1)
        whole = ImageChops.logical_xor(whole, one)
    return whole


def fill_glyph(
    image: Image.Image,
    glyph: Glyph,
    middle: tuple[float, float],
    size: tuple[float, float],
    colour: RGB | int,
) -> None:
    """Fill a sign on `image`, RGB or a mask, centred, its unit square stretched to `size`."""
    left, top = int(middle[0] - size[0] / 2) - 1, int(middle[1] - size[1] / 2) - 1
    room = (int(size[0]) + 4, int(size[1]) + 4)
    x, y = middle[0] - size[0] / 2 - left, middle[1] - size[1] / 2 - top
    image.paste(colour, (left, top), _glyph_mask(room, glyph, x, y, *size))


def _rim_pattern(
    draw: ImageDraw.ImageDraw,
    spots: Sequence[_Polygon],
    colour: RGB,
    middle: float,
    foot: float,
    size: tuple[float, float, float],
) -> None:
    """Draw a pattern around a rim; `size` is width and depth of its ellipse, and its rise."""
    width, depth, rise = size

    def on(angle: float, height: float) -> tuple[float, float]:
        turn = pi * angle
        return middle - cos(turn) * width / 2, foot + sin(turn) * depth / 2 - height * rise

    for spot in spots:
        draw.polygon([on(x, y) for x, y in spot], fill=colour)


def _whole_pixels(length: float) -> float:
    """Round to whole pixels of the reduced picture: equal rims become equal bytes, which compress."""
    return max(1, round(length / UPSCALE)) * float(UPSCALE)


def slant(height: int) -> tuple[float, float]:
    """Return depth of the face and rise of a rim, in cells, for a pile of `height` discs."""
    shown = min(height, MAX_VISIBLE_DISCS)
    depth = 0.64 if shown == 1 else 0.58 if shown <= 3 else 0.44
    return depth, min(0.1, (0.94 - depth) / shown)


def draw_pile(
    image: Image.Image,
    theme: Theme,
    discs: Sequence[Disc],
    background: RGB,
    middle: tuple[float, float],
    cell: float,
) -> None:
    """Draw discs, lowest first, centred on `middle`, in a cell of `cell` pixels of `image`."""
    draw = ImageDraw.Draw(image)
    depth, rise = (_whole_pixels(part * cell) for part in slant(len(discs)))
    shown = discs[-MAX_VISIBLE_DISCS:]
    width, line = cell * 0.8, max(1.0, cell * 0.018)
    x = middle[0]
    foot = _whole_pixels(middle[1] + rise * len(shown) / 2)
    low = (x - width / 2, foot - depth / 2)
    fall = cell * 0.035
    draw.ellipse(
        (low[0] - line, low[1] + fall, low[0] + width + line, low[1] + depth + fall),
        fill=theme.shadow(background),
    )
    for _, ink in shown:
        for grow, colour in ((line, theme.outline(ink)), (0.0, theme.rim(ink))):
            for y in (foot, foot - rise):
                draw.ellipse(
                    (x - width / 2 - grow, y - depth / 2 - grow, x + width / 2 + grow, y + depth / 2 + grow),
                    fill=colour,
                )
            draw.rectangle((x - width / 2 - grow, foot - rise, x + width / 2 + grow, foot), fill=colour)
        if theme.patterns:
            _rim_pattern(draw, RIM_PATTERNS.get(ink, ()), theme.hatch(ink), x, foot, (width, depth, rise))
        foot -= rise
    sign, ink = shown[-1]
    _face(image, theme, ink, sign, (x, foot), (width, depth), line)


def _face(
    image: Image.Image,
    theme: Theme,
    ink: Ink,
    glyph: Glyph,
    middle: tuple[float, float],
    size: tuple[float, float],
    line: float,
) -> None:
    draw = ImageDraw.Draw(image)
    (x, y), (width, depth) = middle, size
    draw.ellipse((x - width / 2, y - depth / 2, x + width / 2, y + depth / 2), fill=theme.outline(ink))
    draw.ellipse(
        (x - width / 2 + line, y - depth / 2 + line, x + width / 2 - line, y + depth / 2 - line),
        fill=theme.inks[ink],
    )
    high = depth * 0.74
    wide = min(high * 1.18, width * 0.66)
    fill_glyph(image, glyph, (x, y), (wide, high), theme.glyph(ink))


def draw_flat(
    image: Image.Image, theme: Theme, ink: Ink, glyph: Glyph, middle: tuple[float, float], size: float
) -> None:
    """Draw one piece flat, as panels count them: a round disc `size` pixels across with its sign."""
    line = max(1.0, size * 0.045)
    _face(image, theme, ink, glyph, middle, (size, size), line)


def draw_top_view(
    image: Image.Image, theme: Theme, disc: Disc, letter: str, middle: tuple[float, float], size: float
) -> None:
    """Draw one piece seen from above on a board: a disc with its rim around it, sign and letter on its face.

    Without a letter the sign has the face to itself. Here the rim tells the ink in every theme: the sign is
    that of a kind of piece, and not of its team.
    """
    glyph, ink = disc
    draw = ImageDraw.Draw(image)
    (x, y), line = middle, max(1.0, size * 0.035)
    outer, inner = size / 2 - line, size * 0.4
    for radius, colour in ((size / 2, theme.outline(ink)), (outer, theme.rim(ink))):
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)
    _ring_pattern(draw, RIM_PATTERNS.get(ink, ()), theme.hatch(ink), middle, (inner, outer))
    draw.ellipse((x - inner, y - inner, x + inner, y + inner), fill=theme.inks[ink])
    colour = theme.glyph(ink)
    if letter:
        fill_glyph(image, glyph, (x - size * 0.205, y), (size * 0.4, size * 0.46), colour)
        at = (x + size * 0.21, y + size * 0.01)
        wide = fonts.width(letter, round(size * 0.55), bold=True)
        high = round(size * 0.55 * min(1.0, size * 0.4 / wide))
        fonts.write(image, at, letter, high, colour, bold=True, anchor="mm")
    else:
        fill_glyph(image, glyph, middle, (size * 0.6, size * 0.6), colour)


def _ring_pattern(
    draw: ImageDraw.ImageDraw,
    spots: Sequence[_Polygon],
    colour: RGB,
    middle: tuple[float, float],
    radii: tuple[float, float],
) -> None:
    """Draw a pattern around a disc: what a rim shows in front, twice, so that it closes."""
    inner, outer = radii
    for half in (0.0, pi):
        for spot in spots:
            draw.polygon(
                [
                    (
                        middle[0] - cos(pi * angle + half) * (inner + (outer - inner) * height),
                        middle[1] - sin(pi * angle + half) * (inner + (outer - inner) * height),
                    )
                    for angle, height in spot
                ],
                fill=colour,
            )
