"""Sprites that lie on areas of a map: the pill with a count, the tag with a code or number, a crown, a cross.

A pill shows its owner's glyph besides the colour. Each sprite is drawn once and then copied.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from PIL import Image, ImageDraw

from games.engine.scene import Ink
from render import fonts
from render.area_labels import (
    CAPITAL_HEIGHT,
    PILL_DIGITS,
    PILL_GAP,
    PILL_GLYPH,
    PILL_PAD,
    RIM,
    TAG_HEIGHT,
    TAG_PAD,
)
from render.builtin_glyphs import CROWN
from render.cache import Cache
from render.colour import RGB, clearest
from render.glyphs import InternedGlyph
from render.map_areas import UPSCALE
from render.palette import to_palette
from render.pieces import count_text, fill_glyph
from render.themes import theme_of
from render.tile_marks import capture_cross

CROWN_SIZE, CROSS_SIZE = (1.1, 0.82), (0.56, 0.56)
"""Width and height of a crown and of a cross, in heights of a pill."""
_OPAQUE = 255

Sprite: TypeAlias = tuple[Image.Image, Image.Image]
"""An image in the palette of its theme, and its mask."""


@dataclass(frozen=True, slots=True)
class CountPill:
    """The owner of an area and its count, at most `max_width` pixels wide with the rims."""

    theme: str
    cell: int
    max_width: float
    glyph: InternedGlyph
    ink: Ink
    count: int


@dataclass(frozen=True, slots=True)
class AreaTag:
    """The code or number of an area."""

    theme: str
    cell: int
    letters: int
    text: str


@dataclass(frozen=True, slots=True)
class Crown:
    """The mark of an area that began as a seat's capital."""

    theme: str
    cell: int
    ink: Ink


@dataclass(frozen=True, slots=True)
class Cross:
    """The mark of an army that was beaten."""

    theme: str
    cell: int


MapSprite: TypeAlias = CountPill | AreaTag | Crown | Cross
_sprites: Cache[tuple[MapSprite, RGB], Sprite] = Cache(2000)


def map_sprite(sprite: MapSprite, background: RGB) -> Sprite:
    """Return a sprite, centred in its image, with its edges blended with `background`."""
    return _sprites.get((sprite, background), partial(_drawn, sprite, background))


def _drawn(sprite: MapSprite, background: RGB) -> Sprite:
    if isinstance(sprite, CountPill):
        return _pill(sprite, background)
    if isinstance(sprite, AreaTag):
        return _tag(sprite, background)
    return _crown(sprite, background) if isinstance(sprite, Crown) else _cross(sprite, background)


def _canvas(wide: float, high: float, background: RGB) -> Sprite:
    """Return an empty sprite, enlarged by `UPSCALE`, whose reduced size is even each way."""
    size = (2 * UPSCALE * round(wide / 2 + 1), 2 * UPSCALE * round(high / 2 + 1))
    return Image.new("RGB", size, background), Image.new("L", size)


def _finished(images: Sprite, theme: str) -> Sprite:
    small, shown = (image.reduce(UPSCALE) for image in images)
    return to_palette(small, theme), shown.point([0] * 96 + [255] * 160).convert("1")


def _plate(
    images: Sprite, half: tuple[float, float], line: float, radius: float, colours: tuple[RGB, RGB]
) -> None:
    """Draw a plate with a rim in the centre of a sprite; `half` is half its size without the rim."""
    x, y = images[0].width / 2, images[0].height / 2
    box = (x - half[0], y - half[1], x + half[0], y + half[1])
    grown = (box[0] - line, box[1] - line, box[2] + line, box[3] + line)
    pen = ImageDraw.Draw(images[0])
    pen.rounded_rectangle(grown, radius + line, fill=colours[1])
    pen.rounded_rectangle(box, radius, fill=colours[0])
    ImageDraw.Draw(images[1]).rounded_rectangle(grown, radius + line, fill=_OPAQUE)


def _rim(cell: int) -> float:
    return max(1.0, cell * RIM)


