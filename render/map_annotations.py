"""What a map bears besides land and armies: where labels stand, ways over water, names of continents.

All of it follows from the board, not from the position, and is worked out once.
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
from render.area_labels import Labels, Terrain, labels
from render.cache import Cache
from render.geometry import FULL, Layout
from render.label_packing import Rect
from render.layouts import layout
from render.map_artwork import Survey
from render.map_overlay import Dashed, Overlay, overlay
from render.map_shapes import coast
from render.zone_names import Name, zone_names

_DOTS = 8
"""Pixels from one box along a line to the next."""


@dataclass(frozen=True)
class Signage:
    """What follows from a board alone."""

    board: Map
    unit: int
    plan: Layout
    lands: Image.Image
    """Which area each pixel of the board is of, 0 for none."""
    labels: Labels
    dashed: tuple[Dashed, ...]
    """The ways that are drawn over a picture."""
    around: frozenset[frozenset[str]]
    """The neighbours over the rims of the map."""


_signage: Cache[tuple[Map, int], Signage] = Cache(32)
_names: Cache[tuple[Map, int, tuple[str, ...]], tuple[Name, ...]] = Cache(32)
_overlays: Cache[tuple[Map, int, str, tuple[str, ...]], Overlay | None] = Cache(32)


def signage(board: Map, unit: int, survey: Callable[[int], Survey | None]) -> Signage:
    """Return what a board bears; `board` holds no bytes, `survey` tells what its author drew, by the unit.

    Labels are worked out at full size: a smaller picture of a board is the same picture.
    """
    return _signage.get((board, unit), partial(_made, board, unit, survey))


def over(signs: Signage, say: Callable[[Msg], str], theme: str) -> Overlay | None:
    """Return what is laid over the land of a map, in the reader's language; None for nothing."""
    texts = tuple(
        say(zone.name) if zone.name is not None and zone.at is None else "" for zone in signs.board.zones
    )
    return _overlays.get((signs.board, signs.unit, theme, texts), partial(_over, signs, theme, texts))


def _made(board: Map, unit: int, survey: Callable[[int], Survey | None]) -> Signage:
    plan, drawn = layout(board, 0, unit), survey(unit)
    around = {frozenset(link.ends) for link in board.links if link.around}
    dashed: tuple[Dashed, ...] = ()
    if drawn is None:
        shore = coast(board, unit)
        lands = Image.new("L", (plan.board.width, plan.board.height))
        for shape in shore.shapes.values():
            if shape.seen:
                at = (shape.box[0] - plan.board.x, shape.box[1] - plan.board.y)
                lands.paste(shape.number, at, shape.mask)
        lines: list[tuple[Spot, ...]] = [line for link in shore.links if link.wet for line in link.lines]
    else:
        lands = drawn.numbers
        around |= {frozenset(way.ends) for way in drawn.ways if way.around}
        left, top = (0.0, 0.0) if board.window is None else board.window[:2]

        def at_spot(spot: Spot) -> Spot:
            return plan.board.x + (spot[0] - left) * plan.scale, plan.board.y + (spot[1] - top) * plan.scale

        dashed = tuple(
            Dashed(tuple((at_spot(one), at_spot(other)) for one, other in way.lines), way.directed)
            for way in drawn.ways
        )
        lines = [line for link in dashed for line in link.lines]
    soft = [*_boxes(plan, lines), *_written(board, plan)]
    if unit == FULL:
        found = labels(board, lambda: Terrain(lands, soft))
    else:
        full = signage(board, FULL, survey)
        found = full.labels.scaled(full.plan, plan)
    return Signage(board, unit, plan, lands, found, dashed, frozenset(around))


def _boxes(plan: Layout, lines: Iterable[tuple[Spot, ...]]) -> Iterator[Rect]:
    """Yield small boxes along lines, in pixels of the board."""
    for line in lines:
        for (x0, y0), (x1, y1) in pairwise(line):
            count = max(1, ceil(hypot(x1 - x0, y1 - y0) / _DOTS))
            for k in range(count + 1):
                x = x0 + (x1 - x0) * k / count - plan.board.x
                y = y0 + (y1 - y0) * k / count - plan.board.y
                if 0 <= x <= plan.board.width and 0 <= y <= plan.board.height:
                    yield x - 2, y - 2, x + 2, y + 2


def _written(board: Map, plan: Layout) -> Iterator[Rect]:
    """Yield about where the names of zones stand on maps that say where, in pixels of the board."""
    left, top = (0.0, 0.0) if board.window is None else board.window[:2]
    wide, high = plan.unit * 0.6, plan.unit * 0.3
    for zone in board.zones:
        if zone.at is not None and zone.name is not None:
            x, y = (zone.at[0] - left) * plan.scale, (zone.at[1] - top) * plan.scale
            if 0 <= x <= plan.board.width and 0 <= y <= plan.board.height:
                yield max(0.0, x - wide), max(0.0, y - high), x + wide, y + high


def names(signs: Signage, texts: tuple[str, ...]) -> tuple[Name, ...]:
    """Return where the names of a board's zones stand, as far as they have room; empty ones stand nowhere."""
    return _names.get((signs.board, signs.unit, texts), partial(_placed, signs, texts))


def _over(signs: Signage, theme: str, texts: tuple[str, ...]) -> Overlay | None:
    box, plan = signs.plan.board, signs.plan
    frame = (box.x, box.y, box.x + box.width, box.y + box.height)
    return overlay(
        (plan.width, plan.height), frame, plan.cell, theme, signs.labels, signs.dashed, names(signs, texts)
    )


def _placed(signs: Signage, texts: tuple[str, ...]) -> tuple[Name, ...]:
    lines: list[tuple[Spot, ...]] = [line for link in signs.dashed for line in link.lines]
    lines += [(label.middle, label.anchor) for label in signs.labels.of.values() if label.leader]
    return zone_names(signs.board, texts, signs.plan, signs.labels, signs.lands, _boxes(signs.plan, lines))
