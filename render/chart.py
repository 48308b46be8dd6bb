"""A map as a picture: water and coasts, each area in its owner's tint, attacks as arrows, counts above all.

Water, coasts, links and names are drawn once for a board, each look of an area and each pill once, and then
copied: a turn redraws what it changed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PIL import Image, ImageDraw

from games.engine.message import Msg
from games.engine.scene import Ink, Map, MarkKind, Scene, Spot
from render import fonts, ground
from render.cache import Cache
from render.coast import Coast, coast
from render.geometry import Layout
from render.layouts import layout
from render.palette import flatten
from render.piles import marks_at, piles
from render.signs import signs_of
from render.themes import Theme, theme_of
from render.tile_area import FINE, Pill, area, arrow, borders, dry, fill, pill, wet

_AreaKey = tuple[Map, int, str, str, Ink | None, frozenset[MarkKind]]
_grounds: Cache[tuple[Map, int, str, tuple[str, ...]], Image.Image] = Cache(16)
_areas: Cache[_AreaKey, Image.Image] = Cache(900)
_pills: Cache[tuple[Pill, tuple[int, int, int]], tuple[Image.Image, Image.Image]] = Cache(900)
_SEEN: frozenset[MarkKind] = frozenset({"from", "to", "captured", "changed", "legal", "hint"})
"""The marks that change how an area looks."""
_NAME, _LINES = 0.26, 3
"""Letters of a zone's name, in units of letters; and how many lines it may have."""


def draw(scene: Scene, board: Map, say: Callable[[Msg], str], theme: str, unit: int) -> Image.Image:
    """Return the picture without seats. Raises ValueError as `piles` and `marks_at`."""
    stacks, marks = piles(scene), marks_at(scene)
    look, plan = theme_of(theme), layout(board, 0, unit)
    zones: dict[str, Ink] = {place: zone.ink for zone in board.zones for place in zone.places}
    owners = {place: stacks[place][-1].ink for place in plan.places if place in stacks}
    looks = {place: (owners.get(place), marks.get(place, frozenset()) & _SEEN) for place in plan.places}
    drawn = ground.backdrop(board, unit, theme)
    if drawn is None:
        own = board if board.ground is None else replace(board, ground=None)
        image = _drawn(own, say, theme, unit, zones, looks)
    else:
        image = drawn.base.copy()
        for place, (ink, kinds) in looks.items():
            if (ink is not None or kinds) and (sprite := ground.tinted(drawn, place, ink, kinds)):
                image.paste(sprite[0], sprite[2], sprite[1])
    _arrows(image, scene, board, plan, theme)
    signs = signs_of(scene.glyphs, [token.glyph for token in scene.tokens])
    crowns = {mark.at: mark.ink for mark in scene.marks if mark.kind == "capital"}
    for place in sorted(plan.places, key=lambda name: (plan.places[name][1], name)):
        token = stacks[place][-1] if place in stacks else None
        what = Pill(
            theme,
            plan.cell,
            place,
            None if token is None else signs[token.glyph],
            None if token is None else token.ink,
            0 if token is None else token.count,
            crowns.get(place),
            "captured" in marks.get(place, ()),
        )
        under = fill(look, what.ink, zones.get(place))
        small, mask = _pills.get((what, under), partial(pill, what, under))
        x, y = plan.middle(place)
        image.paste(small, (round(x) - small.width // 2, round(y) - small.height // 2), mask)
    return image


def _drawn(
    board: Map,
    say: Callable[[Msg], str],
    theme: str,
    unit: int,
    zones: dict[str, Ink],
    looks: dict[str, tuple[Ink | None, frozenset[MarkKind]]],
) -> Image.Image:
    """Draw a map from its outlines, or from its points: each area as it looks by owner and marks."""
    shore = coast(board, unit)
    names = tuple(
        say(zone.name) if zone.name is not None and zone.at is not None else "" for zone in board.zones
    )
    key = (board, unit, theme, names)
    image = _grounds.get(key, lambda: _ground(board, shore, theme, zones, names)).copy()
    for place, (ink, kinds) in looks.items():
        if ink is not None or kinds:
            _lay(image, board, shore, theme, unit, place, ink, zones.get(place), kinds)
    return image


def _lay(
    image: Image.Image,
    board: Map,
    shore: Coast,
    theme: str,
    unit: int,
    place: str,
    ink: Ink | None,
    zone: Ink | None,
    kinds: frozenset[MarkKind],
) -> None:
    """Put an area on a picture."""
    shape = shore.shapes[place]
    if not shape.seen:
        return
    key = (board, unit, theme, place, ink, kinds)
    sprite = _areas.get(key, lambda: area(shore, shape, theme, ink, zone, kinds))
    image.paste(sprite, shape.box[:2], shape.mask)


def _ground(
    board: Map, shore: Coast, theme: str, zones: dict[str, Ink], names: tuple[str, ...]
) -> Image.Image:
    """Draw what doesn't change: paper, water, land of nobody, links, and the names of zones."""
    look, plan = theme_of(theme), shore.plan
    image = Image.new("RGB", (plan.width, plan.height), look.inks["paper"])
    box = plan.board
    sea = Image.new("RGB", (box.width * FINE, box.height * FINE), look.sea)
    pen = ImageDraw.Draw(sea)
    cell = plan.cell * FINE

    def near(line: tuple[Spot, ...]) -> list[Spot]:
        return [((x - box.x) * FINE, (y - box.y) * FINE) for x, y in line]

    shapes = [shape for shape in shore.shapes.values() if shape.seen]
    lines = [(kind, near(line)) for shape in shapes for kind, line in shape.borders]
    for kind, line in lines:
        if kind == "coast":
            pen.line(line, fill=look.shallow, width=round(cell * 0.42), joint="curve")
    for link in shore.links:
        if link.wet:
            wet(pen, look, [near(line) for line in link.lines], cell)
        else:
            dry(pen, look, [near(line) for line in link.lines], cell, directed=link.directed)
    for shape in shapes:
        inside = shape.name in plan.places
        colour = fill(look, None, zones.get(shape.name) if inside else None)
        for outline in shape.outlines:
            pen.polygon(near(outline), fill=colour)
    borders(pen, look, lines, cell)
    small = sea.reduce(FINE)
    _write(small, board, plan, look, names)
    image.paste(small, (box.x, box.y), _rounded(small.size, round(plan.unit * 0.16)))
    flat = flatten(image, theme)
    for shape in shapes:
        if shape.name in plan.places:
            zone = zones.get(shape.name)
            flat.paste(area(shore, shape, theme, None, zone, frozenset()), shape.box[:2], shape.mask)
    return flat


def _rounded(size: tuple[int, int], radius: int) -> Image.Image:
    mask = Image.new("L", (size[0] * FINE, size[1] * FINE))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), radius * FINE, fill=255)
    return mask.reduce(FINE)