def _pill(pill: CountPill, background: RGB) -> Sprite:
    """Draw a pill. A count that is too wide is set smaller, and padding and glyph shrink."""
    theme, cell, rim = theme_of(pill.theme), pill.cell, _rim(pill.cell)
    text = count_text(pill.count)
    inner, beside = pill.max_width - 2 * rim, cell * (2 * PILL_PAD + PILL_GLYPH + PILL_GAP)
    size = round(cell * PILL_DIGITS)
    tight = 1.0
    if fonts.width(text, size, bold=True) + beside > inner:
        tight = 0.7
        while size > 4 and fonts.width(text, size, bold=True) + beside * tight > inner:
            size -= 1
    digits = fonts.width(text, size, bold=True)
    wide = min(inner, digits + beside * tight)
    images = _canvas(pill.max_width, cell + 2 * rim, background)
    colours = (theme.inks[pill.ink], theme.outline(pill.ink))
    _plate(images, (wide / 2 * UPSCALE, cell / 2 * UPSCALE), rim * UPSCALE, cell * 0.46 * UPSCALE, colours)
    x, y = images[0].width / 2, images[0].height / 2
    colour, side = theme.glyph(pill.ink), cell * PILL_GLYPH * UPSCALE * (1 if tight == 1 else 0.85)
    left = x - wide / 2 * UPSCALE
    at = left + cell * PILL_PAD * tight * UPSCALE + side / 2
    fill_glyph(images[0], pill.glyph.shape, (at, y), (side, side), colour)
    text_at = left + (cell * (PILL_PAD + PILL_GLYPH + PILL_GAP) * tight + digits / 2) * UPSCALE
    _write(images[0], (text_at, y), text, size, colour)
    return _finished(images, pill.theme)


def _write(image: Image.Image, middle: tuple[float, float], text: str, size: int, colour: RGB) -> None:
    """Write capitals or digits, centred by their own height rather than by that of the font."""
    base = middle[1] + size * CAPITAL_HEIGHT / 2 * UPSCALE
    fonts.write(image, (middle[0], base), text, size * UPSCALE, colour, bold=True, anchor="ms")


def _tag(tag: AreaTag, background: RGB) -> Sprite:
    theme, rim, size = theme_of(tag.theme), _rim(tag.cell), tag.letters
    half = (fonts.width(tag.text, size, bold=True) / 2 + size * TAG_PAD, size * TAG_HEIGHT / 2)
    images = _canvas(2 * (half[0] + rim), 2 * (half[1] + rim), background)
    colours = (theme.inks["paper"], theme.drawn_line)
    _plate(images, (half[0] * UPSCALE, half[1] * UPSCALE), rim * UPSCALE, size * 0.2 * UPSCALE, colours)
    middle = (images[0].width / 2, images[0].height / 2)
    _write(images[0], middle, tag.text, size, theme.inks["text"])
    return _finished(images, tag.theme)


def _crown(crown: Crown, background: RGB) -> Sprite:
    """Draw a crown with a rim that makes it visible on any background."""
    theme, cell = theme_of(crown.theme), crown.cell * UPSCALE
    images = _canvas(crown.cell * CROWN_SIZE[0], crown.cell * CROWN_SIZE[1], background)
    face = theme.inks[crown.ink]
    rim = clearest(face, theme.light, theme.dark)
    x, y = images[0].width / 2, images[0].height / 2
    for side, colour in ((cell * 1.1, rim), (cell * 0.8, face)):
        at = (x, y + (cell * 0.02 if side < cell else 0))
        fill_glyph(images[0], CROWN, at, (side, side * 0.74), colour)
        fill_glyph(images[1], CROWN, at, (side, side * 0.74), _OPAQUE)
    return _finished(images, crown.theme)


def _cross(cross: Cross, background: RGB) -> Sprite:
    cell = cross.cell * UPSCALE
    images = _canvas(cross.cell * CROSS_SIZE[0], cross.cell * CROSS_SIZE[1], background)
    x, y = images[0].width / 2, images[0].height / 2
    capture_cross(ImageDraw.Draw(images[0]), theme_of(cross.theme), (x, y), cell * 2.0)
    radius = cell * 0.27
    ImageDraw.Draw(images[1]).ellipse((x - radius, y - radius, x + radius, y + radius), fill=_OPAQUE)
    return _finished(images, cross.theme)
