"""Positions of continents' names on maps whose author gave none: where they cover least.

A name covers nothing that has to be read, prefers water and its own land to foreign land, and lies near its
own areas. Everything is counted on a coarse grid over the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil, floor, hypot
from typing import TypeAlias

from PIL import Image

from games.engine.scene import Map
from render import fonts
from render.area_labels import AreaLabels
from render.geometry import Layout
from render.label_packing import Rect

_CELL = 8
"""Side of a cell of the grid, in pixels."""
_SIZES = (0.3, 0.27, 0.24, 0.21, 0.18)
"""Font sizes, in units of the layout, from the one that is tried first."""
_CUT_SIZE = 0.24
"""Font size from which on long words are truncated, in units: they should stay legible on a phone."""
_MAX_WIDTH, _MAX_WORD, _MAX_LINES = 1.9, 2.9, 3
"""Maximum width of a line and of one that is a single word, in units of the layout, and number of lines."""
LINE_STEP = 1.08
"""Distance of lines, in font sizes."""
_FOREIGN_COST, _CROSSED_COST, _WATER_COST = 2.2, 1.2, 0.25
"""What it costs to cover foreign land, links and leaders, and water."""
_DISTANCE_COST, _OFF_CENTRE_COST = 1.0, 0.35
"""What it costs to lie a unit of the layout away from the zone's nearest area, and from their middle."""
_SMALLER_COST = 0.5
"""What it costs to use the next smaller size."""

SumTable: TypeAlias = list[list[int]]
"""For each cell, the sum over all cells above and to the left."""


@dataclass(frozen=True, slots=True)
class PlacedName:
    """The name of a zone: lines, font size, centre in pixels of the picture, box in those of the board."""

    lines: tuple[str, ...]
    letters: int
    at: tuple[float, float]
    box: Rect


def place_zone_names(
    board: Map,
    names: Sequence[str],
    plan: Layout,
    labels: AreaLabels,
    numbers: Image.Image,
    lines: Iterable[Rect],
) -> tuple[PlacedName, ...]:
    """Return the names that have room; `names` are those of the zones, empty for zones to be left out.

    `numbers` has the area number of each pixel of the board; `lines` are boxes of it to avoid where possible.
    """
    taken = [
        (box[0] - plan.board.x, box[1] - plan.board.y, box[2] - plan.board.x, box[3] - plan.board.y)
        for label in labels.by_area.values()
        for box in (label.pill, label.tag)
    ]
    grid = _Grid(board, numbers)
    blocked, crossed = grid.sums_of(taken), grid.sums_of(lines)
    found: list[PlacedName] = []
    for nth, (zone, text) in enumerate(zip(board.zones, names, strict=True), 1):
        anchors = [
            (labels.by_area[place].anchor[0] - plan.board.x, labels.by_area[place].anchor[1] - plan.board.y)
            for place in sorted(zone.places & labels.by_area.keys())
        ]
        if not text or not anchors:
            continue
        best: tuple[float, PlacedName] | None = None
        for smaller, share in enumerate(_SIZES):
            for written, wide, high in _line_breaks(
                fonts.legible(text),
                round(plan.unit * share),
                plan.unit * _MAX_WIDTH,
                plan.unit * _MAX_WORD,
                cut=share <= _CUT_SIZE,
            ):
                spot = grid.best((wide, high), anchors, plan.unit, nth, blocked, crossed)
                if spot is not None and (best is None or spot[0] + smaller * _SMALLER_COST < best[0]):
                    x, y = spot[1]
                    box = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
                    name = PlacedName(
                        written, round(plan.unit * share), (x + plan.board.x, y + plan.board.y), box
                    )
                    best = spot[0] + smaller * _SMALLER_COST, name
            if best is not None and best[0] <= (smaller + 1) * _SMALLER_COST:
                break
        if best is not None:
            found.append(best[1])
            taken.append(best[1].box)
            blocked = grid.sums_of(taken)
    return tuple(found)


def _line_breaks(
    text: str, size: int, room: float, longest_word: float, *, cut: bool
) -> Iterator[tuple[tuple[str, ...], float, float]]:
    """Yield a text in one line, two and three, with width and height.

    A text that is too long loses words before the last one, which is what the zone is worth. Words that are
    wider than `longest_word` are truncated with `cut`; without it, nothing is yielded for them.
    """
    words = text.split()
    widest = max(fonts.width(word, size, bold=True) for word in words)
    if widest > longest_word:
        if not cut:
            return
        words = [fonts.fit(word, longest_word, size, min_size=size, bold=True)[0] for word in words]
        widest = max(fonts.width(word, size, bold=True) for word in words)
    seen: set[tuple[str, ...]] = set()
    whole = fonts.width(" ".join(words), size, bold=True)
    for count in range(1, _MAX_LINES + 1):
        wide = room if count == 1 else max(widest, min(room, whole / count * 1.2))
        lines = _fitting(words, wide + 1, size, count)
        if lines is None and count == _MAX_LINES:
            shorter = (
                [*words[:n], words[n] + fonts.ELLIPSIS, words[-1]] for n in range(len(words) - 3, -1, -1)
            )
            found = (_fitting(one, wide + 1, size, count) for one in shorter)
            lines = next((one for one in found if one is not None), None)
        if lines is not None and lines not in seen:
            seen.add(lines)
            across = max(fonts.width(line, size, bold=True) for line in lines)
            yield lines, across + 6, len(lines) * size * LINE_STEP + 4


