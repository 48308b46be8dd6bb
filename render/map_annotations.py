"""What a map shows besides land and armies: positions of labels, links over water, names of continents.

All of it follows from the board, not from the position, and is computed once. Everything between the land and
its labels has a halo in the colour of the paper, so that it is legible on any artwork; that layer is drawn
once for a board and then copied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import ceil, hypot

from PIL import Image, ImageDraw

from games.engine.message import Msg
from games.engine.scene import Map, Spot
from render import fonts
from render.area_labels import AreaLabels, Terrain, area_labels
from render.geometry import FULL_UNIT, Layout
from render.geometry_map import layout, on_board, on_picture
from render.label_packing import Rect
from render.map_areas import DASH, DASH_GAP, DOT_RADIUS, LINK_WIDTH, UPSCALE, arrowhead
from render.map_artwork import Artwork
from render.map_shapes import dashes, map_shapes
from render.themes import theme_of, to_palette
from render.thread_safe_cache import Cache
from render.zone_names import LINE_STEP, PlacedName, place_zone_names

_OPAQUE = 255
_HALO_WIDTH, _LEADER_WIDTH, _END_RADIUS = 0.06, 0.075, 0.12
"""Width of the halo and of a leader, and radius of a leader's end, in cells of the layout."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """An image in the palette of its theme, its mask, and its upper left corner."""

    image: Image.Image
    mask: Image.Image
    at: tuple[int, int]


@dataclass(frozen=True, slots=True)
class DashedLink:
    """A link over water, in pixels of the picture."""

    lines: tuple[tuple[Spot, Spot], ...]
    directed: bool


def draw_overlay(
    size: tuple[int, int],
    frame: tuple[int, int, int, int],
    cell: int,
    theme: str,
    labels: AreaLabels,
    links: Iterable[DashedLink],
    names: Sequence[PlacedName],
) -> Overlay | None:
    """Return the overlay of a picture of `size`, clipped to `frame`; None if it is empty."""
    ink, halo = (Image.new("L", (size[0] * UPSCALE, size[1] * UPSCALE)) for _ in range(2))
    pens = ImageDraw.Draw(ink), ImageDraw.Draw(halo)
    measure = cell * UPSCALE
    for link in links:
        for line in link.lines:
            for dash in dashes(
                tuple((x * UPSCALE, y * UPSCALE) for x, y in line), measure * DASH, measure * DASH_GAP
            ):
                _line(pens, dash, measure * LINK_WIDTH, measure * _HALO_WIDTH)
        ends = link.lines[0] if len(link.lines) == 1 else [line[0] for line in link.lines]
        for spot in ends:
            _disc(pens, spot, measure * DOT_RADIUS, measure * _HALO_WIDTH)
        if link.directed and len(link.lines) == 1:
            for pen in pens:
                pen.polygon(
                    [(x * UPSCALE, y * UPSCALE) for x, y in arrowhead(*link.lines[0], cell)], fill=_OPAQUE
                )
    for label in labels.by_area.values():
        if label.leader:
            leader = [(x * UPSCALE, y * UPSCALE) for x, y in (label.pill_centre, label.anchor)]
            _line(pens, leader, measure * _LEADER_WIDTH, measure * _HALO_WIDTH)
            _disc(pens, label.anchor, measure * _END_RADIUS, measure * _HALO_WIDTH)
    small, shown = ink.reduce(UPSCALE), halo.reduce(UPSCALE).point([0] * 96 + [_OPAQUE] * 160)
    for name in names:
        _write(small, shown, name)
    shown.paste(0, (0, 0), _outside(size, frame))
    box = shown.getbbox()
    if box is None:
        return None
    look = theme_of(theme)
    image = Image.new("RGB", size, look.inks["paper"])
    image.paste(look.drawn_line, (0, 0), small)
    return Overlay(to_palette(image.crop(box), theme), shown.crop(box).convert("1"), box[:2])


def _outside(size: tuple[int, int], frame: tuple[int, int, int, int]) -> Image.Image:
    mask = Image.new("L", size, _OPAQUE)
    mask.paste(0, frame)
    return mask


def _line(
    pens: tuple[ImageDraw.ImageDraw, ImageDraw.ImageDraw], line: Sequence[Spot], wide: float, more: float
) -> None:
    for pen, width in zip(pens, (wide, wide + 2 * more), strict=True):
        pen.line(list(line), fill=_OPAQUE, width=max(UPSCALE, round(width)))


def _disc(
    pens: tuple[ImageDraw.ImageDraw, ImageDraw.ImageDraw], at: Spot, radius: float, more: float
) -> None:
    x, y = at[0] * UPSCALE, at[1] * UPSCALE
    for pen, r in zip(pens, (radius, radius + more), strict=True):
        pen.ellipse((x - r, y - r, x + r, y + r), fill=_OPAQUE)


def _write(ink: Image.Image, halo: Image.Image, name: PlacedName) -> None:
    """Write a name into both masks, line by line, with a halo of an eighth of the font size."""
    for nth, line in enumerate(map(fonts.legible, name.lines)):
        font = fonts.font(line, name.letters, bold=True)
        at = (name.at[0], name.at[1] + (nth - (len(name.lines) - 1) / 2) * name.letters * LINE_STEP)
        wide = max(1, round(name.letters / 8))
        ImageDraw.Draw(halo).text(
            at, line, font=font, fill=_OPAQUE, anchor="mm", stroke_width=wide, stroke_fill=_OPAQUE
        )
        ImageDraw.Draw(ink).text(at, line, font=font, fill=_OPAQUE, anchor="mm")


_BOX_STEP = 8
"""Distance between the boxes along a line, in pixels."""


