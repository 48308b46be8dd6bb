"""Positions of counts and names on a map: legible, never overlapping, never off the map.

An area is labelled with its code, in capitals of seven pixels on a picture 390 wide: the smallest letters
that can all be distinguished have five dots by seven. Where codes would be too crowded, areas are labelled
with their numbers, from 1 in their order, which take less room. Sizes are tried from the largest down until
all labels have a place. A label that can't lie on its area's point is joined to it by a leader line.

A layout depends on the board, not on the position: pills have room for two digits, and longer counts are set
smaller. It is computed once and cached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from PIL import Image

from games.engine.scene import Map, Spot
from render import fonts
from render.geometry import FULL_UNIT, Layout
from render.geometry_map import layout, on_board, without_ground
from render.label_packing import LabelPacking, LabelRequest, Rect
from render.thread_safe_cache import Cache

CAPITAL_HEIGHT = 0.668
"""Height of a capital or a digit, as a share of the font size. Source: the font's `sCapHeight`."""
PHONE_WIDTH, MIN_CAPITAL = 390, 7.0
"""Width of a picture on a phone, and of legible capitals on it the least height, in pixels."""
TAG_LETTERS = 0.39
"""Font size of a tag, in units: the smallest that is legible on a phone."""
RIM = 0.06
"""Width of the rim of pills and tags, in heights of a pill."""
PILL_PAD, PILL_GLYPH, PILL_GAP, PILL_DIGITS = 0.2, 0.54, 0.09, 0.86
"""Of a pill, in its heights: padding at the ends, size of the glyph, gap after it, font size."""
TAG_HEIGHT, TAG_PAD = 0.94, 0.22
"""Height of a tag and padding at its ends, in font sizes."""
_MAX_PILL, _MIN_PILL, _PILL_STEP, _WINDOW_SCALE = 48, 36, 3, 1.25
"""Largest and smallest height of a pill beside a legible tag and the step between the sizes that are tried,
in hundredths of a unit; and the factor by which pills are larger in a window."""
_SHRINK, _MAX_SHRINKS = 0.92, 30
"""Factor from one illegibly small size to the next, and the power of it at which trying ends."""
_NUMBER_SIZE = 0.8
"""Font size of an area's number, in heights of a pill: smaller than a count, not to be mistaken for one."""
_MAX_LEADERS, _MAX_FAILURES = 0.08, 6
"""Share of labels that may have a leader before the next size is tried; and the number of sizes that may fail
before labels are allowed to cover the points of other areas."""
_NEIGHBOURHOOD, _MAX_FOR_CODES, _MAX_TO_TRY, _MAX_TO_TRY_NUMBERS = 2.2, 0.84, 0.86, 0.7
"""Range around a point in which crowding is measured, in labels; the fullness above which numbers replace
codes; and the fullness above which packing isn't tried, with codes and with numbers: failing takes long."""


@dataclass(frozen=True, slots=True)
class AreaLabel:
    """Position of the count and the name of one area, in pixels of the picture."""

    text: str
    """The area's code in capitals, or its number."""
    anchor: Spot
    """The point where armies stand, or the pixel of the area nearest to it."""
    pill: Rect
    tag: Rect
    leader: bool
    """Whether a line leads from the pill to the anchor."""

    @property
    def pill_centre(self) -> Spot:
        """The centre of the pill."""
        return (self.pill[0] + self.pill[2]) / 2, (self.pill[1] + self.pill[3]) / 2

    @property
    def tag_centre(self) -> Spot:
        """The centre of the tag."""
        return (self.tag[0] + self.tag[2]) / 2, (self.tag[1] + self.tag[3]) / 2


@dataclass(frozen=True, slots=True)
class AreaLabels:
    """All labels of a board."""

    cell: int
    """Height of a pill without its rim, in pixels."""
    letters: int
    """Font size of a tag, in pixels."""
    numbered: bool
    """Whether areas are labelled with their numbers."""
    by_area: Mapping[str, AreaLabel]

    def scaled(self, before: Layout, after: Layout) -> AreaLabels:
        """Return these labels for another size of the same board."""
        share = after.scale / before.scale

        def at(spot: Spot) -> Spot:
            x, y = (spot[0] - before.board.x) * share, (spot[1] - before.board.y) * share
            return after.board.x + x, after.board.y + y

        def box(rect: Rect) -> Rect:
            return (*at(rect[:2]), *at(rect[2:]))

        found = {
            place: AreaLabel(one.text, at(one.anchor), box(one.pill), box(one.tag), one.leader)
            for place, one in self.by_area.items()
        }
        cell, letters = round(self.cell * share), round(self.letters * share)
        return AreaLabels(cell, letters, self.numbered, MappingProxyType(found))


