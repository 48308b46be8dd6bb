"""What the author of a map drew, as a board: the picture, and over it each area in its owner's tint.

An area's tint keeps the lights and darks of the picture, seen from the tone that the area mostly has: so an
owner looks the same everywhere, and names and rivers can still be read. Whatever was drawn, a board stays
within a budget of bytes: the busier a picture is, the fewer colours are left of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from games.engine.scene import Ink, Map, MarkKind
from render import ground_mask, ground_picture
from render.cache import Cache
from render.colour import BLACK, RGB, WHITE, luminance, mix
from render.geometry import Layout
from render.ground_mask import Box
from render.ground_picture import STEPS
from render.layouts import layout
from render.palette import colours
from render.themes import PIECES, Theme, theme_of
from render.tile_area import FINE, mesh

_DEEPEST = 0.6
"""How far the last tone is from the owner's tint."""
_VEIL = 0.48
"""How much of a dark theme's paper lies over a picture."""
_WIDEST = 4000


@dataclass(frozen=True)
class Backdrop:
    """A map with its author's picture, before anybody stands on it, and what is needed to tint it."""

    key: tuple[Map, int, str]
    """The board without bytes, the unit and the theme."""
    plan: Layout
    palette: tuple[RGB, ...]
    base: Image.Image
    numbers: Image.Image
    """Of the size of the board: which area each pixel is of, 0 for none."""
    tones: Image.Image
    """Of the same size: 0 to 2 * STEPS."""
    boxes: dict[str, tuple[int, Box]]
    """The number of each area that is seen, and where it lies on the board."""

    def index(self, colour: RGB) -> int:
        """The place of a colour in the palette."""
        return self.palette.index(colour)

    def mask(self, place: str) -> Image.Image:
        """The pixels of an area within its box."""
        number, box = self.boxes[place]
        return self.numbers.crop(box).point([255 if value == number else 0 for value in range(256)])


_backdrops: Cache[tuple[Map, int, str], Backdrop | None] = Cache(12)
_sprites: Cache[
    tuple[tuple[Map, int, str], str, Ink | None, frozenset[MarkKind]], tuple[Image.Image, Image.Image]
] = Cache(900)


def backdrop(board: Map, unit: int, theme: str) -> Backdrop | None:
    """Return a map with what its author drew; None if that isn't there, or can't be read."""
    if board.ground is None or not board.ground.there:
        return None
    key = (_light(board), unit, theme)
    return _backdrops.get(key, partial(_backdrop, board, key))


def tinted(
    drawn: Backdrop, place: str, ink: Ink | None, marks: frozenset[MarkKind]
) -> tuple[Image.Image, Image.Image, tuple[int, int]] | None:
    """Return an area in its owner's tint, its mask, and its upper left corner; None if it isn't seen."""
    if place not in drawn.boxes:
        return None
    sprite, mask = _sprites.get((drawn.key, place, ink, marks), partial(_sprite, drawn, place, ink, marks))
    left, top, _, _ = drawn.boxes[place][1]
    return sprite, mask, (drawn.plan.board.x + left, drawn.plan.board.y + top)


def _light(board: Map) -> Map:
    """Return an equal board that holds no bytes, to be kept as a key."""
    ground = board.ground
    return board if ground is None else replace(board, ground=replace(ground, picture=b"", mask=b""))


def _read(data: bytes, mode: str, size: tuple[int, int]) -> Image.Image | None:
    """Return a picture; None for none, and for what is damaged or of another size than its map."""
    if not data:
        return None
    try:
        image = Image.open(BytesIO(data), formats=("PNG", "JPEG"))
        if image.size != size or max(size) > _WIDEST:
            return None
        return image.convert(mode)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None


