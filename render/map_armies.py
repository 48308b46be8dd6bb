"""Who stands on a map: crowns and crosses first, then what areas are called, and last the counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot

from PIL import Image

from games.engine.scene import Ink, Map, Scene, Spot, Token
from render.area_labels import Label, Labels
from render.colour import RGB
from render.geometry import Layout
from render.glyphs import signs_of
from render.label_packing import Rect
from render.map_areas import arrow, fill
from render.map_sprites import CROSS_SIZE, CROWN_SIZE, Cross, Crown, Pill, Tag, badge
from render.piles import piles
from render.themes import theme_of

_ARROW = 1.8
"""How long an arrow must be, in heights of a pill, to leave a tag to be read."""


def stand(
    image: Image.Image,
    scene: Scene,
    plan: Layout,
    marked: Labels,
    theme: str,
    around: frozenset[frozenset[str]] = frozenset(),
) -> None:
    """Lay all badges on a map, and attacks below the counts; `around` are the neighbours over the rims."""
    tops = {place: stack[-1] for place, stack in piles(scene).items()}
    grounds = _grounds(scene, tops, theme)
    boxes = [box for label in marked.of.values() for box in (label.pill, label.tag)]
    _decorations(image, scene, plan, marked, theme, grounds, boxes)
    for place, label in marked.of.items():
        at = label.tagged if place in tops else _between(label)
        _lay(image, badge(Tag(theme, marked.cell, marked.letters, label.text), grounds[place]), at)
    _arrows(image, scene, around, plan, marked, theme)
    signs = signs_of(scene.glyphs, [token.glyph for token in scene.tokens])
    for place, label in marked.of.items():
        if (token := tops.get(place)) is not None:
            room = round(label.pill[2] - label.pill[0], 1)
            what = Pill(theme, marked.cell, room, signs[token.glyph], token.ink, token.count)
            _lay(image, badge(what, grounds[place]), label.middle)


def _grounds(scene: Scene, tops: dict[str, Token], theme: str) -> dict[str, RGB]:
    """Return the tint of each area, which the edges of its badges are blended with."""
    look = theme_of(theme)
    zones: dict[str, Ink] = {}
    if isinstance(scene.board, Map):
        zones = {place: zone.ink for zone in scene.board.zones for place in zone.places}
    return {
        place: fill(look, tops[place].ink if place in tops else None, zones.get(place))
        for place in scene.board.places
    }


def _between(label: Label) -> Spot:
    """Return the middle of pill and tag together, for a tag that stands there alone."""
    left, right = min(label.pill[0], label.tag[0]), max(label.pill[2], label.tag[2])
    top, bottom = min(label.pill[1], label.tag[1]), max(label.pill[3], label.tag[3])
    return (left + right) / 2, (top + bottom) / 2


def _lay(image: Image.Image, sprite: tuple[Image.Image, Image.Image], at: Spot) -> None:
    small, mask = sprite
    image.paste(small, (round(at[0] - small.width / 2), round(at[1] - small.height / 2)), mask)


def _decorations(
    image: Image.Image,
    scene: Scene,
    plan: Layout,
    marked: Labels,
    theme: str,
    grounds: dict[str, RGB],
    boxes: Sequence[Rect],
) -> None:
    """Lay crowns and crosses beside their labels, where no other label is if that can be."""
    taken = list(boxes)
    held = {token.at for token in scene.tokens}
    marks = [mark for mark in scene.marks if mark.kind == "capital"]
    marks += [mark for mark in scene.marks if mark.kind == "captured" and mark.at in held]
    for mark in dict.fromkeys(marks):
        if (label := marked.of.get(mark.at)) is None:
            continue
        crown = mark.kind == "capital" and mark.ink is not None
        if crown and mark.ink is not None:
            sprite = badge(Crown(theme, marked.cell, mark.ink), grounds[mark.at])
            size = (CROWN_SIZE[0] * marked.cell, CROWN_SIZE[1] * marked.cell)
        else:
            sprite = badge(Cross(theme, marked.cell), grounds[mark.at])
            size = (CROSS_SIZE[0] * marked.cell, CROSS_SIZE[1] * marked.cell)
        spots = list(_corners(label, size, right=not crown))
        own = (label.pill, label.tag)
        others = [box for box in taken if box not in own]
        seen = [spot for spot in spots if _inside(plan, spot, size)] or spots
        at = min(seen, key=lambda spot: sum(_meet(_box(spot, size), box) for box in others))
        taken.append(_box(at, size))
        _lay(image, sprite, at)


def _corners(label: Label, size: tuple[float, float], *, right: bool) -> Iterator[Spot]:
    """Yield spots around a label that show most of what is laid there below it, the usual one first."""
    left, far = min(label.pill[0], label.tag[0]), max(label.pill[2], label.tag[2])
    top, foot = min(label.pill[1], label.tag[1]), max(label.pill[3], label.tag[3])
    wide, high = size
    ends = (label.pill[0] + wide * 0.3, label.pill[2] - wide * 0.3)
    for x in ends[::-1] if right else ends:
        yield x, top - high * 0.24
    beside = (left - wide * 0.34, far + wide * 0.34)
    for x in beside[::-1] if right else beside:
        yield x, label.middle[1]
    for x in ends[::-1] if right else ends:
        yield x, foot + high * 0.24


def _box(at: Spot, size: tuple[float, float]) -> Rect:
    return at[0] - size[0] / 2, at[1] - size[1] / 2, at[0] + size[0] / 2, at[1] + size[1] / 2


def _inside(plan: Layout, at: Spot, size: tuple[float, float]) -> bool:
    left, top, right, bottom = _box(at, size)
    box = plan.board
    return left >= box.x and top >= box.y and right <= box.x + box.width and bottom <= box.y + box.height


def _meet(one: Rect, other: Rect) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


# --- attacks --------------------------------------------------------------------------------------------


def _arrows(
    image: Image.Image,
    scene: Scene,
    around: frozenset[frozenset[str]],
    plan: Layout,
    marked: Labels,
    theme: str,
) -> None:
    """Draw all attacks, in order, from pill to pill; those around the world to a rim and from the other."""
    for mark in scene.marks:
        if mark.kind != "arrow" or mark.ink is None:
            continue
        one, other = marked.of[mark.at], marked.of[mark.to]
        start, end = one.middle, other.middle
        if frozenset((mark.at, mark.to)) in around:
            height, rims = (start[1] + end[1]) / 2, (plan.board.x, plan.board.x + plan.board.width)
            out, back = rims if start[0] < end[0] else rims[::-1]
            arrow(image, theme, (start, (out, height)), mark.ink, plan.cell)
            start = (float(back), height)
        arrow(image, theme, _shortened(start, end, other, marked.cell), mark.ink, plan.cell)


def _shortened(start: Spot, end: Spot, label: Label, cell: int) -> tuple[Spot, Spot]:
    """Return a line that ends where a label begins; if it would be too short then, where the pill does."""
    (x0, y0), (x1, y1) = start, end
    length = max(1.0, hypot(x1 - x0, y1 - y0))
    to_pill = _met(start, end, label.pill)
    to_label = min(to_pill, _met(start, end, label.tag))
    reach = (
        to_label if to_label * length >= cell * _ARROW else max(to_pill, min(1.0, cell * 1.2 / length), 0.5)
    )
    reach = max(0.1, reach - cell * 0.1 / length)
    return start, (x0 + (x1 - x0) * reach, y0 + (y1 - y0) * reach)


def _met(start: Spot, end: Spot, box: Rect) -> float:
    """Return how far along a line a box begins, from 0 to 1; 1 if it isn't met."""
    low, high = 0.0, 1.0
    for at, to, least, most in zip(start, end, box[:2], box[2:], strict=True):
        if at == to:
            if not least < at < most:
                return 1.0
            continue
        one, other = sorted(((least - at) / (to - at), (most - at) / (to - at)))
        low, high = max(low, one), min(high, other)
    return low if low < high else 1.0