@dataclass(frozen=True, slots=True)
class Terrain:
    """What lies below the labels, in pixels of the board."""

    numbers: Image.Image
    """The area number of each pixel, from 1; 0 for no area."""
    avoid: Sequence[Rect] = ()
    """What labels should leave visible where they can."""


@dataclass(frozen=True, slots=True)
class _Size:
    cell: int
    letters: int
    numbered: bool


_labels: Cache[Map, AreaLabels] = Cache(32)


def area_labels(board: Map, terrain: Callable[[], Terrain]) -> AreaLabels:
    """Return the labels of a board at full size, from the cache or placed now."""
    return _labels.get(board, lambda: _placed(board, FULL_UNIT, terrain()))


def shows_numbers(board: Map) -> bool:
    """Tell whether areas are labelled with numbers, because codes would be too crowded."""
    return _too_crowded_for_codes(without_ground(board))


@lru_cache(maxsize=64)
def _too_crowded_for_codes(board: Map) -> bool:
    plan, size = (
        layout(board, 0, FULL_UNIT),
        _Size(round(FULL_UNIT * _MIN_PILL / 100), round(FULL_UNIT * TAG_LETTERS), False),
    )
    return _fullness(plan, _requests(board, _points(board, plan), size)) > _MAX_FOR_CODES


def pill_width(cell: int, count: str) -> float:
    """Return the width of a pill for a count, without its rim, in pixels."""
    digits = fonts.width(count, round(cell * PILL_DIGITS), bold=True)
    return cell * (2 * PILL_PAD + PILL_GLYPH + PILL_GAP) + digits


