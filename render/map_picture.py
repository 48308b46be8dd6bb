"""The picture of a map: water and coasts, areas in their owners' tints, attacks as arrows, counts above all.

Water, coasts, links and names are drawn once for a board, and each look of an area and each sprite once, and
then copied: a turn redraws only what it changes. Counts are drawn last, so that nothing covers one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PIL import Image, ImageDraw

from games.engine.message import Msg
from games.engine.scene import Ink, Map, MarkKind, Scene, Spot, Token
from render import backdrop, fonts, map_annotations
from render.board_contents import marks_at, piles
from render.geometry import Layout
from render.geometry_map import on_board, without_bytes, without_ground
from render.map_areas import UPSCALE, area_colour, draw_area, draw_borders, draw_land_link, draw_sea_link
from render.map_armies import draw_armies
from render.map_artwork import Artwork, artwork
from render.map_shapes import MapShapes, map_shapes
from render.themes import Theme, theme_of, to_palette
from render.thread_safe_cache import Cache

_AreaKey = tuple[Map, int, str, str, Ink | None, frozenset[MarkKind]]
_empty_maps: Cache[tuple[Map, int, str, tuple[str, ...]], Image.Image] = Cache(16)
_areas: Cache[_AreaKey, Image.Image] = Cache(900)
_AREA_MARKS: frozenset[MarkKind] = frozenset({"from", "to", "captured", "changed", "legal", "hint"})
"""The marks that change the look of an area."""
_PROBE_INKS: tuple[Ink, ...] = ("red", "blue", "yellow", "green", "purple", "orange")
_NAME_SIZE, _MAX_NAME_LINES = 0.26, 3
"""Font size of a zone's name, in units of the layout, and the maximum number of its lines."""


def draw(
    board: Map, scene: Scene, plan: Layout, say: Callable[[Msg], str], theme: str, unit: int, level: int
) -> Image.Image:
    """Return the picture without the seats. `level` is the level of detail of the author's picture.

    Raises ValueError as `piles` and `marks_at` do.
    """
    stacks, marks = piles(scene), marks_at(scene)
    zones: dict[str, Ink] = {place: zone.ink for zone in board.zones for place in zone.places}
    tops = {place: stacks[place][-1] for place in plan.places if place in stacks}
    looks = {
        place: (tops[place].ink if place in tops else None, marks.get(place, frozenset()) & _AREA_MARKS)
        for place in plan.places
    }
    drawn = backdrop.backdrop(board, unit, theme, level)
    own = without_ground(board) if drawn is None else without_bytes(board)
    if drawn is None:
        image = _draw_shapes(own, say, theme, unit, zones, looks)
    else:
        image = drawn.base.copy()
        for place, (ink, kinds) in looks.items():
            if (ink is not None or kinds) and (sprite := backdrop.tinted_area(drawn, place, ink, kinds)):
                image.paste(sprite[0], sprite[2], sprite[1])
    annotations = map_annotations.map_annotations(own, unit, partial(_artwork, board, drawn))
    over = map_annotations.overlay_of(annotations, say, theme)
    if over is not None:
        image.paste(over.image, over.at, over.mask)
    draw_armies(image, scene, plan, annotations.labels, theme, annotations.wrapping)
    return image


def worst_cases(
    board: Map, say: Callable[[Msg], str], theme: str, unit: int, level: int
) -> list[Image.Image]:
    """Return the two pictures of a board that compress worst: without armies, and with mixed owners."""
    drawn = backdrop.backdrop(board, unit, theme, level)
    if drawn is None:
        return []
    annotations = map_annotations.map_annotations(without_bytes(board), unit, partial(_artwork, board, drawn))
    tokens = tuple(
        Token(place, "", _PROBE_INKS[number % len(_PROBE_INKS)], "", count=number % 23 + 1)
        for place, (number, _) in drawn.artwork.boxes.items()
    )
    found = []
    for image, held in ((drawn.base.copy(), ()), (backdrop.tinted_alternately(drawn, _PROBE_INKS), tokens)):
        if (over := map_annotations.overlay_of(annotations, say, theme)) is not None:
            image.paste(over.image, over.at, over.mask)
        draw_armies(image, Scene(board, held, (), Msg("")), drawn.plan, annotations.labels, theme)
        found.append(image)
    return found


def _artwork(board: Map, drawn: backdrop.Backdrop | None, unit: int) -> Artwork | None:
    return None if drawn is None else artwork(board, unit)


