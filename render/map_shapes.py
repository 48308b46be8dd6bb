"""The shapes of a map's areas in pixels, with the lines between areas and along the water.

Each pixel of land belongs to exactly one area, so that an area is drawn without its neighbours and pasted
beside them without a seam.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Literal, TypeAlias

from PIL import Image, ImageDraw

from games.engine.scene import Area, Map, Spot
from render.geometry import Layout
from render.geometry_map import disc_radius, layout, on_picture
from render.thread_safe_cache import Cache

BorderKind: TypeAlias = Literal["coast", "border", "frontier"]
"""A line towards water, towards another area of the same zone, or towards one of another zone."""
Line: TypeAlias = tuple[Spot, ...]


@dataclass(frozen=True)
class AreaShape:
    """One area, in pixels of the picture."""

    name: str
    number: int
    """The number of the area, from 1."""
    outlines: tuple[Line, ...]
    borders: tuple[tuple[BorderKind, Line], ...]
    box: tuple[int, int, int, int]
    """The bounding box of its visible part: left, top, right, bottom; empty if nothing is visible."""
    mask: Image.Image
    """Its pixels within `box`."""

    @property
    def visible(self) -> bool:
        """Whether any of the area is visible."""
        return self.box[0] < self.box[2] and self.box[1] < self.box[3]


@dataclass(frozen=True)
class DrawnLink:
    """A link, in pixels of the picture."""

    lines: tuple[Line, ...]
    over_water: bool
    directed: bool

    def near(self, box: tuple[int, int, int, int], more: int) -> bool:
        """Tell whether any of it may lie in a box, or within `more` pixels of it."""
        spots = [spot for line in self.lines for spot in line]
        xs, ys = [x for x, _ in spots], [y for _, y in spots]
        across = min(xs) - more <= box[2] and max(xs) + more >= box[0]
        return across and min(ys) - more <= box[3] and max(ys) + more >= box[1]


@dataclass(frozen=True)
class MapShapes:
    """All areas and links of a map."""

    plan: Layout
    areas: dict[str, AreaShape]
    links: tuple[DrawnLink, ...]


_cache: Cache[tuple[Map, int], MapShapes] = Cache(24)


def map_shapes(board: Map, unit: int) -> MapShapes:
    """Return the shapes of a map, computed once. Raises ValueError as its layout does."""
    return _cache.get((board, unit), lambda: _map_shapes(board, layout(board, 0, unit)))


def _map_shapes(board: Map, plan: Layout) -> MapShapes:
    at = partial(on_picture, board, plan)
    owners: dict[frozenset[Spot], list[str]] = {}
    for area in board.areas:
        for outline in area.outlines:
            for one, other in _edges(outline):
                owners.setdefault(frozenset((one, other)), []).append(area.name)
    zones = {place: nth for nth, zone in enumerate(board.zones) for place in zone.places}
    numbers = Image.new("L", (plan.width, plan.height))
    pen = ImageDraw.Draw(numbers)
    radius = disc_radius(board, plan)
    drawn: list[tuple[Area, tuple[Line, ...]]] = []
    for nth, area in enumerate(board.areas, 1):
        outlines = tuple(tuple(map(at, outline)) for outline in area.outlines) or (
            _disc(at(area.at), radius),
        )
        for outline in outlines:
            pen.polygon(outline, fill=nth)
        drawn.append((area, outlines))
    water = Image.new("L", numbers.size)
    frame = (plan.board.x, plan.board.y, plan.board.x + plan.board.width, plan.board.y + plan.board.height)
    water.paste(numbers.crop(frame), frame[:2])
    shapes = {}
    for nth, (area, outlines) in enumerate(drawn, 1):
        own = water.point([255 if value == nth else 0 for value in range(256)])
        box = own.getbbox() or (0, 0, 0, 0)
        borders = tuple(_borders(area, owners, zones, at)) or (("coast", (*outlines[0], outlines[0][0])),)
        mask = own.crop(box).convert("1") if area.name in plan.places or box[2] else Image.new("1", (0, 0))
        shapes[area.name] = AreaShape(area.name, nth, outlines, borders, box, mask)
    spots = {area.name: (area.at, bool(area.outlines)) for area in board.areas}
    links = []
    for link in board.links:
        (one, wet), (other, too) = (spots[end] for end in link.ends)
        path = link.path or (one, other)
        if link.wraps:
            links.append(DrawnLink(tuple(_halves_to_rims(at(path[0]), at(path[-1]), frame)), True, False))
        else:
            links.append(DrawnLink((tuple(map(at, path)),), wet and too, link.directed))
    return MapShapes(plan, shapes, tuple(links))


def _edges(outline: Line) -> Iterator[tuple[Spot, Spot]]:
    return zip(outline, (*outline[1:], outline[0]), strict=True)


def _disc(middle: Spot, radius: float) -> Line:
    turns = (pi * k / 16 for k in range(32))
    return tuple((middle[0] + radius * cos(turn), middle[1] + radius * sin(turn)) for turn in turns)


def _borders(
    area: Area, owners: dict[frozenset[Spot], list[str]], zones: dict[str, int], at: Callable[[Spot], Spot]
) -> Iterator[tuple[BorderKind, Line]]:
    """Yield the outlines of an area, cut where the kind of line changes."""
    for outline in area.outlines:
        stretch: list[Spot] = []
        before: BorderKind | None = None
        for one, other in _edges(outline):
            others = [name for name in owners[frozenset((one, other))] if name != area.name]
            kind: BorderKind = "coast"
            if others:
                near = all(zones.get(name) == zones.get(area.name) for name in others)
                kind = "border" if near else "frontier"
            if before != kind:
                if before is not None:
                    yield before, tuple(stretch)
                stretch, before = [at(one)], kind
            stretch.append(at(other))
        if before is not None:
            yield before, tuple(stretch)


def _halves_to_rims(one: Spot, other: Spot, frame: tuple[int, int, int, int]) -> Iterator[Line]:
    """Yield the two halves of a link around the world, each from its end to the nearer rim."""
    middle = (frame[0] + frame[2]) / 2
    height = (one[1] + other[1]) / 2
    for spot in (one, other):
        rim = frame[0] if spot[0] < middle else frame[2]
        yield spot, (float(rim), height)


def dashes(line: Line, long: float, gap: float) -> Iterator[Line]:
    """Yield a line as dashes, with one at either end: `long` and `gap` are approximate lengths."""
    length = sum(hypot(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise(line))
    count = max(1, round((length + gap) / (long + gap)))
    step = (length + gap) / count
    for k in range(count):
        yield tuple(_section(line, k * step, min(length, k * step + step - gap)))


def _section(line: Line, start: float, end: float) -> Iterator[Spot]:
    """Yield the points of a line between two distances from its beginning."""
    along = 0.0
    for (x0, y0), (x1, y1) in pairwise(line):
        length = hypot(x1 - x0, y1 - y0)
        if length and along + length >= start and along <= end:
            low, high = max(0.0, start - along) / length, min(length, end - along) / length
            if along <= start:
                yield x0 + (x1 - x0) * low, y0 + (y1 - y0) * low
            yield x0 + (x1 - x0) * high, y0 + (y1 - y0) * high
        along += length