def _placed(board: Map, unit: int, terrain: Terrain) -> AreaLabels:
    plan = layout(board, 0, unit)
    spots = [(number, _nearest_inside(terrain.numbers, number, at)) for number, at in _points(board, plan)]
    for loose in (False, True):
        if (found := _best_size(board, plan, unit, spots, terrain, loose=loose)) is not None:
            return _finished(board, plan, spots, *found)
    size = _Size(max(4, unit // 20), max(4, unit // 20), shows_numbers(board))
    packing = _packing(plan, _requests(board, spots, size), spots, terrain)
    packing.place_overlapping()
    return _finished(board, plan, spots, size, packing)


def _best_size(
    board: Map, plan: Layout, unit: int, spots: Sequence[tuple[int, Spot]], terrain: Terrain, *, loose: bool
) -> tuple[_Size, LabelPacking] | None:
    """Return the first size at which all labels fit with few leaders, else with the fewest; or None."""
    best: tuple[int, _Size, LabelPacking] | None = None
    failed = 0
    for size, readable in _sizes(board, unit):
        requests = _requests(board, spots, size)
        limit = _MAX_TO_TRY_NUMBERS if size.numbered else _MAX_TO_TRY
        if failed > _MAX_FAILURES or (not loose and _fullness(plan, requests) > limit):
            continue
        packing = _packing(plan, requests, spots, terrain, loose=loose)
        if not packing.pack():
            failed += 1
            continue
        leaders = sum(placement.candidate.leader for placement in packing.placements if placement is not None)
        if best is None or leaders < best[0]:
            best = (leaders, size, packing)
        if leaders <= max(1, _MAX_LEADERS * len(spots)) or not readable:
            break
    return None if best is None else best[1:]


def _sizes(board: Map, unit: int) -> Iterator[tuple[_Size, bool]]:
    """Yield sizes, the largest first, each with whether its letters are legible on a phone."""
    few, readable = shows_numbers(board), round(unit * TAG_LETTERS)
    closer = 1.0 if board.window is None else _WINDOW_SCALE
    cells = [unit * closer * share / 100 for share in range(_MAX_PILL, _MIN_PILL - 1, -_PILL_STEP)]
    for cell in cells:
        yield _Size(round(cell), round(cell * _NUMBER_SIZE) if few else readable, few), True
    for n in range(1, _MAX_SHRINKS):
        cell = unit * _MIN_PILL / 100 * _SHRINK**n
        letters = cell * _NUMBER_SIZE if few else readable * _SHRINK**n
        yield _Size(max(3, round(cell)), max(3, round(letters)), few), False


def _points(board: Map, plan: Layout) -> list[tuple[int, Spot]]:
    """Return the numbers of the visible areas, and where their armies stand, in pixels of the board."""
    return [
        (number, on_board(board, plan, area.at))
        for number, area in enumerate(board.areas, 1)
        if area.name in plan.places
    ]


def _nearest_inside(numbers: Image.Image, number: int, at: Spot) -> Spot:
    """Return the pixel of area `number` that is nearest to `at`; `at` itself if it has no pixel."""
    x = min(max(round(at[0]), 0), numbers.width - 1)
    y = min(max(round(at[1]), 0), numbers.height - 1)
    if numbers.getpixel((x, y)) == number:
        return float(x), float(y)
    own = numbers.point([255 if value == number else 0 for value in range(256)])
    box = own.getbbox()
    if box is None:
        return at
    data, wide = own.tobytes(), own.width
    rows = ((v, data[v * wide : (v + 1) * wide]) for v in range(box[1], box[3]))
    found = ((u, v) for v, row in rows for u in (row.find(255, x), row.rfind(255, 0, x)) if u >= 0)
    u, v = min(found, key=lambda spot: ((spot[0] - x) ** 2 + (spot[1] - y) ** 2, spot))
    return float(u), float(v)


def _text(board: Map, number: int, size: _Size) -> str:
    return str(number) if size.numbered else board.areas[number - 1].name.upper()


def _requests(board: Map, spots: Iterable[tuple[int, Spot]], size: _Size) -> list[LabelRequest]:
    """Return the labels to place. A tag shares the rim of the pill that it is attached to."""
    rim = max(1.0, size.cell * RIM)
    high = size.cell / 2 + rim
    found = []
    for number, at in spots:
        text = _text(board, number, size)
        tag = fonts.width(text, size.letters, bold=True) / 2 + size.letters * TAG_PAD + rim
        pill = max(tag, pill_width(size.cell, "00") / 2 + rim)
        found.append(LabelRequest(at, (pill, high), (tag, size.letters * TAG_HEIGHT / 2 + rim / 2)))
    return found


def _fullness(plan: Layout, requests: Sequence[LabelRequest]) -> float:
    """Return how full of labels the fullest part of a board would be; 1 is full."""
    sizes = [4 * (one.pill[0] * one.pill[1] + one.tag[0] * one.tag[1]) for one in requests]
    worst = 0.0
    for request in requests:
        x, y = request.at
        wide = _NEIGHBOURHOOD * request.pill[0] * 2
        high = _NEIGHBOURHOOD * (request.pill[1] + request.tag[1]) * 2
        left, right = max(0.0, x - wide), min(float(plan.board.width), x + wide)
        top, bottom = max(0.0, y - high), min(float(plan.board.height), y + high)
        taken = sum(
            size
            for one, size in zip(requests, sizes, strict=True)
            if left <= one.at[0] <= right and top <= one.at[1] <= bottom
        )
        worst = max(worst, taken / max(1.0, (right - left) * (bottom - top)))
    return worst


def _packing(
    plan: Layout,
    requests: Sequence[LabelRequest],
    spots: Sequence[tuple[int, Spot]],
    terrain: Terrain,
    *,
    loose: bool = False,
) -> LabelPacking:
    """Return a packing in which no label is placed yet."""
    data, across, down = terrain.numbers.tobytes(), terrain.numbers.width, terrain.numbers.height

    def foreign(nth: int, x: float, y: float) -> bool:
        u, v = int(x), int(y)
        return 0 <= u < across and 0 <= v < down and data[v * across + u] not in (0, spots[nth][0])

    return LabelPacking((plan.board.width, plan.board.height), requests, foreign, terrain.avoid, loose=loose)


def _finished(
    board: Map, plan: Layout, spots: Sequence[tuple[int, Spot]], size: _Size, packing: LabelPacking
) -> AreaLabels:
    x, y = plan.board.x, plan.board.y
    found = {}
    for (number, at), request, placement in zip(spots, packing.requests, packing.placements, strict=True):
        if placement is None:
            continue
        pill, tag = (
            (left + x, top + y, right + x, bottom + y)
            for left, top, right, bottom in (
                request.pill_at(placement.candidate),
                request.tag_at(placement.candidate, placement.side),
            )
        )
        found[board.areas[number - 1].name] = AreaLabel(
            _text(board, number, size), (at[0] + x, at[1] + y), pill, tag, placement.candidate.leader
        )
    return AreaLabels(size.cell, size.letters, size.numbered, MappingProxyType(found))
