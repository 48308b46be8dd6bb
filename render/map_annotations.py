"""What a map shows besides land and armies: positions of labels, links over water, names of continents.

All of it follows from the board, not from the position, and is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import ceil, hypot

from PIL import Image

from games.engine.message import Msg
from games.engine.scene import Map, Spot
from render.area_labels import AreaLabels, Terrain, area_labels
from render.cache import Cache
from render.geometry import FULL_UNIT, Layout
from render.geometry_map import layout, on_board, on_picture
from render.label_packing import Rect
from render.map_artwork import Artwork
from render.map_overlay import DashedLink, Overlay, draw_overlay
from render.map_shapes import map_shapes
from render.zone_names import PlacedName, place_zone_names

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
