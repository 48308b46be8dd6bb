"""Room on a map for its labels: each as near to its own point as it may be, and none over another.

A label is a pill with a tag at one of its sides. Labels are put down one after the other, those among the
most neighbours first; each takes the cheapest spot that is still free. One that finds none sends away what is
in its way at the best spot, and what was sent away looks again. Last, those that paid most look once more,
and may push one other label aside where both together become cheaper.

What is taken is kept as rows of bits, two pixels each way to a bit, so that whether a box is free is a few
operations on whole numbers. Nothing here is left to chance: equal labels get equal places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor, hypot
from typing import Literal, NamedTuple, TypeAlias

Side: TypeAlias = Literal["below", "above", "right", "left"]
Rect: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Cells: TypeAlias = tuple[int, int, int]
"""The first row, the row behind the last, and the bits of each of them."""

_BIT = 2
_SIDES: tuple[tuple[Side, float], ...] = (("below", 0.0), ("above", 0.7), ("right", 0.9), ("left", 1.0))
_NEAR, _LEADER, _FOREIGN, _SOFT = 0.5, 1.6, 0.22, 1.0
"""What it costs to lie beside one's point, by the distance; to need a leader; each probe over an area of
someone else; to lie over what had better be seen; and above, each side of a tag. In heights of a pill."""
_REACH = 3.6
"""How far from its point a label may lie, in heights of a pill."""
_GAP, _OPEN = 2, 0.3
"""Pixels that stay free around a label, so that one sees which tag hangs on which pill; and how much more
does, in heights of a pill, where a tag isn't below its own pill and might be taken for that of another."""
_BESIDE = 3
"""How many pixels from its pill a point may lie and need no leader."""
_ROUNDS, _PATIENCE = 3, 0.6
"""How often labels look again, and how many may be sent away, for each label."""
_CLEARED, _PUSHED = 240, 24
"""Among how many spots a label looks that sends others away, or aside."""


class Spot(NamedTuple):
    """A place for the middle of a pill, as seen from its point."""

    cost: float
    dx: float
    dy: float
    leader: bool


@dataclass(frozen=True, slots=True)
class Put:
    """Where a label lies."""

    cost: float
    spot: Spot
    side: Side
    cells: tuple[Cells, ...]


@dataclass(frozen=True, slots=True)
class Want:
    """A label to be put down: its point, and half the width and height of its pill and of its tag."""

    at: tuple[float, float]
    pill: tuple[float, float]
    tag: tuple[float, float]

    def pill_at(self, spot: Spot) -> Rect:
        """Return where the pill lies."""
        x, y = self.at[0] + spot.dx, self.at[1] + spot.dy
        return x - self.pill[0], y - self.pill[1], x + self.pill[0], y + self.pill[1]

    def tag_at(self, spot: Spot, side: Side) -> Rect:
        """Return where the tag lies."""
        x, y = self.at[0] + spot.dx, self.at[1] + spot.dy
        (a, b), (c, d) = self.pill, self.tag
        if side == "below":
            y += b + d
        elif side == "above":
            y -= b + d
        elif side == "right":
            x += a + c
        else:
            x -= a + c
        return x - c, y - d, x + c, y + d


@lru_cache(maxsize=512)
def _spots(wide: float, high: float, right: float, down: float) -> tuple[Spot, ...]:
    """Return the spots for a pill of such half sizes, the cheapest first.

    They lie around the one `right` and `down` of its point, which is the nearest on the board.
    """
    unit = 2 * high
    step = max(2.0, unit / 6)
    found = []
    count = int(unit * _REACH / step)
    for i in range(-count, count + 1):
        for j in range(-count, count + 1):
            dx, dy, far = right + i * step, down + j * step, hypot(i * step, j * step)
            leader = abs(dx) > wide + _BESIDE or abs(dy) > high + _BESIDE
            if far <= unit * _REACH and not (leader and (i % 2 or j % 2)):
                found.append(Spot(unit * _LEADER + far if leader else far * _NEAR, dx, dy, leader))
    return tuple(sorted(found, key=lambda spot: (spot.cost, spot.dy, spot.dx)))


