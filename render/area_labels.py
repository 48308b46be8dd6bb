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
from render.geometry import FULL, Layout
from render.label_packing import Packing, Rect, Want
from render.layouts import bare, layout

CAPITAL = 0.668
"""Height of a capital or a digit, by the size of its letters. Source: the font's `sCapHeight`."""
PHONE, READABLE = 390, 7.0
"""Pixels of a picture on a phone, and of the capitals on it that can be read."""
LETTERS = 0.39
"""Size of the letters of a tag, in units: the least by which capitals are `READABLE` on a `PHONE`."""
RIM = 0.06
"""Width of the rim of pills and tags, by the height of a pill."""
PAD, SIGN, BETWEEN, DIGITS = 0.2, 0.54, 0.09, 0.86
"""On a pill, by its height: room at its ends, its sign, room behind that, and the size of the digits."""
TAG, TAG_PAD = 0.94, 0.22
"""Height of a tag, and room at its ends, by the size of its letters."""
_LARGEST, _LEAST, _STEP, _CLOSER = 48, 36, 3, 1.25
"""Height of a pill with such a tag in hundredths of a unit, the least that is tried, the step between them,
and how much larger it is in a part that is looked at closely."""
_SMALLER, _SIZES = 0.92, 30
"""By how much sizes shrink that are below the readable ones, and how many of them are tried."""
_LIGHTER = 0.8
"""Size of a number's digits by the height of a pill: less than a count's, not to be taken for one."""
_LED, _FAILED = 0.08, 6
"""How many labels may have a leader before the next size is tried; after how many sizes that don't fit one
gives up to keep the points of all areas free."""
_AROUND, _CROWDED, _FULL, _EASY = 2.2, 0.84, 0.86, 0.7
"""How far around a point it is asked how full of labels a map would be, in labels; what is too full for
codes, and what isn't worth a try, with codes and with numbers: a try that fails takes long."""


@dataclass(frozen=True, slots=True)
class Label:
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
    def middle(self) -> Spot:
        """The middle of the pill."""
        return (self.pill[0] + self.pill[2]) / 2, (self.pill[1] + self.pill[3]) / 2

    @property
    def tagged(self) -> Spot:
        """The middle of the tag."""
        return (self.tag[0] + self.tag[2]) / 2, (self.tag[1] + self.tag[3]) / 2


@dataclass(frozen=True, slots=True)
class Labels:
    """All labels of a board."""

    cell: int
    """Height of a pill without its rim."""
    letters: int
    """Size of the letters of a tag."""
    numbered: bool
    """Whether areas go by their numbers."""
    of: Mapping[str, Label]

    def scaled(self, before: Layout, after: Layout) -> Labels:
        """Return the same labels in another size of their board."""
        share = after.scale / before.scale

        def at(spot: Spot) -> Spot:
            x, y = (spot[0] - before.board.x) * share, (spot[1] - before.board.y) * share
            return after.board.x + x, after.board.y + y

        def box(rect: Rect) -> Rect:
            return (*at(rect[:2]), *at(rect[2:]))

        found = {
            place: Label(one.text, at(one.anchor), box(one.pill), box(one.tag), one.leader)
            for place, one in self.of.items()
        }
        cell, letters = round(self.cell * share), round(self.letters * share)
        return Labels(cell, letters, self.numbered, MappingProxyType(found))


@dataclass(frozen=True, slots=True)
class Terrain:
    """What labels lie on, in pixels of the board."""

    lands: Image.Image
    """Area n, from 1, has the value n."""
    soft: Sequence[Rect] = ()
    """What had better be seen."""


@dataclass(frozen=True, slots=True)
class _Size:
    cell: int
    letters: int
    numbered: bool


_labels: Cache[Map, Labels] = Cache(32)


def labels(board: Map, terrain: Callable[[], Terrain]) -> Labels:
    """Return the labels of a board at full size, worked out once."""
    return _labels.get(board, lambda: _worked_out(board, FULL, terrain()))


def numbered(board: Map) -> bool:
    """Tell whether a board is too crowded for codes, so that its areas bear numbers."""
    plain = bare(board)
    return isinstance(plain, Map) and _numbered(plain)


@lru_cache(maxsize=64)
def _numbered(board: Map) -> bool:
    plan, size = layout(board, 0, FULL), _Size(round(FULL * _LEAST / 100), round(FULL * LETTERS), False)
    return _crowd(plan, _wants(board, _points(board, plan), size)) > _CROWDED


def pill_width(cell: int, count: str) -> float:
    """Return the width of a pill for a count, without its rim."""
    digits = fonts.width(count, round(cell * DIGITS), bold=True)
    return cell * (2 * PAD + SIGN + BETWEEN) + digits


