"""Armies on a map: crowns and crosses first, then the tags of areas, attack arrows, and last the counts.

A pill shows its owner's glyph besides the colour. Each sprite is drawn once and then copied.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import hypot
from typing import TypeAlias

from PIL import Image, ImageDraw

from games.engine.scene import Ink, Scene, Spot, Token
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
    AreaLabel,
    AreaLabels,
)
from render.board_contents import piles
from render.colour import RGB, clearest
from render.geometry import Layout
from render.glyphs import CROWN, InternedGlyph, interned_glyphs
from render.label_packing import Rect
from render.map_areas import UPSCALE, area_colour, draw_arrow
from render.piled_pieces import count_text, fill_glyph
from render.themes import theme_of, to_palette
from render.thread_safe_cache import Cache
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


_MIN_ARROW = 1.8
"""Minimum length of an arrow that stops before the tag, in heights of a pill; a shorter one covers it."""


def draw_armies(
    image: Image.Image,
    scene: Scene,
    plan: Layout,
    labels: AreaLabels,
    theme: str,
    wrapping: frozenset[frozenset[str]] = frozenset(),
) -> None:
    """Draw all sprites and attacks on a map. `wrapping` are the neighbours that are linked over the rims."""
    tops = {place: stack[-1] for place, stack in piles(scene).items()}
    colours = _area_colours(scene, tops, theme)
    boxes = [box for label in labels.by_area.values() for box in (label.pill, label.tag)]
    _draw_crowns_and_crosses(image, scene, plan, labels, theme, colours, boxes)
    for place, label in labels.by_area.items():
        at = label.tag_centre if place in tops else _label_centre(label)
        _paste(image, map_sprite(AreaTag(theme, labels.cell, labels.letters, label.text), colours[place]), at)
    _draw_attacks(image, scene, wrapping, plan, labels, theme)
    glyphs = interned_glyphs(scene.glyphs, [token.glyph for token in scene.tokens])
    for place, label in labels.by_area.items():
        if (token := tops.get(place)) is not None:
            room = round(label.pill[2] - label.pill[0], 1)
            pill = CountPill(theme, labels.cell, room, glyphs[token.glyph], token.ink, token.count)
            _paste(image, map_sprite(pill, colours[place]), label.pill_centre)


def _area_colours(scene: Scene, tops: dict[str, Token], theme: str) -> dict[str, RGB]:
    """Return the colour of each area, which the edges of its sprites are blended with."""
    look = theme_of(theme)
    zones = {place: zone.ink for zone in scene.board.zones for place in zone.places}
    return {
        place: area_colour(look, tops[place].ink if place in tops else None, zones.get(place))
        for place in scene.board.places
    }


def _label_centre(label: AreaLabel) -> Spot:
    """Return the centre of pill and tag together, for a tag without a pill."""
    left, right = min(label.pill[0], label.tag[0]), max(label.pill[2], label.tag[2])
    top, bottom = min(label.pill[1], label.tag[1]), max(label.pill[3], label.tag[3])
    return (left + right) / 2, (top + bottom) / 2


def _paste(image: Image.Image, sprite: tuple[Image.Image, Image.Image], at: Spot) -> None:
    small, mask = sprite
    image.paste(small, (round(at[0] - small.width / 2), round(at[1] - small.height / 2)), mask)


def _draw_crowns_and_crosses(
    image: Image.Image,
    scene: Scene,
    plan: Layout,
    labels: AreaLabels,
    theme: str,
    colours: dict[str, RGB],
    boxes: Sequence[Rect],
) -> None:
    """Draw crowns and crosses beside their labels, where they overlap the fewest others."""
    taken = list(boxes)
    held = {token.at for token in scene.tokens}
    marks = [mark for mark in scene.marks if mark.kind == "capital"]
    marks += [mark for mark in scene.marks if mark.kind == "captured" and mark.at in held]
    for mark in dict.fromkeys(marks):
        if (label := labels.by_area.get(mark.at)) is None:
            continue
        crown = mark.kind == "capital" and mark.ink is not None
        if crown and mark.ink is not None:
            sprite = map_sprite(Crown(theme, labels.cell, mark.ink), colours[mark.at])
            size = (CROWN_SIZE[0] * labels.cell, CROWN_SIZE[1] * labels.cell)
        else:
            sprite = map_sprite(Cross(theme, labels.cell), colours[mark.at])
            size = (CROSS_SIZE[0] * labels.cell, CROSS_SIZE[1] * labels.cell)
        spots = list(_spots_around(label, size, right=not crown))
        own = (label.pill, label.tag)
        others = [box for box in taken if box not in own]
        seen = [spot for spot in spots if _inside(plan, spot, size)] or spots
        at = min(seen, key=lambda spot: sum(_overlap(_box(spot, size), box) for box in others))
        taken.append(_box(at, size))
        _paste(image, sprite, at)


def _spots_around(label: AreaLabel, size: tuple[float, float], *, right: bool) -> Iterator[Spot]:
    """Yield positions around a label where most of a sprite below it stays visible, the usual one first."""
    left, far = min(label.pill[0], label.tag[0]), max(label.pill[2], label.tag[2])
    top, foot = min(label.pill[1], label.tag[1]), max(label.pill[3], label.tag[3])
    wide, high = size
    ends = (label.pill[0] + wide * 0.3, label.pill[2] - wide * 0.3)
    for x in ends[::-1] if right else ends:
        yield x, top - high * 0.24
    beside = (left - wide * 0.34, far + wide * 0.34)
    for x in beside[::-1] if right else beside:
        yield x, label.pill_centre[1]
    for x in ends[::-1] if right else ends:
        yield x, foot + high * 0.24


def _box(at: Spot, size: tuple[float, float]) -> Rect:
    return at[0] - size[0] / 2, at[1] - size[1] / 2, at[0] + size[0] / 2, at[1] + size[1] / 2


def _inside(plan: Layout, at: Spot, size: tuple[float, float]) -> bool:
    left, top, right, bottom = _box(at, size)
    box = plan.board
    return left >= box.x and top >= box.y and right <= box.x + box.width and bottom <= box.y + box.height


def _overlap(one: Rect, other: Rect) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


# --- attacks --------------------------------------------------------------------------------------------


def _draw_attacks(
    image: Image.Image,
    scene: Scene,
    wrapping: frozenset[frozenset[str]],
    plan: Layout,
    labels: AreaLabels,
    theme: str,
) -> None:
    """Draw all attacks in order, from pill to pill; around the world, to one rim and from the other."""
    for mark in scene.marks:
        if mark.kind != "arrow" or mark.ink is None:
            continue
        one, other = labels.by_area[mark.at], labels.by_area[mark.to]
        start, end = one.pill_centre, other.pill_centre
        if frozenset((mark.at, mark.to)) in wrapping:
            height, rims = (start[1] + end[1]) / 2, (plan.board.x, plan.board.x + plan.board.width)
            out, back = rims if start[0] < end[0] else rims[::-1]
            draw_arrow(image, theme, (start, (out, height)), mark.ink, plan.cell)
            start = (float(back), height)
        draw_arrow(image, theme, _shortened(start, end, other, labels.cell), mark.ink, plan.cell)


def _shortened(start: Spot, end: Spot, label: AreaLabel, cell: int) -> tuple[Spot, Spot]:
    """Return a line that ends where the label begins, or where its pill does if it would be too short."""
    (x0, y0), (x1, y1) = start, end
    length = max(1.0, hypot(x1 - x0, y1 - y0))
    to_pill = _entry(start, end, label.pill)
    to_label = min(to_pill, _entry(start, end, label.tag))
    reach = (
        to_label
        if to_label * length >= cell * _MIN_ARROW
        else max(to_pill, min(1.0, cell * 1.2 / length), 0.5)
    )
    reach = max(0.1, reach - cell * 0.1 / length)
    return start, (x0 + (x1 - x0) * reach, y0 + (y1 - y0) * reach)


def _entry(start: Spot, end: Spot, box: Rect) -> float:
    """Return where along a line a box begins, from 0 to 1; 1 if the line misses it."""
    low, high = 0.0, 1.0
    for at, to, least, most in zip(start, end, box[:2], box[2:], strict=True):
        if at == to:
            if not least < at < most:
                return 1.0
            continue
        one, other = sorted(((least - at) / (to - at), (most - at) / (to - at)))
        low, high = max(low, one), min(high, other)
    return low if low < high else 1.0
