"""A map on its author's artwork: the picture, and over it each area in its owner's tint.

A tint keeps the lights and darks of the picture, relative to the tone that covers most of the area: so an
owner has one colour everywhere, and printed names and rivers stay legible. How much detail is kept is a
level; the caller asks for the finest that can be sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from games.engine.scene import Ink, Map, MarkKind
from render import detail_levels, map_artwork
from render.colour import BLACK, RGB, WHITE, luminance, mix
from render.detail_levels import TONES
from render.geometry import Layout
from render.map_areas import UPSCALE, draw_pattern
from render.map_artwork import Artwork, PixelBox, artwork
from render.themes import PIECE_INKS, Theme, colours, theme_of
from render.thread_safe_cache import Cache

_MAX_TONE = 0.6
"""Share of black or white in the tone farthest from the owner's tint."""
_VEIL = 0.48
"""Opacity of a dark theme's paper over a picture."""
_Key = tuple[Map, int, str, int]


@dataclass(frozen=True)
class Backdrop:
    """A map on its author's artwork without any army, and what is needed to tint it."""

    key: _Key
    """The board without bytes, the unit, the theme and the level."""
    artwork: Artwork
    palette: tuple[RGB, ...]
    base: Image.Image
    tones: Image.Image
    """The tone of each pixel of the board: 0 to 2 * `TONES`, `TONES` for the owner's plain tint."""

    @property
    def plan(self) -> Layout:
        """The layout of the board."""
        return self.artwork.plan

    def index(self, colour: RGB) -> int:
        """Return the palette index of a colour. Raises ValueError if there is none."""
        return self.palette.index(colour)

    def mask(self, place: str) -> Image.Image:
        """Return the pixels of an area within its bounding box, as a mask."""
        number, box = self.artwork.boxes[place]
        return self.artwork.numbers.crop(box).point([255 if value == number else 0 for value in range(256)])


_backdrops: Cache[_Key, Backdrop] = Cache(12)
_sprites: Cache[tuple[_Key, str, Ink | None, frozenset[MarkKind]], tuple[Image.Image, Image.Image]] = Cache(
    900
)

_patterns: Cache[tuple[Ink, PixelBox, int], Image.Image] = Cache(8)


def backdrop(board: Map, unit: int, theme: str, level: int = 0) -> Backdrop | None:
    """Return a map on its artwork; None if that is missing or can't be read."""
    seen = artwork(board, unit)
    if seen is None:
        return None
    key = (*seen.key, theme, level if seen.picture is not None else 0)
    return _backdrops.get(key, partial(_backdrop, board, seen, key))


def tinted_area(
    drawn: Backdrop, place: str, ink: Ink | None, marks: frozenset[MarkKind]
) -> tuple[Image.Image, Image.Image, tuple[int, int]] | None:
    """Return an area in its owner's tint, its mask, and its upper left corner; None if it isn't visible."""
    if place not in drawn.artwork.boxes:
        return None
    sprite, mask = _sprites.get(
        (drawn.key, place, ink, marks), partial(_area_sprite, drawn, place, ink, marks)
    )
    left, top, _, _ = drawn.artwork.boxes[place][1]
    return sprite, mask, (drawn.plan.board.x + left, drawn.plan.board.y + top)


def _backdrop(board: Map, seen: Artwork, key: _Key) -> Backdrop:
    theme, level = key[2:]
    plan, look, numbers = seen.plan, theme_of(theme), seen.numbers
    fixed = _palette(theme)
    tones = None
    if seen.picture is None:
        flat, extra = _indexed(_zone_picture(board, look, numbers), fixed)
    else:
        drawn = _dimmed(seen.picture, look)
        found, tones = detail_levels.reduce_detail(drawn, numbers if seen.masked else None, level)
        flat, extra = detail_levels.shift_palette(found, len(fixed))
    edges = map_artwork.edges(numbers, between=seen.picture is not None and seen.masked)
    flat.paste(fixed.index(look.drawn_line), (0, 0), edges)
    palette = (*fixed, *extra)
    base = Image.new("P", (plan.width, plan.height), fixed.index(look.inks["paper"]))
    base.putpalette([channel for colour in palette for channel in colour])
    base.paste(flat, (plan.board.x, plan.board.y), _rounded(flat.size, round(plan.unit * 0.16)))
    return Backdrop(key, seen, palette, base, tones or Image.new("L", numbers.size, TONES))


def tinted_alternately(drawn: Backdrop, inks: tuple[Ink, ...]) -> Image.Image:
    """Return the board with its areas tinted in these inks by turns: a quick way to see how it compresses."""
    look, seen, image = theme_of(drawn.key[2]), drawn.artwork, drawn.base.copy()
    box = (0, 0, seen.numbers.width, seen.numbers.height)
    at = (drawn.plan.board.x, drawn.plan.board.y)
    tints = Image.new("P", seen.numbers.size)
    for nth, ink in enumerate(inks):
        table = bytes(drawn.index(_tone(look, ink, min(step, 2 * TONES))) for step in range(256))
        toned = Image.frombytes("P", drawn.tones.size, drawn.tones.tobytes().translate(table))
        if look.patterns:
            toned.paste(
                drawn.index(look.area_pattern(ink)), (0, 0), _whole_pattern_mask(ink, box, drawn.plan.cell)
            )
        whose = [255 if value and value % len(inks) == nth else 0 for value in range(256)]
        tints.paste(toned, (0, 0), seen.numbers.point(whose))
    tints.paste(drawn.index(look.drawn_line), (0, 0), map_artwork.edges(seen.numbers, between=True))
    image.paste(tints, at, seen.numbers.point([0] + [255] * 255))
    return image


