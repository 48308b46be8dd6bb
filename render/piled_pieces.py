"""Pieces: discs seen at a slant, piled so that every rim shows, with a glyph on the top face.

Everything is drawn at `UPSCALE` times its size and then reduced, which makes edges smooth. The height of a
pile sets the slant: a single disc is seen nearly from above, with room for its glyph, and five more from the
side, with room for their rims. A high pile shows its uppermost `MAX_VISIBLE_DISCS` rims.
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
"""Factor by which sprites are drawn larger and then reduced."""

MAX_VISIBLE_DISCS = 9
"""Maximum number of rims shown of one pile."""

MAX_COUNT = 999
"""The largest count of pieces that is written in full."""

Disc: TypeAlias = tuple[Glyph, Ink]
"""A piece: its glyph and its ink."""

_Polygon: TypeAlias = tuple[tuple[float, float], ...]


def _bars(count: int, fill: float, low: float, high: float, lean: float = 0.0) -> tuple[_Polygon, ...]:
    """Return bars on the visible half of a rim, left to right, as (angle, height), both from 0 to 1."""
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
"""The pattern on the rims of each ink: plain, bars, a band, dots, checks, slanted bars, two lines."""


def _glyph_mask(
    size: tuple[int, int], glyph: Glyph, left: float, top: float, width: float, height: float
) -> Image.Image:
    """Return the mask of a glyph in a box, filled by the even-odd rule."""
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
    """Fill a glyph on an RGB image or a mask, centred on `middle`, its unit square stretched to `size`."""
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
    """Draw a pattern on a rim; `size` is the width and depth of its ellipse, and its height."""
    width, depth, rise = size

    def on(angle: float, height: float) -> tuple[float, float]:
        turn = pi * angle
        return middle - cos(turn) * width / 2, foot + sin(turn) * depth / 2 - height * rise

    for spot in spots:
        draw.polygon([on(x, y) for x, y in spot], fill=colour)


def _whole_pixels(length: float) -> float:
    """Return a length rounded to whole pixels of the reduced picture: equal rims compress better."""
    return max(1, round(length / UPSCALE)) * float(UPSCALE)


def count_text(count: int) -> str:
    """Return a count of pieces as text; one above `MAX_COUNT` as `999+`."""
    return str(count) if count <= MAX_COUNT else f"{MAX_COUNT}+"


def slant(height: int) -> tuple[float, float]:
    """Return the depth of the face and the height of a rim in a pile of `height` discs, in cells."""
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
    """Draw a pile of discs, lowest first, centred on `middle`, in a cell of `cell` pixels."""
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
    glyph, ink = shown[-1]
    _face(image, theme, ink, glyph, (x, foot), (width, depth), line)


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
    """Draw a piece as in panels: a round disc with its glyph, `size` pixels across."""
    line = max(1.0, size * 0.045)
    _face(image, theme, ink, glyph, middle, (size, size), line)


def draw_top_view(
    image: Image.Image, theme: Theme, disc: Disc, letter: str, middle: tuple[float, float], size: float
) -> None:
    """Draw a piece on a board seen from above: a disc within its rim, with its glyph and letter.

    Without a letter, the glyph fills the face. The rim shows the pattern of the ink in every theme, because
    here the glyph shows the kind of piece, not its seat.
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
    """Draw the pattern of a rim on a ring around a disc: on both halves, so that it closes."""
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
