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

_BIT_PIXELS = 2
_SIDE_COSTS: tuple[tuple[Side, float], ...] = (("below", 0.0), ("above", 0.7), ("right", 0.9), ("left", 1.0))
_NEAR_COST, _LEADER_COST, _FOREIGN_COST, _AVOID_COST = 0.5, 1.6, 0.22, 1.0
"""What it costs to lie beside one's point, by the distance; to need a leader; each probe over an area of
someone else; to lie over what had better be seen; and above, each side of a tag. In heights of a pill."""
_REACH = 3.6
"""How far from its point a label may lie, in heights of a pill."""
_MARGIN, _OPEN_SIDE = 2, 0.3
"""Pixels that stay free around a label, so that one sees which tag hangs on which pill; and how much more
does, in heights of a pill, where a tag isn't below its own pill and might be taken for that of another."""
_LEADERLESS = 3
"""How many pixels from its pill a point may lie and need no leader."""
_MAX_ROUNDS, _MAX_DISPLACED = 3, 0.6
"""How often labels look again, and how many may be sent away, for each label."""
_DISPLACE_TRIES, _PUSH_TRIES = 240, 24
"""Among how many spots a label looks that sends others away, or aside."""


class Candidate(NamedTuple):
    """A place for the middle of a pill, as seen from its point."""

    cost: float
    dx: float
    dy: float
    leader: bool


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a label lies."""

    cost: float
    candidate: Candidate
    side: Side
    cells: tuple[Cells, ...]


@dataclass(frozen=True, slots=True)
class LabelRequest:
    """A label to be put down: its point, and half the width and height of its pill and of its tag."""

    at: tuple[float, float]
    pill: tuple[float, float]
    tag: tuple[float, float]

    def pill_at(self, spot: Candidate) -> Rect:
        """Return where the pill lies."""
        x, y = self.at[0] + spot.dx, self.at[1] + spot.dy
        return x - self.pill[0], y - self.pill[1], x + self.pill[0], y + self.pill[1]

    def tag_at(self, spot: Candidate, side: Side) -> Rect:
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
def _candidates_for(
    half_width: float, half_height: float, right: float, down: float
) -> tuple[Candidate, ...]:
    """Return the spots for a pill of such half sizes, the cheapest first.

    They lie around the one `right` and `down` of its point, which is the nearest on the board.
    """
    unit = 2 * half_height
    step = max(2.0, unit / 6)
    found = []
    count = int(unit * _REACH / step)
    for i in range(-count, count + 1):
        for j in range(-count, count + 1):
            dx, dy, far = right + i * step, down + j * step, hypot(i * step, j * step)
            leader = abs(dx) > half_width + _LEADERLESS or abs(dy) > half_height + _LEADERLESS
            if far <= unit * _REACH and not (leader and (i % 2 or j % 2)):
                found.append(
                    Candidate(unit * _LEADER_COST + far if leader else far * _NEAR_COST, dx, dy, leader)
                )
    return tuple(sorted(found, key=lambda spot: (spot.cost, spot.dy, spot.dx)))


class LabelPacking:
    """Labels on a board of so many pixels. `foreign` says whether a pixel belongs to someone else's area.

    `loose` ones may lie on each other's points and leaders, though never on each other.
    """

    def __init__(
        self,
        size: tuple[int, int],
        requests: Sequence[LabelRequest],
        is_foreign: Callable[[int, float, float], bool],
        avoid: Iterable[Rect] = (),
        *,
        loose: bool = False,
    ) -> None:
        self._wide, self._high = size
        self.requests = requests
        self._is_foreign = is_foreign
        self._rows = [0] * (ceil(self._high / _BIT_PIXELS) + 1)
        self._points, self._avoid = list(self._rows), list(self._rows)
        _mark(self._avoid, map(self._cells, avoid))
        self._point_of = [self._point_cells(want.at) for want in requests]
        self._loose = loose
        if not loose:
            _mark(self._points, self._point_of)
        self.placements: list[Placement | None] = [None] * len(requests)

    # --- bits ---------------------------------------------------------------------------------------

    def _cells(self, box: Rect) -> Cells:
        left, right = max(0, floor(box[0] / _BIT_PIXELS)), max(0, ceil(box[2] / _BIT_PIXELS))
        top, bottom = max(0, floor(box[1] / _BIT_PIXELS)), min(len(self._rows), ceil(box[3] / _BIT_PIXELS))
        return top, bottom, ((1 << (right - left)) - 1) << left

    def _point_cells(self, at: tuple[float, float]) -> Cells:
        """Return what is kept free around the point of a label, where its leader would end."""
        x = min(max(at[0], 2.0), self._wide - 2.0)
        y = min(max(at[1], 2.0), self._high - 2.0)
        return self._cells((x - 2, y - 2, x + 2, y + 2))

    def _free(self, cells: Cells) -> bool:
        return not (_any_taken(self._rows, cells) or _any_taken(self._points, cells))

    def _inside(self, box: Rect) -> bool:
        return box[0] >= 1 and box[1] >= 1 and box[2] <= self._wide - 1 and box[3] <= self._high - 1

    def _leader_cells(self, want: LabelRequest, spot: Candidate, boxes: tuple[Rect, Rect]) -> Iterator[Cells]:
        """Yield the cells of a leader outside its own label."""
        x, y = want.at
        steps = ceil(max(abs(spot.dx), abs(spot.dy)) / _BIT_PIXELS)
        for k in range(steps + 1):
            u, v = x + spot.dx * k / steps, y + spot.dy * k / steps
            if not any(box[0] - 1 <= u <= box[2] + 1 and box[1] - 1 <= v <= box[3] + 1 for box in boxes):
                yield self._cells((u - 1, v - 1, u + 1, v + 1))

    def _reserved(self, pill: Rect, tag: Rect, side: Side) -> list[Cells]:
        """Return what a label keeps free of others."""
        more = _OPEN_SIDE * (pill[3] - pill[1])
        above, beside = side == "above", side in ("right", "left")
        one = (pill[0], pill[1], pill[2], pill[3] + (more if beside else 0.0))
        other = (tag[0], tag[1] - (more if above else 0.0), tag[2], tag[3])
        return [self._cells(_grown(one)), self._cells(_grown(other))]

    # --- one label ----------------------------------------------------------------------------------

    def _candidates(self, nth: int) -> tuple[Candidate, ...]:
        (x, y), (wide, high) = self.requests[nth].at, self.requests[nth].pill
        right = min(max(x, wide + 1), self._wide - wide - 1) - x
        down = min(max(y, high + 1), self._high - high - 1) - y
        return _candidates_for(wide, high, right, down)

    def _with_tag(self, nth: int, spot: Candidate, pill: Rect, below: float) -> Placement | None:
        """Return the cheapest label with its pill on a free spot, if it costs less than `below`."""
        want, unit = self.requests[nth], 2 * self.requests[nth].pill[1]
        cost = spot.cost + self._foreign_cost(nth, pill) * unit
        for side, share in _SIDE_COSTS:
            if cost + share * unit >= below:
                break
            tag = want.tag_at(spot, side)
            if not self._inside(tag) or not self._free(self._cells(tag)):
                continue
            taken = self._reserved(pill, tag, side)
            if not all(map(self._free, taken)):
                continue
            if spot.leader:
                line = [] if self._loose else list(self._leader_cells(want, spot, (pill, tag)))
                if not all(map(self._free, line)):
                    continue
                taken += line
            over = any(_any_taken(self._avoid, each) for each in taken[:2])
            return Placement(cost + (share + _AVOID_COST * over) * unit, spot, side, tuple(taken))
        return None

    def _foreign_cost(self, nth: int, pill: Rect) -> float:
        """Return what is to be paid for land of others below a pill."""
        left, top, right, bottom = pill
        x, y = (left + right) / 2, (top + bottom) / 2
        probes = ((x, y), (left, y), (right, y), (x, top), (x, bottom))
        return sum(self._is_foreign(nth, *probe) for probe in probes) * _FOREIGN_COST

    def _best(self, nth: int, below: float = float("inf")) -> Placement | None:
        """Return the cheapest place for a label that is free and costs less than `below`."""
        want, best = self.requests[nth], None
        _unmark(self._points, (self._point_of[nth],))
        for spot in self._candidates(nth):
            if spot.cost >= below:
                break
            pill = want.pill_at(spot)
            if self._inside(pill) and self._free(self._cells(pill)):
                put = self._with_tag(nth, spot, pill, below)
                if put is not None and put.cost < below:
                    best, below = put, put.cost
        self._protect_point(nth)
        return best

    def _protect_point(self, nth: int) -> None:
        """Keep others off the point of a label."""
        if not self._loose:
            _mark(self._points, (self._point_of[nth],))

    def _place(self, nth: int, put: Placement) -> None:
        self.placements[nth] = put
        _mark(self._rows, put.cells)

    def _remove(self, nth: int) -> Placement:
        put = self.placements[nth]
        if put is None:
            raise ValueError(f"label {nth} isn't laid")
        _unmark(self._rows, put.cells)
        self.placements[nth] = None
        return put

    def _placed_nearby(self, nth: int) -> list[tuple[int, Placement]]:
        """Return the labels that may lie in the way of this one."""
        x, y = self.requests[nth].at
        reach = 2 * self.requests[nth].pill[1] * (_REACH + 1) * 2
        return [
            (other, put)
            for other, (want, put) in enumerate(zip(self.requests, self.placements, strict=True))
            if put is not None and abs(want.at[0] - x) < reach and abs(want.at[1] - y) < reach
        ]

    # --- all of them --------------------------------------------------------------------------------

    def pack(self) -> bool:
        """Put all labels down; False if there seems to be no room for all of them."""
        waiting = self._order()
        pushed = [0] * len(waiting)
        left = _MAX_DISPLACED * len(waiting)
        while waiting:
            nth = waiting.pop(0)
            put = self._best(nth)
            if put is not None:
                self._place(nth, put)
                continue
            others = self._displace(nth, pushed)
            left -= len(others)
            if not others or left < 0:
                return False
            waiting[:0] = others
        for _ in range(_MAX_ROUNDS):
            if not self._improve():
                break
        return True

    def place_overlapping(self) -> None:
        """Put all labels down as near as they may be, one over the other: for maps of a few pixels."""
        for nth in range(len(self.requests)):
            self.placements[nth] = Placement(0.0, self._candidates(nth)[0], "below", ())

    def _order(self) -> list[int]:
        """Return the labels, those with the most neighbours first."""
        crowd = []
        for nth, want in enumerate(self.requests):
            reach = 4 * (want.pill[0] + want.pill[1])
            away = (hypot(want.at[0] - one.at[0], want.at[1] - one.at[1]) for one in self.requests)
            rim = min(*want.at, self._wide - want.at[0], self._high - want.at[1]) < want.pill[0]
            crowd.append((-sum(max(0.0, 1 - far / reach) for far in away) - rim, nth))
        return [nth for _, nth in sorted(crowd)]

    def _displace(self, nth: int, pushed: list[int]) -> list[int]:
        """Lay a label where those in its way have made room least often; return whom it sent away."""
        want, near = self.requests[nth], self._placed_nearby(nth)
        best: tuple[float, Placement, list[int]] | None = None
        _unmark(self._points, (self._point_of[nth],))
        for spot in self._candidates(nth)[:_DISPLACE_TRIES]:
            pill = want.pill_at(spot)
            if not self._inside(pill) or _any_taken(self._points, self._cells(pill)):
                continue
            for side, share in _SIDE_COSTS:
                tag = want.tag_at(spot, side)
                if not self._inside(tag) or _any_taken(self._points, self._cells(tag)):
                    continue
                cells = self._reserved(pill, tag, side)
                cells += (
                    self._leader_cells(want, spot, (pill, tag)) if spot.leader and not self._loose else ()
                )
                others = _overlapping(near, cells)
                cost = spot.cost + share * 2 * want.pill[1]
                worth = cost / want.pill[1] + sum(1 + 2 * pushed[other] for other in others)
                if best is None or worth < best[0]:
                    best = worth, Placement(cost, spot, side, tuple(cells)), others
        self._protect_point(nth)
        if best is None:
            return []
        _, put, others = best
        for other in others:
            pushed[other] += 1
            self._remove(other)
        self._place(nth, put)
        return others

    def _improve(self) -> bool:
        """Let labels look again, the dearest first; return whether any found a better place."""
        changed = False
        costs = {nth: put.cost for nth, put in enumerate(self.placements) if put is not None and put.cost > 0}
        for nth in sorted(costs, key=lambda nth: (-costs[nth], nth)):
            before = self._remove(nth)
            put = self._best(nth, before.cost - 0.01)
            self._place(nth, put or before)
            changed = changed or put is not None
            if (put or before).candidate.leader and self._push_aside(nth):
                changed = True
        return changed

    def _push_aside(self, nth: int) -> bool:
        """Move one other label aside for this one, if both are cheaper then."""
        want, near = self.requests[nth], [one for one in self._placed_nearby(nth) if one[0] != nth]
        mine = self._remove(nth)
        tried: set[int] = set()
        for spot in self._candidates(nth)[:_PUSH_TRIES]:
            pill = want.pill_at(spot)
            others = _overlapping(near, [self._cells(pill)])
            if spot.leader or len(others) != 1 or others[0] in tried or not self._inside(pill):
                continue
            (other,) = others
            tried.add(other)
            theirs = self._remove(other)
            room = mine.cost + theirs.cost - 0.01
            if (first := self._best(nth, room)) is not None:
                self._place(nth, first)
                if (second := self._best(other, room - first.cost)) is not None:
                    self._place(other, second)
                    return True
                self._remove(nth)
            self._place(other, theirs)
        self._place(nth, mine)
        return False


def _mark(rows: list[int], cells: Iterable[Cells]) -> None:
    for top, bottom, bits in cells:
        for y in range(top, bottom):
            rows[y] |= bits


def _unmark(rows: list[int], cells: Iterable[Cells]) -> None:
    for top, bottom, bits in cells:
        for y in range(top, bottom):
            rows[y] &= ~bits


def _any_taken(rows: list[int], cells: Cells) -> bool:
    """Tell whether any of some cells is taken."""
    top, bottom, bits = cells
    for y in range(top, bottom):  # noqa: SIM110 - a generator takes three times as long
        if rows[y] & bits:
            return True
    return False


def _grown(box: Rect) -> Rect:
    return box[0] - _MARGIN, box[1] - _MARGIN, box[2] + _MARGIN, box[3] + _MARGIN


def _overlapping(near: Sequence[tuple[int, Placement]], cells: Sequence[Cells]) -> list[int]:
    """Return the labels that have any of some cells."""
    top, bottom = min(c[0] for c in cells), max(c[1] for c in cells)
    return [
        other
        for other, put in near
        if any(
            top < two[1] and two[0] < bottom and any(_overlap(one, two) for one in cells) for two in put.cells
        )
    ]


def _overlap(one: Cells, other: Cells) -> bool:
    return one[0] < other[1] and other[0] < one[1] and bool(one[2] & other[2])