def _draw_shapes(
    board: Map,
    say: Callable[[Msg], str],
    theme: str,
    unit: int,
    zones: dict[str, Ink],
    looks: dict[str, tuple[Ink | None, frozenset[MarkKind]]],
) -> Image.Image:
    """Draw a map without artwork, from its outlines or points, each area by its owner and marks."""
    shapes = map_shapes(board, unit)
    names = tuple(
        say(zone.name) if zone.name is not None and zone.at is not None else "" for zone in board.zones
    )
    key = (board, unit, theme, names)
    image = _empty_maps.get(key, lambda: _empty_map(board, shapes, theme, zones, names)).copy()
    for place, (ink, kinds) in looks.items():
        if ink is not None or kinds:
            _paste_area(image, board, shapes, theme, unit, place, ink, zones.get(place), kinds)
    return image


def _paste_area(
    image: Image.Image,
    board: Map,
    shapes: MapShapes,
    theme: str,
    unit: int,
    place: str,
    ink: Ink | None,
    zone: Ink | None,
    kinds: frozenset[MarkKind],
) -> None:
    """Paste an area on a picture, if any of it is visible."""
    shape = shapes.areas[place]
    if not shape.visible:
        return
    key = (board, unit, theme, place, ink, kinds)
    sprite = _areas.get(key, lambda: draw_area(shapes, shape, theme, ink, zone, kinds))
    image.paste(sprite, shape.box[:2], shape.mask)


def _empty_map(
    board: Map, shapes: MapShapes, theme: str, zones: dict[str, Ink], names: tuple[str, ...]
) -> Image.Image:
    """Draw what doesn't change: paper, water, land without owners, links, and the names of zones."""
    look, plan = theme_of(theme), shapes.plan
    image = Image.new("RGB", (plan.width, plan.height), look.inks["paper"])
    box = plan.board
    sea = Image.new("RGB", (box.width * UPSCALE, box.height * UPSCALE), look.sea)
    pen = ImageDraw.Draw(sea)
    cell = plan.cell * UPSCALE

    def near(line: tuple[Spot, ...]) -> list[Spot]:
        return [((x - box.x) * UPSCALE, (y - box.y) * UPSCALE) for x, y in line]

    visible = [shape for shape in shapes.areas.values() if shape.visible]
    lines = [(kind, near(line)) for shape in visible for kind, line in shape.borders]
    for kind, line in lines:
        if kind == "coast":
            pen.line(line, fill=look.shallows, width=round(cell * 0.42), joint="curve")
    for link in shapes.links:
        if link.over_water:
            draw_sea_link(pen, look, [near(line) for line in link.lines], cell)
        else:
            draw_land_link(pen, look, [near(line) for line in link.lines], cell, directed=link.directed)
    for shape in visible:
        inside = shape.name in plan.places
        colour = area_colour(look, None, zones.get(shape.name) if inside else None)
        for outline in shape.outlines:
            pen.polygon(near(outline), fill=colour)
    draw_borders(pen, look, lines, cell)
    small = sea.reduce(UPSCALE)
    _write_zone_names(small, board, plan, look, names)
    image.paste(small, (box.x, box.y), _rounded(small.size, round(plan.unit * 0.16)))
    flat = to_palette(image, theme)
    for shape in visible:
        if shape.name in plan.places:
            zone = zones.get(shape.name)
            flat.paste(draw_area(shapes, shape, theme, None, zone, frozenset()), shape.box[:2], shape.mask)
    return flat


def _rounded(size: tuple[int, int], radius: int) -> Image.Image:
    mask = Image.new("L", (size[0] * UPSCALE, size[1] * UPSCALE))
    ImageDraw.Draw(mask).rounded_rectangle(
        (0, 0, mask.width - 1, mask.height - 1), radius * UPSCALE, fill=255
    )
    return mask.reduce(UPSCALE)


def _write_zone_names(
    image: Image.Image, board: Map, plan: Layout, theme: Theme, names: tuple[str, ...]
) -> None:
    """Write the names of zones, centred on their positions and broken between words."""
    size = round(plan.unit * _NAME_SIZE)
    for zone, name in zip(board.zones, names, strict=True):
        if zone.at is None or not name:
            continue
        x, y = on_board(board, plan, zone.at)
        if not (0 < x < image.width and 0 < y < image.height):
            continue
        lines, letters = fonts.wrap(
            name, plan.unit * 1.25, size, lines=_MAX_NAME_LINES, min_size=round(size * 0.7), bold=True
        )
        for nth, line in enumerate(lines):
            at = (x, y + (nth - (len(lines) - 1) / 2) * letters * 1.12)
            fonts.write(image, at, line, letters, theme.drawn_line, bold=True, anchor="mm")