class Packing:
    """Labels on a board of so many pixels. `foreign` says whether a pixel belongs to someone else's area.

    `loose` ones may lie on each other's points and leaders, though never on each other.
    """

    def __init__(
        self,
        size: tuple[int, int],
        wants: Sequence[Want],
        foreign: Callable[[int, float, float], bool],
        soft: Iterable[Rect] = (),
        *,
        loose: bool = False,
    ) -> None:
        self._wide, self._high = size
        self.wants = wants
        self._foreign = foreign
        self._rows = [0] * (ceil(self._high / _BIT) + 1)
        self._dots, self._soft = list(self._rows), list(self._rows)
        _mark(self._soft, map(self._cells, soft))
        self._own = [self._dot(want.at) for want in wants]
        self._loose = loose
        if not loose:
            _mark(self._dots, self._own)
        self.put: list[Put | None] = [None] * len(wants)

    # --- bits ---------------------------------------------------------------------------------------

    def _cells(self, box: Rect) -> Cells:
        left, right = max(0, floor(box[0] / _BIT)), max(0, ceil(box[2] / _BIT))
        top, bottom = max(0, floor(box[1] / _BIT)), min(len(self._rows), ceil(box[3] / _BIT))
        return top, bottom, ((1 << (right - left)) - 1) << left

    def _dot(self, at: tuple[float, float]) -> Cells:
        """Return what is kept free around the point of a label, where its leader would end."""
        x = min(max(at[0], 2.0), self._wide - 2.0)
        y = min(max(at[1], 2.0), self._high - 2.0)
        return self._cells((x - 2, y - 2, x + 2, y + 2))

    def _free(self, cells: Cells) -> bool:
        return not (_over(self._rows, cells) or _over(self._dots, cells))

    def _inside(self, box: Rect) -> bool:
        return box[0] >= 1 and box[1] >= 1 and box[2] <= self._wide - 1 and box[3] <= self._high - 1

    def _line(self, want: Want, spot: Spot, boxes: tuple[Rect, Rect]) -> Iterator[Cells]:
        """Yield the cells of a leader outside its own label."""
        x, y = want.at
        steps = ceil(max(abs(spot.dx), abs(spot.dy)) / _BIT)
        for k in range(steps + 1):
            u, v = x + spot.dx * k / steps, y + spot.dy * k / steps
            if not any(box[0] - 1 <= u <= box[2] + 1 and box[1] - 1 <= v <= box[3] + 1 for box in boxes):
                yield self._cells((u - 1, v - 1, u + 1, v + 1))

    def _kept(self, pill: Rect, tag: Rect, side: Side) -> list[Cells]:
        """Return what a label keeps free of others."""
        more = _OPEN * (pill[3] - pill[1])
        above, beside = side == "above", side in ("right", "left")
        one = (pill[0], pill[1], pill[2], pill[3] + (more if beside else 0.0))
        other = (tag[0], tag[1] - (more if above else 0.0), tag[2], tag[3])
        return [self._cells(_grown(one)), self._cells(_grown(other))]

    # --- one label ----------------------------------------------------------------------------------

    def _offers(self, nth: int) -> tuple[Spot, ...]:
        (x, y), (wide, high) = self.wants[nth].at, self.wants[nth].pill
        right = min(max(x, wide + 1), self._wide - wide - 1) - x
        down = min(max(y, high + 1), self._high - high - 1) - y
        return _spots(wide, high, right, down)

    def _tagged(self, nth: int, spot: Spot, pill: Rect, below: float) -> Put | None:
        """Return the cheapest label with its pill on a free spot, if it costs less than `below`."""
        want, unit = self.wants[nth], 2 * self.wants[nth].pill[1]
        cost = spot.cost + self._ground(nth, pill) * unit
        for side, share in _SIDES:
            if cost + share * unit >= below:
                break
            tag = want.tag_at(spot, side)
            if not self._inside(tag) or not self._free(self._cells(tag)):
                continue
            taken = self._kept(pill, tag, side)
            if not all(map(self._free, taken)):
                continue
            if spot.leader:
                line = [] if self._loose else list(self._line(want, spot, (pill, tag)))
                if not all(map(self._free, line)):
                    continue
                taken += line
            over = any(_over(self._soft, each) for each in taken[:2])
            return Put(cost + (share + _SOFT * over) * unit, spot, side, tuple(taken))
        return None

    def _ground(self, nth: int, pill: Rect) -> float:
        """Return what is to be paid for land of others below a pill."""
        left, top, right, bottom = pill
        x, y = (left + right) / 2, (top + bottom) / 2
        probes = ((x, y), (left, y), (right, y), (x, top), (x, bottom))
        return sum(self._foreign(nth, *probe) for probe in probes) * _FOREIGN

    def _best(self, nth: int, below: float = float("inf")) -> Put | None:
        """Return the cheapest place for a label that is free and costs less than `below`."""
        want, best = self.wants[nth], None
        _unmark(self._dots, (self._own[nth],))
        for spot in self._offers(nth):
            if spot.cost >= below:
                break
            pill = want.pill_at(spot)
            if self._inside(pill) and self._free(self._cells(pill)):
                put = self._tagged(nth, spot, pill, below)
                if put is not None and put.cost < below:
                    best, below = put, put.cost
        self._guard(nth)
        return best

    def _guard(self, nth: int) -> None:
        """Keep others off the point of a label."""
        if not self._loose:
            _mark(self._dots, (self._own[nth],))

    def _lay(self, nth: int, put: Put) -> None:
        self.put[nth] = put
        _mark(self._rows, put.cells)

    def _lift(self, nth: int) -> Put:
        put = self.put[nth]
        if put is None:
            raise ValueError(f"label {nth} isn't laid")
        _unmark(self._rows, put.cells)
        self.put[nth] = None
        return put

    def _near(self, nth: int) -> list[tuple[int, Put]]:
        """Return the labels that may lie in the way of this one."""
        x, y = self.wants[nth].at
        reach = 2 * self.wants[nth].pill[1] * (_REACH + 1) * 2
        return [
            (other, put)
            for other, (want, put) in enumerate(zip(self.wants, self.put, strict=True))
            if put is not None and abs(want.at[0] - x) < reach and abs(want.at[1] - y) < reach
        ]

    # --- all of them --------------------------------------------------------------------------------

    def pack(self) -> bool:
        """Put all labels down; False if there seems to be no room for all of them."""
        waiting = self._order()
        pushed = [0] * len(waiting)
        left = _PATIENCE * len(waiting)
        while waiting:
            nth = waiting.pop(0)
            put = self._best(nth)
            if put is not None:
                self._lay(nth, put)
                continue
            others = self._clear(nth, pushed)
            left -= len(others)
            if not others or left < 0:
                return False
            waiting[:0] = others
        for _ in range(_ROUNDS):
            if not self._improve():
                break
        return True

    def pile(self) -> None:
        """Put all labels down as near as they may be, one over the other: for maps of a few pixels."""
        for nth in range(len(self.wants)):
            self.put[nth] = Put(0.0, self._offers(nth)[0], "below", ())

    def _order(self) -> list[int]:
        """Return the labels, those with the most neighbours first."""
        crowd = []
        for nth, want in enumerate(self.wants):
            reach = 4 * (want.pill[0] + want.pill[1])
            away = (hypot(want.at[0] - one.at[0], want.at[1] - one.at[1]) for one in self.wants)
            rim = min(*want.at, self._wide - want.at[0], self._high - want.at[1]) < want.pill[0]
            crowd.append((-sum(max(0.0, 1 - far / reach) for far in away) - rim, nth))
        return [nth for _, nth in sorted(crowd)]

    def _clear(self, nth: int, pushed: list[int]) -> list[int]:
        """Lay a label where those in its way have made room least often; return whom it sent away."""
        want, near = self.wants[nth], self._near(nth)
        best: tuple[float, Put, list[int]] | None = None
        _unmark(self._dots, (self._own[nth],))
        for spot in self._offers(nth)[:_CLEARED]:
            pill = want.pill_at(spot)
            if not self._inside(pill) or _over(self._dots, self._cells(pill)):
                continue
            for side, share in _SIDES:
                tag = want.tag_at(spot, side)
                if not self._inside(tag) or _over(self._dots, self._cells(tag)):
                    continue
                cells = self._kept(pill, tag, side)
                cells += self._line(want, spot, (pill, tag)) if spot.leader and not self._loose else ()
                others = _in_the_way(near, cells)
                cost = spot.cost + share * 2 * want.pill[1]
                worth = cost / want.pill[1] + sum(1 + 2 * pushed[other] for other in others)
                if best is None or worth < best[0]:
                    best = worth, Put(cost, spot, side, tuple(cells)), others
        self._guard(nth)
        if best is None:
            return []
        _, put, others = best
        for other in others:
            pushed[other] += 1
            self._lift(other)
        self._lay(nth, put)
        return others

    def _improve(self) -> bool:
        """Let labels look again, the dearest first; return whether any found a better place."""
        changed = False
        costs = {nth: put.cost for nth, put in enumerate(self.put) if put is not None and put.cost > 0}
        for nth in sorted(costs, key=lambda nth: (-costs[nth], nth)):
            before = self._lift(nth)
            put = self._best(nth, before.cost - 0.01)
            self._lay(nth, put or before)
            changed = changed or put is not None
            if (put or before).spot.leader and self._push(nth):
                changed = True
        return changed

    def _push(self, nth: int) -> bool:
        """Move one other label aside for this one, if both are cheaper then."""
        want, near = self.wants[nth], [one for one in self._near(nth) if one[0] != nth]
        mine = self._lift(nth)
        tried: set[int] = set()
        for spot in self._offers(nth)[:_PUSHED]:
            pill = want.pill_at(spot)
            others = _in_the_way(near, [self._cells(pill)])
            if spot.leader or len(others) != 1 or others[0] in tried or not self._inside(pill):
                continue
            (other,) = others
            tried.add(other)
            theirs = self._lift(other)
            room = mine.cost + theirs.cost - 0.01
            if (first := self._best(nth, room)) is not None:
                self._lay(nth, first)
                if (second := self._best(other, room - first.cost)) is not None:
                    self._lay(other, second)
                    return True
                self._lift(nth)
            self._lay(other, theirs)
        self._lay(nth, mine)
        return False