def _whole_pattern_mask(ink: Ink, box: PixelBox, cell: int) -> Image.Image:
    return _patterns.get((ink, box, cell), partial(_pattern_mask, ink, box, cell))


# --- the picture --------------------------------------------------------------------------------------


def _dark(theme: Theme) -> bool:
    return luminance(theme.inks["paper"]) < 0.2


def _dimmed(picture: Image.Image, theme: Theme) -> Image.Image:
    """Return a picture unchanged, or dimmed in a dark theme."""
    if not _dark(theme):
        return picture
    return Image.blend(picture, Image.new("RGB", picture.size, theme.inks["paper"]), _VEIL)


def _zone_picture(board: Map, theme: Theme, numbers: Image.Image) -> Image.Image:
    """Draw water and areas in the tints of their zones, with a broad line between zones."""
    zones = {place: nth for nth, zone in enumerate(board.zones, 1) for place in zone.places}
    lands = {nth: theme.empty_area(zone.ink) for nth, zone in enumerate(board.zones, 1)}
    of = [0] + [zones.get(area.name, 0) for area in board.areas]
    zoned = numbers.point(of + [0] * (256 - len(of)))
    image = Image.new("RGB", numbers.size, theme.sea)
    image.paste(theme.inks["space"], (0, 0), numbers.point([0] + [255] * 255))
    for nth, colour in lands.items():
        image.paste(colour, (0, 0), zoned.point([255 if value == nth else 0 for value in range(256)]))
    broad = map_artwork.edges(zoned, between=True).filter(ImageFilter.MaxFilter(3))
    image.paste(theme.drawn_line, (0, 0), broad)
    return image


def _palette(theme: str) -> tuple[RGB, ...]:
    """Return the palette of a theme, followed by the tones of each owner's tint."""
    look, own = theme_of(theme), colours(theme)
    tones = (_tone(look, ink, step) for ink in PIECE_INKS for step in range(2 * TONES + 1))
    return tuple(
        dict.fromkeys((*own, look.drawn_line, look.inks["mark"], *map(look.area_pattern, PIECE_INKS), *tones))
    )


def _tone(theme: Theme, ink: Ink, step: int) -> RGB:
    """Return a tone of an owner's tint, from step 0 for the darkest parts of a picture to 2 * `TONES`."""
    away = step - TONES
    if _dark(theme):
        away = -away  # so that dark writing on light becomes light on dark
    return mix(theme.zone(ink), BLACK if away < 0 else WHITE, abs(away) / TONES * _MAX_TONE)


def _indexed(drawn: Image.Image, palette: tuple[RGB, ...]) -> tuple[Image.Image, tuple[RGB, ...]]:
    """Return an image of a few flat colours as indices after `palette`, and these colours."""
    counted = drawn.getcolors(256 - len(palette)) or []
    extra = tuple(sorted({colour for _, colour in counted if isinstance(colour, tuple)}))
    sample = Image.new("P", (1, 1))
    sample.putpalette([channel for colour in extra for channel in colour])
    return detail_levels.shift_palette(drawn.quantize(palette=sample, dither=Image.Dither.NONE), len(palette))


def _rounded(size: tuple[int, int], radius: int) -> Image.Image:
    mask = Image.new("L", size)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), radius, fill=255)
    return mask


# --- areas --------------------------------------------------------------------------------------------


def _area_sprite(
    drawn: Backdrop, place: str, ink: Ink | None, marks: frozenset[MarkKind]
) -> tuple[Image.Image, Image.Image]:
    """Return an area as a palette image, and its mask."""
    look, cell = theme_of(drawn.key[2]), drawn.plan.cell
    _, box = drawn.artwork.boxes[place]
    mask = drawn.mask(place)
    if ink is None:
        x, y = drawn.plan.board.x, drawn.plan.board.y
        image = drawn.base.crop((box[0] + x, box[1] + y, box[2] + x, box[3] + y))
    else:
        table = bytes(drawn.index(_tone(look, ink, min(step, 2 * TONES))) for step in range(256))
        tones = drawn.tones.crop(box)
        image = Image.frombytes("P", tones.size, tones.tobytes().translate(table))
        if look.patterns:
            image.paste(drawn.index(look.area_pattern(ink)), (0, 0), _pattern_mask(ink, box, cell))
        near = map_artwork.edges(drawn.artwork.numbers.crop(box), between=True)
        image.paste(drawn.index(look.drawn_line), (0, 0), near)
    if (rim := _inner_rim(mask, marks, cell)) is not None:
        image.paste(drawn.index(look.inks["mark"]), (0, 0), rim)
    return image, mask.convert("1")


def _pattern_mask(ink: Ink, box: PixelBox, cell: int) -> Image.Image:
    """Return the mask of a seat's pattern, aligned with that on its other areas."""
    size = ((box[2] - box[0]) * UPSCALE, (box[3] - box[1]) * UPSCALE)
    image = Image.new("RGB", size, BLACK)
    draw_pattern(
        ImageDraw.Draw(image), ink, WHITE, (box[0] * UPSCALE, box[1] * UPSCALE), size, cell * UPSCALE
    )
    return image.convert("L").reduce(UPSCALE).point([0] * 96 + [255] * 160)


def _inner_rim(mask: Image.Image, marks: frozenset[MarkKind], cell: int) -> Image.Image | None:
    """Return the mask of an area's inner rim: solid where something happened, dashed where it may."""
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
