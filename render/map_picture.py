"""A map as a picture: water and coasts, each area in its owner's tint, attacks as arrows, counts above all.

Water, coasts, links and names are drawn once for a board, each look of an area and each pill once, and then
copied: a turn redraws what it changed. Counts are laid down last, so that nothing ever lies on one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PIL import Image, ImageDraw

from games.engine.message import Msg
from games.engine.scene import Ink, Map, MarkKind, Scene, Spot, Token
from render import backdrop, fonts, map_annotations
from render.cache import Cache
from render.geometry import Layout
from render.layouts import layout
from render.map_areas import FINE, area, borders, dry, fill, wet
from render.map_armies import stand
from render.map_artwork import Survey, light, survey
from render.map_shapes import Coast, coast
from render.palette import flatten
from render.piles import marks_at, piles
from render.themes import Theme, theme_of

_AreaKey = tuple[Map, int, str, str, Ink | None, frozenset[MarkKind]]
_grounds: Cache[tuple[Map, int, str, tuple[str, ...]], Image.Image] = Cache(16)
_areas: Cache[_AreaKey, Image.Image] = Cache(900)
_SEEN: frozenset[MarkKind] = frozenset({"from", "to", "captured", "changed", "legal", "hint"})
"""The marks that change how an area looks."""
_TURNS: tuple[Ink, ...] = ("red", "blue", "yellow", "green", "purple", "orange")
_NAME, _LINES = 0.26, 3
"""Letters of a zone's name, in units of letters; and how many lines it may have."""


def draw(
    scene: Scene, board: Map, say: Callable[[Msg], str], theme: str, unit: int, level: int = 0
) -> Image.Image:
    """Return the picture without seats. `level` is how coarse a picture of the map's author is drawn.

    Raises ValueError as `piles` and `marks_at`.
    """
    stacks, marks = piles(scene), marks_at(scene)
    plan = layout(board, 0, unit)
    zones: dict[str, Ink] = {place: zone.ink for zone in board.zones for place in zone.places}
    tops = {place: stacks[place][-1] for place in plan.places if place in stacks}
    looks = {
        place: (tops[place].ink if place in tops else None, marks.get(place, frozenset()) & _SEEN)
        for place in plan.places
    }
    drawn = backdrop.backdrop(board, unit, theme, level)
    own = light(board) if drawn is not None else replace(board, ground=None) if board.ground else board
    if drawn is None:
        image = _drawn(own, say, theme, unit, zones, looks)
    else:
        image = drawn.base.copy()
        for place, (ink, kinds) in looks.items():
            if (ink is not None or kinds) and (sprite := backdrop.tinted(drawn, place, ink, kinds)):
                image.paste(sprite[0], sprite[2], sprite[1])
    signs = map_annotations.signage(own, unit, partial(_survey, board, drawn))
    over = map_annotations.over(signs, say, theme)
    if over is not None:
        image.paste(over.image, over.at, over.mask)
    stand(image, scene, plan, signs.labels, theme, signs.around)
    return image


def probes(board: Map, say: Callable[[Msg], str], theme: str, unit: int, level: int) -> list[Image.Image]:
    """Return pictures that show how large those of a board get: held by nobody, and by many side by side."""
    drawn = backdrop.backdrop(board, unit, theme, level)
    if drawn is None:
        return []
    signs = map_annotations.signage(light(board), unit, partial(_survey, board, drawn))
    tokens = tuple(
        Token(place, "", _TURNS[number % len(_TURNS)], "", count=number % 23 + 1)
        for place, (number, _) in drawn.survey.boxes.items()
    )
    found = []
    for image, held in ((drawn.base.copy(), ()), (backdrop.mixed(drawn, _TURNS), tokens)):
        if (over := map_annotations.over(signs, say, theme)) is not None:
            image.paste(over.image, over.at, over.mask)
        stand(image, Scene(board, held, (), Msg("")), drawn.plan, signs.labels, theme)
        found.append(image)
    return found


def _survey(board: Map, drawn: backdrop.Backdrop | None, unit: int) -> Survey | None:
    return None if drawn is None else survey(board, unit)


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