def _write(image: Image.Image, board: Map, plan: Layout, theme: Theme, names: tuple[str, ...]) -> None:
    """Write the names of zones, centred on their spots and broken between words."""
    left, top = (0.0, 0.0) if board.window is None else board.window[:2]
    size = round(plan.unit * _NAME)
    for zone, name in zip(board.zones, names, strict=True):
        if zone.at is None or not name:
            continue
        x, y = (zone.at[0] - left) * plan.scale, (zone.at[1] - top) * plan.scale
        if not (0 < x < image.width and 0 < y < image.height):
            continue
        lines, letters = fonts.wrap(
            name, plan.unit * 1.25, size, lines=_LINES, least=round(size * 0.7), bold=True
        )
        for nth, line in enumerate(lines):
            at = (x, y + (nth - (len(lines) - 1) / 2) * letters * 1.12)
            fonts.put(image, at, line, letters, theme.groove, bold=True, anchor="mm")


def _arrows(image: Image.Image, scene: Scene, board: Map, plan: Layout, theme: str) -> None:
    """Draw all attacks, in order; those around the world to the one rim and from the other."""
    around = {frozenset(link.ends) for link in board.links if link.around}
    for mark in scene.marks:
        if mark.kind != "arrow" or mark.ink is None:
            continue
        one, other = plan.middle(mark.at), plan.middle(mark.to)
        ends = _shortened(one, other, plan.cell)
        if frozenset((mark.at, mark.to)) in around:
            height, rims = (one[1] + other[1]) / 2, (plan.board.x, plan.board.x + plan.board.width)
            out, back = rims if one[0] < other[0] else rims[::-1]
            arrow(image, theme, (one, (out, height)), mark.ink, plan.cell)
            ends = ((float(back), height), _shortened((back, height), other, plan.cell)[1])
        arrow(image, theme, ends, mark.ink, plan.cell)


def _shortened(one: Spot, other: Spot, cell: int) -> tuple[Spot, Spot]:
    """Return a line that leaves the pills at its ends to be read."""
    (x0, y0), (x1, y1) = one, other
    length = max(1.0, ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5)
    flat = abs(x1 - x0) / length
    tag = 0.65 * (1 - flat) if y0 > y1 else 0.0
    start, end = cell * 0.3 / length, cell * (0.55 + 0.35 * flat + tag) / length
    if start + end > 0.6:
        start, end = 0.15, 0.35
    return (x0 + (x1 - x0) * start, y0 + (y1 - y0) * start), (x1 - (x1 - x0) * end, y1 - (y1 - y0) * end)