def _mark(rows: list[int], cells: Iterable[Cells]) -> None:
    for top, bottom, bits in cells:
        for y in range(top, bottom):
            rows[y] |= bits


def _unmark(rows: list[int], cells: Iterable[Cells]) -> None:
    for top, bottom, bits in cells:
        for y in range(top, bottom):
            rows[y] &= ~bits


def _over(rows: list[int], cells: Cells) -> bool:
    """Tell whether any of some cells is taken."""
    top, bottom, bits = cells
    for y in range(top, bottom):  # noqa: SIM110 - a generator takes three times as long
        if rows[y] & bits:
            return True
    return False


def _grown(box: Rect) -> Rect:
    return box[0] - _GAP, box[1] - _GAP, box[2] + _GAP, box[3] + _GAP


def _in_the_way(near: Sequence[tuple[int, Put]], cells: Sequence[Cells]) -> list[int]:
    """Return the labels that have any of some cells."""
    top, bottom = min(c[0] for c in cells), max(c[1] for c in cells)
    return [
        other
        for other, put in near
        if any(
            top < two[1] and two[0] < bottom and any(_share(one, two) for one in cells) for two in put.cells
        )
    ]


def _share(one: Cells, other: Cells) -> bool:
    return one[0] < other[1] and other[0] < one[1] and bool(one[2] & other[2])