def _backdrop(board: Map, key: tuple[Map, int, str]) -> Backdrop | None:
    _, unit, theme = key
    if board.ground is None:
        return None
    picture = _read(board.ground.picture, "RGB", board.size)
    mask = _read(board.ground.mask, "L", board.size)
    if picture is None and mask is None:
        return None
    plan, look = layout(board, 0, unit), theme_of(theme)
    size = (plan.board.width, plan.board.height)
    fixed = _with_tints(theme)
    numbers = ground_mask.discs(board, plan) if mask is None else ground_mask.numbered(board, plan, mask)
    boxes = dict(ground_mask.boxes_of(board, numbers))
    tones = Image.new("L", size, STEPS)
    if picture is None:
        flat, extra = _coloured(_plain(board, look, numbers), fixed)
        flat.paste(fixed.index(look.groove), (0, 0), ground_mask.links(board, plan, numbers))
    else:
        whose = None if mask is None else ground_mask.seen(board, size, mask)
        found, few = ground_picture.fitting(_seen(board, size, picture, look), whose)
        flat, extra = ground_picture.shifted(found.resize(size, Image.Resampling.NEAREST), len(fixed))
        if few is not None:
            tones = few.resize(size, Image.Resampling.NEAREST)
    edges = ground_mask.edges(numbers, between=picture is not None and mask is not None)
    flat.paste(fixed.index(look.groove), (0, 0), edges)
    palette = (*fixed, *extra)
    base = Image.new("P", (plan.width, plan.height), fixed.index(look.inks["paper"]))
    base.putpalette([channel for colour in palette for channel in colour])
    base.paste(flat, (plan.board.x, plan.board.y), _rounded(flat.size, round(plan.unit * 0.16)))
    return Backdrop(key, plan, palette, base, numbers, tones, boxes)


# --- the picture --------------------------------------------------------------------------------------


def _dark(theme: Theme) -> bool:
    return luminance(theme.inks["paper"]) < 0.2


def _seen(board: Map, size: tuple[int, int], picture: Image.Image, theme: Theme) -> Image.Image:
    """Return the part of a picture that is looked at, no larger than it is drawn; dimmed among dark."""
    part = ground_mask.window(board, picture)
    if part.width > size[0]:
        part = part.resize(size, Image.Resampling.LANCZOS)
    if _dark(theme):
        part = Image.blend(part, Image.new("RGB", part.size, theme.inks["paper"]), _VEIL)
    return part


def _plain(board: Map, theme: Theme, numbers: Image.Image) -> Image.Image:
    """Return water, and areas in the tints of their zones, with a broad line between zones."""
    zones = {place: nth for nth, zone in enumerate(board.zones, 1) for place in zone.places}
    lands = {nth: theme.land(zone.ink) for nth, zone in enumerate(board.zones, 1)}
    of = [0] + [zones.get(area.name, 0) for area in board.areas]
    zoned = numbers.point(of + [0] * (256 - len(of)))
    image = Image.new("RGB", numbers.size, theme.sea)
    image.paste(theme.inks["space"], (0, 0), numbers.point([0] + [255] * 255))
    for nth, colour in lands.items():
        image.paste(colour, (0, 0), zoned.point([255 if value == nth else 0 for value in range(256)]))
    broad = ground_mask.edges(zoned, between=True).filter(ImageFilter.MaxFilter(3))
    image.paste(theme.groove, (0, 0), broad)
    return image


def _with_tints(theme: str) -> tuple[RGB, ...]:
    """Return the palette of a theme, and behind it the tones of each owner's tint."""
    look, own = theme_of(theme), colours(theme)
    tones = (_tone(look, ink, step) for ink in PIECES for step in range(2 * STEPS + 1))
    return tuple(dict.fromkeys((*own, look.groove, look.inks["mark"], *map(look.mesh, PIECES), *tones)))


def _tone(theme: Theme, ink: Ink, step: int) -> RGB:
    """Return a tone of an owner's tint, from the darkest parts of a picture to its lightest."""
    away = step - STEPS
    if _dark(theme):
        away = -away  # what is written dark on light is written light on dark
    return mix(theme.zoned(ink), BLACK if away < 0 else WHITE, abs(away) / STEPS * _DEEPEST)


