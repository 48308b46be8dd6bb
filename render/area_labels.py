"""Where the counts and names of areas stand on a map: legible, none over another, none off the map.

Areas go by their codes, in capitals of seven pixels on a picture 390 wide, because the smallest letters that
can all be told apart have five dots by seven. Where areas are too crowded for that they go by their numbers,
which take less room, in the order of the areas, from 1. Sizes are tried from the most comfortable down until
all labels have their places. One that can't lie on its point gets a leader, a line from it to the point.

A layout belongs to a board, not to a position: pills keep room for two digits, and longer counts are set
smaller. It is worked out once and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from PIL import Image

from games.engine.scene import Map, Spot
from render import fonts
from render.cache import Cache
from render.geometry import FULL_UNIT, Layout
from render.label_packing import LabelPacking, LabelRequest, Rect
from render.layouts import layout, layout_key

CAPITAL_HEIGHT = 0.668
"""Height of a capital or a digit, by the size of its letters. Source: the font's `sCapHeight`."""
PHONE_WIDTH, MIN_CAPITAL = 390, 7.0
"""Pixels of a picture on a phone, and of the capitals on it that can be read."""
TAG_LETTERS = 0.39
"""Size of the letters of a tag, in units: the least by which capitals are `READABLE` on a `PHONE`."""
RIM = 0.06
"""Width of the rim of pills and tags, by the height of a pill."""
PILL_PAD, PILL_GLYPH, PILL_GAP, PILL_DIGITS = 0.2, 0.54, 0.09, 0.86
"""On a pill, by its height: room at its ends, its sign, room behind that, and the size of the digits."""
TAG_HEIGHT, TAG_PAD = 0.94, 0.22
"""Height of a tag, and room at its ends, by the size of its letters."""
_MAX_PILL, _MIN_PILL, _PILL_STEP, _WINDOW_SCALE = 48, 36, 3, 1.25
"""Height of a pill with such a tag in hundredths of a unit, the least that is tried, the step between them,
and how much larger it is in a part that is looked at closely."""
_SHRINK, _MAX_SHRINKS = 0.92, 30
"""By how much sizes shrink that are below the readable ones, and how many of them are tried."""
_NUMBER_SIZE = 0.8
"""Size of a number's digits by the height of a pill: less than a count's, not to be taken for one."""
_MAX_LEADERS, _MAX_FAILURES = 0.08, 6
"""How many labels may have a leader before the next size is tried; after how many sizes that don't fit one
gives up to keep the points of all areas free."""
_NEIGHBOURHOOD, _MAX_FOR_CODES, _MAX_TO_TRY, _MAX_TO_TRY_NUMBERS = 2.2, 0.84, 0.86, 0.7
"""How far around a point it is asked how full of labels a map would be, in labels; what is too full for
codes, and what isn't worth a try, with codes and with numbers: a try that fails takes long."""


@dataclass(frozen=True, slots=True)
class AreaLabel:
    """Where the count and the name of one area stand, in pixels of the picture."""

    text: str
    """The area's code in capitals, or its number."""
    anchor: Spot
    """A point of the area: the one where armies stand, if that is in it."""
    pill: Rect
    tag: Rect
    leader: bool
    """Whether a line leads from the pill to the point."""

    @property
    def pill_centre(self) -> Spot:
        """The middle of the pill."""
        return (self.pill[0] + self.pill[2]) / 2, (self.pill[1] + self.pill[3]) / 2

    @property
    def tag_centre(self) -> Spot:
        """The middle of the tag."""
        return (self.tag[0] + self.tag[2]) / 2, (self.tag[1] + self.tag[3]) / 2


@dataclass(frozen=True, slots=True)
class AreaLabels:
    """All labels of a board."""

    cell: int
    """Height of a pill without its rim."""
    letters: int
    """Size of the letters of a tag."""
    numbered: bool
    """Whether areas go by their numbers."""
    by_area: Mapping[str, AreaLabel]

    def scaled(self, before: Layout, after: Layout) -> AreaLabels:
        """Return the same labels in another size of their board."""
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
    """What labels lie on, in pixels of the board."""

    numbers: Image.Image
    """Area n, from 1, has the value n."""
    avoid: Sequence[Rect] = ()
    """What had better be seen."""


@dataclass(frozen=True, slots=True)
class _Size:
    cell: int
    letters: int
    numbered: bool


_labels: Cache[Map, AreaLabels] = Cache(32)


def area_labels(board: Map, terrain: Callable[[], Terrain]) -> AreaLabels:
    """Return the labels of a board at full size, worked out once."""
    return _labels.get(board, lambda: _placed(board, FULL_UNIT, terrain()))


def shows_numbers(board: Map) -> bool:
    """Tell whether a board is too crowded for codes, so that its areas bear numbers."""
    plain = layout_key(board)
    return isinstance(plain, Map) and _too_crowded_for_codes(plain)