def _fitting(words: Sequence[str], wide: float, size: int, count: int) -> tuple[str, ...] | None:
    """Return words in at most `count` lines; None if they don't fit."""
    text = " ".join(words)
    lines, _ = fonts.wrap(text, wide, size, lines=count, min_size=size, bold=True)
    return tuple(lines) if "".join(lines).replace(" ", "") == "".join(words) else None


class _Grid:
    """The cells of a board: the zone of each, and sums over boxes of them."""

    def __init__(self, board: Map, numbers: Image.Image) -> None:
        self._wide, self._high = max(1, numbers.width // _CELL), max(1, numbers.height // _CELL)
        small = numbers.resize((self._wide, self._high), Image.Resampling.NEAREST).tobytes()
        zones: Mapping[str, int] = {p: nth for nth, zone in enumerate(board.zones, 1) for p in zone.places}
        of = [0, *(zones.get(area.name, 255) for area in board.areas)]
        self._zoned = bytes(small).translate(bytes((of + [0] * 256)[:256]))
        self._land = self._sums([int(value > 0) for value in self._zoned])
        self._own: dict[int, SumTable] = {}

    def _sums(self, values: Sequence[int]) -> SumTable:
        table = [[0] * (self._wide + 1)]
        for y in range(self._high):
            row = accumulate(values[y * self._wide : (y + 1) * self._wide], initial=0)
            table.append([above + along for above, along in zip(table[-1], row, strict=True)])
        return table

    def sums_of(self, boxes: Iterable[Rect]) -> SumTable:
        """Return the sums over the cells that any of these boxes touches."""
        values = bytearray(self._wide * self._high)
        for left, top, right, bottom in boxes:
            x0, x1 = max(0, floor(left / _CELL)), min(self._wide, ceil(right / _CELL))
            for y in range(max(0, floor(top / _CELL)), min(self._high, ceil(bottom / _CELL))):
                if x1 > x0:
                    values[y * self._wide + x0 : y * self._wide + x1] = b"\1" * (x1 - x0)
        return self._sums(values)

    def best(
        self,
        size: tuple[float, float],
        anchors: Sequence[tuple[float, float]],
        unit: int,
        zone: int,
        blocked: SumTable,
        crossed: SumTable,
    ) -> tuple[float, tuple[float, float]] | None:
        """Return the cost and the centre of the cheapest place for a box; None if there is no room."""
        if zone not in self._own:
            self._own[zone] = self._sums([int(value == zone) for value in self._zoned])
        own = self._own[zone]
        wide, high = ceil(size[0] / _CELL), ceil(size[1] / _CELL)
        middle = (sum(x for x, _ in anchors) / len(anchors), sum(y for _, y in anchors) / len(anchors))
        reach = unit * 1.5
        left, right = min(x for x, _ in anchors) - reach, max(x for x, _ in anchors) + reach
        top, bottom = min(y for _, y in anchors) - reach, max(y for _, y in anchors) + reach
        best: tuple[float, tuple[float, float]] | None = None
        first, last = max(0, floor(left / _CELL)), min(self._wide - wide, ceil(right / _CELL))
        for y in range(max(0, floor(top / _CELL)), min(self._high - high, ceil(bottom / _CELL)) + 1):
            for x in range(first, last + 1, 2):
                box = (x, y, x + wide, y + high)
                if _box_sum(blocked, box):
                    continue
                cells, mine, land = wide * high, _box_sum(own, box), _box_sum(self._land, box)
                cost = ((land - mine) * _FOREIGN_COST + (cells - land) * _WATER_COST) / cells
                cost += _CROSSED_COST * min(1.0, 4 * _box_sum(crossed, box) / cells)
                if best is not None and cost >= best[0]:
                    continue
                spot = ((x + wide / 2) * _CELL, (y + high / 2) * _CELL)
                near = min(hypot(spot[0] - u, spot[1] - v) for u, v in anchors)
                cost += (
                    _DISTANCE_COST * near + _OFF_CENTRE_COST * hypot(spot[0] - middle[0], spot[1] - middle[1])
                ) / unit
                if best is None or cost < best[0]:
                    best = cost, spot
        return best


def _box_sum(table: SumTable, box: tuple[int, int, int, int]) -> int:
    left, top, right, bottom = box
    return table[bottom][right] - table[top][right] - table[bottom][left] + table[top][left]