def _worked_out(board: Map, unit: int, terrain: Terrain) -> Labels:
    plan = layout(board, 0, unit)
    spots = [(number, _inside(terrain.lands, number, at)) for number, at in _points(board, plan)]
    for loose in (False, True):
        if (found := _comfortable(board, plan, unit, spots, terrain, loose=loose)) is not None:
            return _labelled(board, plan, spots, *found)
    size = _Size(max(4, unit // 20), max(4, unit // 20), numbered(board))
    packing = _packing(plan, _wants(board, spots, size), spots, terrain)
    packing.pile()
    return _labelled(board, plan, spots, size, packing)


def _comfortable(
    board: Map,
    plan: Layout,
    unit: int,
    spots: Sequence[tuple[int, Spot]],
    terrain: Terrain,
    *,
    loose: bool,
) -> tuple[_Size, Packing] | None:
    """Return the first size in which all labels find their places with few leaders, else with the fewest."""
    best: tuple[int, _Size, Packing] | None = None
    failed = 0
    for size, readable in _sizes(board, unit):
        wants = _wants(board, spots, size)
        if (not loose and _crowd(plan, wants) > (_EASY if size.numbered else _FULL)) or failed > _FAILED:
            continue
        packing = _packing(plan, wants, spots, terrain, loose=loose)
        if not packing.pack():
            failed += 1
            continue
        led = sum(put.spot.leader for put in packing.put if put is not None)
        if best is None or led < best[0]:
            best = (led, size, packing)
        if led <= max(1, _LED * len(spots)) or not readable:
            break
    return None if best is None else best[1:]


def _sizes(board: Map, unit: int) -> Iterator[tuple[_Size, bool]]:
    """Yield sizes, the most comfortable first, and whether their letters can be read on a phone."""
    few, readable = numbered(board), round(unit * LETTERS)
    closer = 1.0 if board.window is None else _CLOSER
    cells = [unit * closer * share / 100 for share in range(_LARGEST, _LEAST - 1, -_STEP)]
    for cell in cells:
        yield _Size(round(cell), round(cell * _LIGHTER) if few else readable, few), True
    for n in range(1, _SIZES):
        cell = unit * _LEAST / 100 * _SMALLER**n
        letters = cell * _LIGHTER if few else readable * _SMALLER**n
        yield _Size(max(3, round(cell)), max(3, round(letters)), few), False


def _points(board: Map, plan: Layout) -> list[tuple[int, Spot]]:
    """Return the numbers of the areas that are shown, and where their armies stand on the board."""
    left, top = (0.0, 0.0) if board.window is None else board.window[:2]
    return [
        (number, ((area.at[0] - left) * plan.scale, (area.at[1] - top) * plan.scale))
        for number, area in enumerate(board.areas, 1)
        if area.name in plan.places
    ]


def _inside(lands: Image.Image, number: int, at: Spot) -> Spot:
    """Return the point of an area that is nearest to `at`; `at` itself if no pixel is the area's."""
    x = min(max(round(at[0]), 0), lands.width - 1)
    y = min(max(round(at[1]), 0), lands.height - 1)
    if lands.getpixel((x, y)) == number:
        return float(x), float(y)
    own = lands.point([255 if value == number else 0 for value in range(256)])
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


def _wants(board: Map, spots: Iterable[tuple[int, Spot]], size: _Size) -> list[Want]:
    """Return the labels to be put down. A tag shares the rim of the pill that it hangs on."""
    rim = max(1.0, size.cell * RIM)
    high = size.cell / 2 + rim
    found = []
    for number, at in spots:
        text = _text(board, number, size)
        tag = fonts.width(text, size.letters, bold=True) / 2 + size.letters * TAG_PAD + rim
        pill = max(tag, pill_width(size.cell, "00") / 2 + rim)
        found.append(Want(at, (pill, high), (tag, size.letters * TAG / 2 + rim / 2)))
    return found


def _crowd(plan: Layout, wants: Sequence[Want]) -> float:
    """Return how full of labels the fullest part of a board would be; 1 is full."""
    sizes = [4 * (want.pill[0] * want.pill[1] + want.tag[0] * want.tag[1]) for want in wants]
    worst = 0.0
    for want in wants:
        (x, y), wide, high = want.at, _AROUND * want.pill[0] * 2, _AROUND * (want.pill[1] + want.tag[1]) * 2
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
    wants: Sequence[Want],
    spots: Sequence[tuple[int, Spot]],
    terrain: Terrain,
    *,
    loose: bool = False,
) -> Packing:
    """Return labels that are yet to be put down."""
    data, across, down = terrain.lands.tobytes(), terrain.lands.width, terrain.lands.height

    def foreign(nth: int, x: float, y: float) -> bool:
        u, v = int(x), int(y)
        return 0 <= u < across and 0 <= v < down and data[v * across + u] not in (0, spots[nth][0])

    return Packing((plan.board.width, plan.board.height), wants, foreign, terrain.soft, loose=loose)


def _labelled(
    board: Map, plan: Layout, spots: Sequence[tuple[int, Spot]], size: _Size, packing: Packing
) -> Labels:
    x, y = plan.board.x, plan.board.y
    found = {}
    for (number, at), want, put in zip(spots, packing.wants, packing.put, strict=True):
        if put is None:
            continue
        pill, tag = (
            (left + x, top + y, right + x, bottom + y)
            for left, top, right, bottom in (want.pill_at(put.spot), want.tag_at(put.spot, put.side))
        )
        found[board.areas[number - 1].name] = Label(
            _text(board, number, size), (at[0] + x, at[1] + y), pill, tag, put.spot.leader
        )
    return Labels(size.cell, size.letters, size.numbered, MappingProxyType(found))