def _coloured(drawn: Image.Image, palette: tuple[RGB, ...]) -> tuple[Image.Image, tuple[RGB, ...]]:
    """Return an image of few plain colours as places in a palette, with the colours that this lacks."""
    counted = drawn.getcolors(256 - len(palette)) or []
    extra = tuple(sorted({colour for _, colour in counted if isinstance(colour, tuple)}))
    sample = Image.new("P", (1, 1))
    sample.putpalette([channel for colour in extra for channel in colour])
    return ground_picture.shifted(drawn.quantize(palette=sample, dither=Image.Dither.NONE), len(palette))


def _rounded(size: tuple[int, int], radius: int) -> Image.Image:
    mask = Image.new("L", size)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), radius, fill=255)
    return mask


# --- areas --------------------------------------------------------------------------------------------


def _sprite(
    drawn: Backdrop, place: str, ink: Ink | None, marks: frozenset[MarkKind]
) -> tuple[Image.Image, Image.Image]:
    """Return an area as a palette image, and which of its pixels count."""
    look, cell = theme_of(drawn.key[2]), drawn.plan.cell
    _, box = drawn.boxes[place]
    mask = drawn.mask(place)
    if ink is None:
        x, y = drawn.plan.board.x, drawn.plan.board.y
        image = drawn.base.crop((box[0] + x, box[1] + y, box[2] + x, box[3] + y))
    else:
        table = bytes(drawn.index(_tone(look, ink, min(step, 2 * STEPS))) for step in range(256))
        tones = drawn.tones.crop(box)
        image = Image.frombytes("P", tones.size, tones.tobytes().translate(table))
        if look.patterns:
            image.paste(drawn.index(look.mesh(ink)), (0, 0), _pattern(ink, box, cell))
        near = ground_mask.edges(drawn.numbers.crop(box), between=True)
        image.paste(drawn.index(look.groove), (0, 0), near)
    if (rim := _rim(mask, marks, cell)) is not None:
        image.paste(drawn.index(look.inks["mark"]), (0, 0), rim)
    return image, mask.convert("1")


def _pattern(ink: Ink, box: Box, cell: int) -> Image.Image:
    """Return where the pattern of a seat is drawn, in step with that of all its other areas."""
    size = ((box[2] - box[0]) * FINE, (box[3] - box[1]) * FINE)
    image = Image.new("RGB", size, BLACK)
    mesh(ImageDraw.Draw(image), ink, WHITE, (box[0] * FINE, box[1] * FINE), size, cell * FINE)
    return image.convert("L").reduce(FINE).point([0] * 96 + [255] * 160)


def _rim(mask: Image.Image, marks: frozenset[MarkKind], cell: int) -> Image.Image | None:
    """Return the inner rim of an area: broad where something happened, dashed where something may."""
    if marks & {"changed", "to", "captured"}:
        wide = round(cell * 0.17)
    elif "from" in marks:
        wide = round(cell * 0.1)
    elif marks & {"legal", "hint"}:
        wide = round(cell * (0.17 if "hint" in marks else 0.12))
    else:
        return None
    inner = Image.new("L", (mask.width + 2, mask.height + 2))
    inner.paste(mask, (1, 1))
    for _ in range(max(1, wide)):
        inner = inner.filter(ImageFilter.MinFilter(3))
    rim = ImageChops.subtract(mask, inner.crop((1, 1, mask.width + 1, mask.height + 1)))
    if marks & {"changed", "to", "captured", "from"}:
        return rim
    stripes, step = Image.new("L", mask.size), max(4, round(cell * 0.4))
    pen = ImageDraw.Draw(stripes)
    for at in range(-mask.height, mask.width, 2 * step):
        pen.polygon(
            (
                (at, 0),
                (at + step, 0),
                (at + step + mask.height, mask.height),
                (at + mask.height, mask.height),
            ),
            fill=255,
        )
    return ImageChops.darker(rim, stripes)