@lru_cache(maxsize=64)
def _too_crowded_for_codes(board: Map) -> bool:
    plan, size = (
        layout(board, 0, FULL_UNIT),
        _Size(round(FULL_UNIT * _MIN_PILL / 100), round(FULL_UNIT * TAG_LETTERS), False),
    )
    return _fullness(plan, _requests(board, _points(board, plan), size)) > _MAX_FOR_CODES


def pill_width(cell: int, count: str) -> float:
    """Return the width of a pill for a count, without its rim."""
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
    """Return the first size in which all labels find their places with few leaders, else with the fewest."""
    best: tuple[int, _Size, LabelPacking] | None = None
    failed = 0
    for size, readable in _sizes(board, unit):
        wants = _requests(board, spots, size)
        if (
            not loose and _fullness(plan, wants) > (_MAX_TO_TRY_NUMBERS if size.numbered else _MAX_TO_TRY)
        ) or failed > _MAX_FAILURES:
            continue
        packing = _packing(plan, wants, spots, terrain, loose=loose)
        if not packing.pack():
            failed += 1
            continue
        led = sum(put.candidate.leader for put in packing.placements if put is not None)
        if best is None or led < best[0]:
            best = (led, size, packing)
        if led <= max(1, _MAX_LEADERS * len(spots)) or not readable:
            break
    return None if best is None else best[1:]


def _sizes(board: Map, unit: int) -> Iterator[tuple[_Size, bool]]:
    """Yield sizes, the most comfortable first, and whether their letters can be read on a phone."""
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
    """Return the numbers of the areas that are shown, and where their armies stand on the board."""
    left, top = (0.0, 0.0) if board.window is None else board.window[:2]
    return [
        (number, ((area.at[0] - left) * plan.scale, (area.at[1] - top) * plan.scale))
        for number, area in enumerate(board.areas, 1)
        if area.name in plan.places
    ]


def _nearest_inside(numbers: Image.Image, number: int, at: Spot) -> Spot:
    """Return the point of an area that is nearest to `at`; `at` itself if no pixel is the area's."""
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
    """Return the labels to be put down. A tag shares the rim of the pill that it hangs on."""
    rim = max(1.0, size.cell * RIM)
    high = size.cell / 2 + rim
    found = []
    for number, at in spots:
        text = _text(board, number, size)
        tag = fonts.width(text, size.letters, bold=True) / 2 + size.letters * TAG_PAD + rim
        pill = max(tag, pill_width(size.cell, "00") / 2 + rim)
        found.append(LabelRequest(at, (pill, high), (tag, size.letters * TAG_HEIGHT / 2 + rim / 2)))
    return found


def _fullness(plan: Layout, wants: Sequence[LabelRequest]) -> float:
    """Return how full of labels the fullest part of a board would be; 1 is full."""
    sizes = [4 * (want.pill[0] * want.pill[1] + want.tag[0] * want.tag[1]) for want in wants]
    worst = 0.0
    for want in wants:
        (x, y), wide, high = (
            want.at,
            _NEIGHBOURHOOD * want.pill[0] * 2,
            _NEIGHBOURHOOD * (want.pill[1] + want.tag[1]) * 2,
        )
        left, right = max(0.0, x - wide), min(float(plan.board.width), x + wide)
        top, bottom = max(0.0, y - high), min(float(plan.board.height), y + high)
        taken = sum(
            size
            for one, size in zip(wants, sizes, strict=True)
            if left <= one.at[0] <= right and top <= one.at[1] <= bottom
        )
        worst = max(worst, taken / max(1.0, (right - left) * (bottom - top)))
    return worst


def _packing(
    plan: Layout,
    wants: Sequence[LabelRequest],
    spots: Sequence[tuple[int, Spot]],
    terrain: Terrain,
    *,
    loose: bool = False,
) -> LabelPacking:
    """Return labels that are yet to be put down."""
    data, across, down = terrain.numbers.tobytes(), terrain.numbers.width, terrain.numbers.height

    def foreign(nth: int, x: float, y: float) -> bool:
        u, v = int(x), int(y)
        return 0 <= u < across and 0 <= v < down and data[v * across + u] not in (0, spots[nth][0])

    return LabelPacking((plan.board.width, plan.board.height), wants, foreign, terrain.avoid, loose=loose)


def _finished(
    board: Map, plan: Layout, spots: Sequence[tuple[int, Spot]], size: _Size, packing: LabelPacking
) -> AreaLabels:
    x, y = plan.board.x, plan.board.y
    found = {}
    for (number, at), want, put in zip(spots, packing.requests, packing.placements, strict=True):
        if put is None:
            continue
        pill, tag = (
            (left + x, top + y, right + x, bottom + y)
            for left, top, right, bottom in (
                want.pill_at(put.candidate),
                want.tag_at(put.candidate, put.side),
            )
        )
        found[board.areas[number - 1].name] = AreaLabel(
            _text(board, number, size), (at[0] + x, at[1] + y), pill, tag, put.candidate.leader
        )
    return AreaLabels(size.cell, size.letters, size.numbered, MappingProxyType(found))