@dataclass(frozen=True)
class MapAnnotations:
    """What is shown on a board in every position."""

    board: Map
    unit: int
    plan: Layout
    numbers: Image.Image
    """The area number of each pixel of the board; 0 for no area."""
    labels: AreaLabels
    sea_links: tuple[DashedLink, ...]
    """The links that are drawn over an author's artwork."""
    wrapping: frozenset[frozenset[str]]
    """The pairs of neighbours that are linked over the rims of the map."""


_annotations: Cache[tuple[Map, int], MapAnnotations] = Cache(32)
_names: Cache[tuple[Map, int, tuple[str, ...]], tuple[PlacedName, ...]] = Cache(32)
_overlays: Cache[tuple[Map, int, str, tuple[str, ...]], Overlay | None] = Cache(32)


def map_annotations(board: Map, unit: int, artwork_at: Callable[[int], Artwork | None]) -> MapAnnotations:
    """Return the annotations of `board`, which holds no bytes; `artwork_at` returns its artwork by the unit.

    Labels are placed at full size and then scaled, so that a smaller picture looks the same.
    """
    return _annotations.get((board, unit), partial(_annotate, board, unit, artwork_at))


def overlay_of(annotations: MapAnnotations, say: Callable[[Msg], str], theme: str) -> Overlay | None:
    """Return the overlay of a map in the reader's language; None if it is empty."""
    texts = tuple(
        say(zone.name) if zone.name is not None and zone.at is None else ""
        for zone in annotations.board.zones
    )
    return _overlays.get(
        (annotations.board, annotations.unit, theme, texts), partial(_overlay, annotations, theme, texts)
    )


def _annotate(board: Map, unit: int, artwork_at: Callable[[int], Artwork | None]) -> MapAnnotations:
    plan, drawn = layout(board, 0, unit), artwork_at(unit)
    wrapping = {frozenset(link.ends) for link in board.links if link.wraps}
    sea_links: tuple[DashedLink, ...] = ()
    if drawn is None:
        shapes = map_shapes(board, unit)
        numbers = Image.new("L", (plan.board.width, plan.board.height))
        for shape in shapes.areas.values():
            if shape.visible:
                at = (shape.box[0] - plan.board.x, shape.box[1] - plan.board.y)
                numbers.paste(shape.number, at, shape.mask)
        lines: list[tuple[Spot, ...]] = [
            line for link in shapes.links if link.over_water for line in link.lines
        ]
    else:
        numbers = drawn.numbers
        wrapping |= {frozenset(crossing.ends) for crossing in drawn.crossings if crossing.wraps}
        spot = partial(on_picture, board, plan)
        sea_links = tuple(
            DashedLink(tuple((spot(one), spot(other)) for one, other in crossing.lines), crossing.directed)
            for crossing in drawn.crossings
        )
        lines = [line for link in sea_links for line in link.lines]
    avoid = [*_boxes_along(plan, lines), *_fixed_name_boxes(board, plan)]
    if unit == FULL_UNIT:
        found = area_labels(board, lambda: Terrain(numbers, avoid))
    else:
        full = map_annotations(board, FULL_UNIT, artwork_at)
        found = full.labels.scaled(full.plan, plan)
    return MapAnnotations(board, unit, plan, numbers, found, sea_links, frozenset(wrapping))


def _boxes_along(plan: Layout, lines: Iterable[tuple[Spot, ...]]) -> Iterator[Rect]:
    """Yield small boxes along lines on the board, in pixels of the board."""
    for line in lines:
        for (x0, y0), (x1, y1) in pairwise(line):
            count = max(1, ceil(hypot(x1 - x0, y1 - y0) / _BOX_STEP))
            for k in range(count + 1):
                x = x0 + (x1 - x0) * k / count - plan.board.x
                y = y0 + (y1 - y0) * k / count - plan.board.y
                if 0 <= x <= plan.board.width and 0 <= y <= plan.board.height:
                    yield x - 2, y - 2, x + 2, y + 2


def _fixed_name_boxes(board: Map, plan: Layout) -> Iterator[Rect]:
    """Yield rough boxes of zone names whose position the map gives, in pixels of the board."""
    wide, high = plan.unit * 0.6, plan.unit * 0.3
    for zone in board.zones:
        if zone.at is not None and zone.name is not None:
            x, y = on_board(board, plan, zone.at)
            if 0 <= x <= plan.board.width and 0 <= y <= plan.board.height:
                yield max(0.0, x - wide), max(0.0, y - high), x + wide, y + high


def placed_names(annotations: MapAnnotations, texts: tuple[str, ...]) -> tuple[PlacedName, ...]:
    """Return the placed names of a board's zones: those in `texts` that aren't empty and have room."""
    return _names.get(
        (annotations.board, annotations.unit, texts), partial(_placed_names, annotations, texts)
    )


def _overlay(annotations: MapAnnotations, theme: str, texts: tuple[str, ...]) -> Overlay | None:
    box, plan = annotations.plan.board, annotations.plan
    frame = (box.x, box.y, box.x + box.width, box.y + box.height)
    return draw_overlay(
        (plan.width, plan.height),
        frame,
        plan.cell,
        theme,
        annotations.labels,
        annotations.sea_links,
        placed_names(annotations, texts),
    )


def _placed_names(annotations: MapAnnotations, texts: tuple[str, ...]) -> tuple[PlacedName, ...]:
    lines: list[tuple[Spot, ...]] = [line for link in annotations.sea_links for line in link.lines]
    lines += [
        (label.pill_centre, label.anchor) for label in annotations.labels.by_area.values() if label.leader
    ]
    return place_zone_names(
        annotations.board,
        texts,
        annotations.plan,
        annotations.labels,
        annotations.numbers,
        _boxes_along(annotations.plan, lines),
    )
