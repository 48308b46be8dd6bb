"""What stands on an area: the pill with its count, the tag with its code or number, a crown, a cross.

The pill carries its owner's sign, so that its colour says nothing alone. Each is drawn once and then copied.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from PIL import Image, ImageDraw

from games.engine.scene import Ink
from render import fonts
from render.area_labels import BETWEEN, CAPITAL, DIGITS, PAD, RIM, SIGN, TAG, TAG_PAD
from render.builtin_glyphs import CROWN
from render.cache import Cache
from render.colour import RGB, clearest
from render.glyphs import Sign
from render.map_areas import FINE
from render.palette import flatten
from render.pieces import stamp
from render.themes import theme_of
from render.tile_marks import cross

MOST = 999
"""Greater counts are written as `999+`."""
CROWN_SIZE, CROSS_SIZE = (1.1, 0.82), (0.56, 0.56)
"""Width and height of a crown and of a cross, by the height of a pill."""
_SHOWN = 255

Sprite: TypeAlias = tuple[Image.Image, Image.Image]
"""An image in the palette of its theme, and which of its pixels count."""


@dataclass(frozen=True, slots=True)
class Pill:
    """Who stands on an area, and how many. It is at most `room` pixels wide, rims included."""

    theme: str
    cell: int
    room: float
    sign: Sign
    ink: Ink
    count: int


@dataclass(frozen=True, slots=True)
class Tag:
    """What an area is called."""

    theme: str
    cell: int
    letters: int
    text: str


@dataclass(frozen=True, slots=True)
class Crown:
    """Whose capital an area was at first."""

    theme: str
    cell: int
    ink: Ink


@dataclass(frozen=True, slots=True)
class Cross:
    """An army was beaten here."""

    theme: str
    cell: int


Badge: TypeAlias = Pill | Tag | Crown | Cross
_badges: Cache[tuple[Badge, RGB], Sprite] = Cache(2000)


def badge(what: Badge, ground: RGB) -> Sprite:
    """Return the sprite of a badge with its middle in the middle; its edges are blended with `ground`."""
    return _badges.get((what, ground), partial(_drawn, what, ground))


def _drawn(what: Badge, ground: RGB) -> Sprite:
    if isinstance(what, Pill):
        return _pill(what, ground)
    if isinstance(what, Tag):
        return _tag(what, ground)
    return _crown(what, ground) if isinstance(what, Crown) else _cross(what, ground)


def _canvas(wide: float, high: float, ground: RGB) -> Sprite:
    """Return an image, three times as large as asked for, with an even number of pixels each way."""
    size = (2 * FINE * round(wide / 2 + 1), 2 * FINE * round(high / 2 + 1))
    return Image.new("RGB", size, ground), Image.new("L", size)


def _done(images: Sprite, theme: str) -> Sprite:
    small, shown = (image.reduce(FINE) for image in images)
    return flatten(small, theme), shown.point([0] * 96 + [255] * 160).convert("1")


def _plate(
    images: Sprite, half: tuple[float, float], line: float, radius: float, colours: tuple[RGB, RGB]
) -> None:
    """Draw a plate with a rim around the middle; `half` is half its size without the rim."""
    x, y = images[0].width / 2, images[0].height / 2
    box = (x - half[0], y - half[1], x + half[0], y + half[1])
    grown = (box[0] - line, box[1] - line, box[2] + line, box[3] + line)
    pen = ImageDraw.Draw(images[0])
    pen.rounded_rectangle(grown, radius + line, fill=colours[1])
    pen.rounded_rectangle(box, radius, fill=colours[0])
    ImageDraw.Draw(images[1]).rounded_rectangle(grown, radius + line, fill=_SHOWN)


def _rim(cell: int) -> float:
    return max(1.0, cell * RIM)


def _pill(what: Pill, ground: RGB) -> Sprite:
    """Draw a pill. A count too long for its room is set smaller, and its sign stays."""
    theme, cell, rim = theme_of(what.theme), what.cell, _rim(what.cell)
    text = str(what.count) if what.count <= MOST else f"{MOST}+"
    inner, beside = what.room - 2 * rim, cell * (2 * PAD + SIGN + BETWEEN)
    size = round(cell * DIGITS)
    tight = 1.0
    if fonts.width(text, size, bold=True) + beside > inner:
        tight = 0.7
        while size > 4 and fonts.width(text, size, bold=True) + beside * tight > inner:
            size -= 1
    digits = fonts.width(text, size, bold=True)
    wide = min(inner, digits + beside * tight)
    images = _canvas(what.room, cell + 2 * rim, ground)
    colours = (theme.inks[what.ink], theme.outline(what.ink))
    _plate(images, (wide / 2 * FINE, cell / 2 * FINE), rim * FINE, cell * 0.46 * FINE, colours)
    x, y = images[0].width / 2, images[0].height / 2
    colour, side = theme.sign(what.ink), cell * SIGN * FINE * (1 if tight == 1 else 0.85)
    left = x - wide / 2 * FINE
    at = left + cell * PAD * tight * FINE + side / 2
    stamp(images[0], what.sign.glyph, (at, y), (side, side), colour)
    text_at = left + (cell * (PAD + SIGN + BETWEEN) * tight + digits / 2) * FINE
    _write(images[0], (text_at, y), text, size, colour)
    return _done(images, what.theme)


def _write(image: Image.Image, middle: tuple[float, float], text: str, size: int, colour: RGB) -> None:
    """Write capitals or digits, centred by their own height rather than by that of all letters."""
    base = middle[1] + size * CAPITAL / 2 * FINE
    fonts.put(image, (middle[0], base), text, size * FINE, colour, bold=True, anchor="ms")


def _tag(what: Tag, ground: RGB) -> Sprite:
    theme, rim, size = theme_of(what.theme), _rim(what.cell), what.letters
    half = (fonts.width(what.text, size, bold=True) / 2 + size * TAG_PAD, size * TAG / 2)
    images = _canvas(2 * (half[0] + rim), 2 * (half[1] + rim), ground)
    colours = (theme.inks["paper"], theme.groove)
    _plate(images, (half[0] * FINE, half[1] * FINE), rim * FINE, size * 0.2 * FINE, colours)
    middle = (images[0].width / 2, images[0].height / 2)
    _write(images[0], middle, what.text, size, theme.inks["text"])
    return _done(images, what.theme)


def _crown(what: Crown, ground: RGB) -> Sprite:
    """Draw a crown with a rim by which it is seen on any ground."""
    theme, cell = theme_of(what.theme), what.cell * FINE
    images = _canvas(what.cell * CROWN_SIZE[0], what.cell * CROWN_SIZE[1], ground)
    face = theme.inks[what.ink]
    rim = clearest(face, theme.light, theme.dark)
    x, y = images[0].width / 2, images[0].height / 2
    for side, colour in ((cell * 1.1, rim), (cell * 0.8, face)):
        at = (x, y + (cell * 0.02 if side < cell else 0))
        stamp(images[0], CROWN, at, (side, side * 0.74), colour)
        stamp(images[1], CROWN, at, (side, side * 0.74), _SHOWN)
    return _done(images, what.theme)


def _cross(what: Cross, ground: RGB) -> Sprite:
    cell = what.cell * FINE
    images = _canvas(what.cell * CROSS_SIZE[0], what.cell * CROSS_SIZE[1], ground)
    x, y = images[0].width / 2, images[0].height / 2
    cross(ImageDraw.Draw(images[0]), theme_of(what.theme), (x, y), cell * 2.0)
    radius = cell * 0.27
    ImageDraw.Draw(images[1]).ellipse((x - radius, y - radius, x + radius, y + radius), fill=_SHOWN)
    return _done(images, what.theme)
