"""Placing labels on a map: each as near as possible to its own point, and none over another.

A label is a pill with a tag at one of its sides. Labels are placed one after another, those with the most
neighbours first, each at its cheapest free candidate. One that finds none displaces those in its way at the
best candidate, and these are placed again. At last the dearest labels look for cheaper places, and may push
one other label aside if that makes both cheaper together.

Occupied pixels are kept as rows of bits, two pixels each way to a bit, so that testing a box takes a few
integer operations. Nothing is random: equal labels get equal places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import ceil, floor, hypot
from operator import or_
from typing import Final, Literal, NamedTuple, TypeAlias

Side: TypeAlias = Literal["below", "above", "right", "left"]
Rect: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Cells: TypeAlias = tuple[int, int, int]
"""The first row, the row after the last, and the bits that are occupied in each of them."""

_BIT_PIXELS = 2
_SIDE_COSTS: tuple[tuple[Side, float], ...] = (("below", 0.0), ("above", 0.7), ("right", 0.9), ("left", 1.0))
_STEPS: Final = {"below": (0, 1), "above": (0, -1), "right": (1, 0), "left": (-1, 0)}
_NEAR_COST, _LEADER_COST, _FOREIGN_COST, _AVOID_COST = 0.5, 1.6, 0.22, 1.0
"""What it costs to lie beside the point, per distance; to need a leader; for each of five probes to lie on
foreign land; and to cover what should be avoided. Like those of the sides above, in heights of a pill."""
_REACH = 3.6
"""Maximum distance of a label from its point, in heights of a pill."""
_MARGIN, _OPEN_SIDE = 2, 0.3
"""Pixels that stay free around a label, to show which tag belongs to which pill; and how much more, in
heights of a pill, where a tag isn't below its own pill and might seem to belong to another."""
_LEADERLESS = 3
"""Maximum distance of a pill from its point without a leader, in pixels."""
_MAX_ROUNDS, _MAX_DISPLACED = 3, 0.6
"""Maximum number of rounds of improvement, and of displaced labels per label."""
_DISPLACE_TRIES, _PUSH_TRIES = 240, 24
"""How many candidates are tried for displacing other labels, and for pushing one aside."""


class Candidate(NamedTuple):
    """A position for the centre of a pill, relative to its point."""

    cost: float
    dx: float
    dy: float
    leader: bool


@dataclass(frozen=True, slots=True)
class Placement:
    """The place of a label."""

    cost: float
    candidate: Candidate
    side: Side
    cells: tuple[Cells, ...]


@dataclass(frozen=True, slots=True)
class LabelRequest:
    """A label to place: its point, and half the width and height of its pill and of its tag, in pixels."""

    at: tuple[float, float]
    pill: tuple[float, float]
    tag: tuple[float, float]

    def pill_at(self, spot: Candidate) -> Rect:
        """Return the box of the pill."""
        x, y = self.at[0] + spot.dx, self.at[1] + spot.dy
        return x - self.pill[0], y - self.pill[1], x + self.pill[0], y + self.pill[1]

    def tag_at(self, spot: Candidate, side: Side) -> Rect:
        """Return the box of the tag."""
        x, y = self.at[0] + spot.dx, self.at[1] + spot.dy
        (a, b), (c, d) = self.pill, self.tag
        right, down = _STEPS[side]
        x, y = x + right * (a + c), y + down * (b + d)
        return x - c, y - d, x + c, y + d


@lru_cache(maxsize=512)
def _candidates_for(
    half_width: float, half_height: float, right: float, down: float
) -> tuple[Candidate, ...]:
    """Return the candidates for a pill of this size, the cheapest first.

    They lie around the nearest one on the board, which is `right` and `down` of the point.
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
    """Labels on a board of `size` pixels. `is_foreign` is whether a pixel is in another area than label n.

    With `loose`, labels may cover each other's points and leaders, but never each other.
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
        self._point_of = [self._point_cells(request.at) for request in requests]
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
        """Return the cells to keep free around the point of a label, where its leader would end."""
        x = min(max(at[0], 2.0), self._wide - 2.0)
        y = min(max(at[1], 2.0), self._high - 2.0)
        return self._cells((x - 2, y - 2, x + 2, y + 2))

    def _free(self, cells: Cells) -> bool:
        return not (_any_taken(self._rows, cells) or _any_taken(self._points, cells))

    def _inside(self, box: Rect) -> bool:
        return box[0] >= 1 and box[1] >= 1 and box[2] <= self._wide - 1 and box[3] <= self._high - 1

    def _leader_cells(
        self, request: LabelRequest, spot: Candidate, boxes: tuple[Rect, Rect]
    ) -> Iterator[Cells]:
        """Yield the cells of a leader outside its own label."""
        x, y = request.at
        steps = ceil(max(abs(spot.dx), abs(spot.dy)) / _BIT_PIXELS)
        for k in range(steps + 1):
            u, v = x + spot.dx * k / steps, y + spot.dy * k / steps
            for left, top, right, bottom in boxes:
                if left - 1 <= u <= right + 1 and top - 1 <= v <= bottom + 1:
                    break
            else:
                yield self._cells((u - 1, v - 1, u + 1, v + 1))

    def _free_leader(
        self, request: LabelRequest, spot: Candidate, boxes: tuple[Rect, Rect]
    ) -> list[Cells] | None:
        """Return the cells of a leader, None if any of them isn't free."""
        found = []
        for each in self._leader_cells(request, spot, boxes):
            if not self._free(each):
                return None
            found.append(each)
        return found

    def _reserved(self, pill: Rect, tag: Rect, side: Side) -> list[Cells]:
        """Return the cells that a label keeps free of others."""
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
        """Return the cheapest placement with the pill on a free candidate, if it costs less than `below`."""
        request, unit = self.requests[nth], 2 * self.requests[nth].pill[1]
        cost = spot.cost + self._foreign_cost(nth, pill) * unit
        for side, share in _SIDE_COSTS:
            if cost + share * unit >= below:
                break
            tag = request.tag_at(spot, side)
            if not self._inside(tag) or not self._free(self._cells(tag)):
                continue
            taken = self._reserved(pill, tag, side)
            if not all(map(self._free, taken)):
                continue
            if spot.leader:
                line = [] if self._loose else self._free_leader(request, spot, (pill, tag))
                if line is None:
                    continue
                taken += line
            over = any(_any_taken(self._avoid, each) for each in taken[:2])
            return Placement(cost + (share + _AVOID_COST * over) * unit, spot, side, tuple(taken))
        return None

    def _foreign_cost(self, nth: int, pill: Rect) -> float:
        """Return the cost of foreign land below a pill, in heights of a pill."""
        left, top, right, bottom = pill
        x, y = (left + right) / 2, (top + bottom) / 2
        probes = ((x, y), (left, y), (right, y), (x, top), (x, bottom))
        return sum(self._is_foreign(nth, *probe) for probe in probes) * _FOREIGN_COST

    def _best(self, nth: int, below: float = float("inf")) -> Placement | None:
        """Return the cheapest free placement of a label, if it costs less than `below`."""
        request, best = self.requests[nth], None
        _unmark(self._points, (self._point_of[nth],))
        for spot in self._candidates(nth):
            if spot.cost >= below:
                break
            pill = request.pill_at(spot)
            if self._inside(pill) and self._free(self._cells(pill)):
                placement = self._with_tag(nth, spot, pill, below)
                if placement is not None and placement.cost < below:
                    best, below = placement, placement.cost
        self._protect_point(nth)
        return best

    def _protect_point(self, nth: int) -> None:
        """Keep other labels off the point of a label."""
        if not self._loose:
            _mark(self._points, (self._point_of[nth],))

    def _place(self, nth: int, placement: Placement) -> None:
        self.placements[nth] = placement
        _mark(self._rows, placement.cells)

    def _remove(self, nth: int) -> Placement:
        placement = self.placements[nth]
        if placement is None:
            raise ValueError(f"label {nth} isn't placed")
        _unmark(self._rows, placement.cells)
        self.placements[nth] = None
        return placement

    def _placed_nearby(self, nth: int) -> list[tuple[int, Placement]]:
        """Return the placed labels that may be in the way of this one."""
        x, y = self.requests[nth].at
        reach = 2 * self.requests[nth].pill[1] * (_REACH + 1) * 2
        return [
            (other, placement)
            for other, (request, placement) in enumerate(zip(self.requests, self.placements, strict=True))
            if placement is not None and abs(request.at[0] - x) < reach and abs(request.at[1] - y) < reach
        ]

    # --- all of them --------------------------------------------------------------------------------

    def pack(self) -> bool:
        """Place all labels; return False if there seems to be no room for all of them."""
        waiting = self._order()
        pushed = [0] * len(waiting)
        left = _MAX_DISPLACED * len(waiting)
        while waiting:
            nth = waiting.pop(0)
            placement = self._best(nth)
            if placement is not None:
                self._place(nth, placement)
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
        """Place all labels as near as possible, even over each other: for maps of a few pixels."""
        for nth in range(len(self.requests)):
            self.placements[nth] = Placement(0.0, self._candidates(nth)[0], "below", ())

    def _order(self) -> list[int]:
        """Return the indices of the labels, those with the most neighbours first."""
        crowd = []
        for nth, request in enumerate(self.requests):
            reach = 4 * (request.pill[0] + request.pill[1])
            away = (hypot(request.at[0] - one.at[0], request.at[1] - one.at[1]) for one in self.requests)
            rim = min(*request.at, self._wide - request.at[0], self._high - request.at[1]) < request.pill[0]
            crowd.append((-sum(max(0.0, 1 - far / reach) for far in away) - rim, nth))
        return [nth for _, nth in sorted(crowd)]

    def _displace(self, nth: int, pushed: list[int]) -> list[int]:
        """Place a label where those in its way were displaced least often; return the ones it displaces."""
        request, near = self.requests[nth], self._placed_nearby(nth)
        best: tuple[float, Placement, list[int]] | None = None
        _unmark(self._points, (self._point_of[nth],))
        for spot in self._candidates(nth)[:_DISPLACE_TRIES]:
            pill = request.pill_at(spot)
            if not self._inside(pill) or _any_taken(self._points, self._cells(pill)):
                continue
            for side, share in _SIDE_COSTS:
                tag = request.tag_at(spot, side)
                if not self._inside(tag) or _any_taken(self._points, self._cells(tag)):
                    continue
                cells = self._reserved(pill, tag, side)
                cells += (
                    self._leader_cells(request, spot, (pill, tag)) if spot.leader and not self._loose else ()
                )
                others = _overlapping(near, cells)
                cost = spot.cost + share * 2 * request.pill[1]
                worth = cost / request.pill[1] + sum(1 + 2 * pushed[other] for other in others)
                if best is None or worth < best[0]:
                    best = worth, Placement(cost, spot, side, tuple(cells)), others
        self._protect_point(nth)
        if best is None:
            return []
        _, placement, others = best
        for other in others:
            pushed[other] += 1
            self._remove(other)
        self._place(nth, placement)
        return others

    def _improve(self) -> bool:
        """Look for cheaper places, for the dearest labels first; return whether any was found."""
        changed = False
        costs = {nth: one.cost for nth, one in enumerate(self.placements) if one is not None and one.cost > 0}
        for nth in sorted(costs, key=lambda nth: (-costs[nth], nth)):
            before = self._remove(nth)
            placement = self._best(nth, before.cost - 0.01)
            self._place(nth, placement or before)
            changed = changed or placement is not None
            if (placement or before).candidate.leader and self._push_aside(nth):
                changed = True
        return changed

    def _push_aside(self, nth: int) -> bool:
        """Push one other label aside if both are cheaper then; return whether that was done."""
        request, near = self.requests[nth], [one for one in self._placed_nearby(nth) if one[0] != nth]
        mine = self._remove(nth)
        tried: set[int] = set()
        for spot in self._candidates(nth)[:_PUSH_TRIES]:
            pill = request.pill_at(spot)
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
    """Tell whether any of these cells is occupied."""
    top, bottom, bits = cells
    for y in range(top, bottom):  # noqa: SIM110 - a generator takes three times as long
        if rows[y] & bits:
            return True
    return False


def _grown(box: Rect) -> Rect:
    return box[0] - _MARGIN, box[1] - _MARGIN, box[2] + _MARGIN, box[3] + _MARGIN


def _overlapping(near: Sequence[tuple[int, Placement]], cells: Sequence[Cells]) -> list[int]:
    """Return the labels that occupy any of these cells."""
    rows = min(c[0] for c in cells), max(c[1] for c in cells)
    columns = reduce(or_, (c[2] for c in cells))
    return [other for other, placement in near if _meet(placement.cells, cells, (*rows, columns))]


def _meet(some: Sequence[Cells], others: Sequence[Cells], around: Cells) -> bool:
    """Tell whether any cells are in both; all of the others are within `around`."""
    for one in some:
        if _overlap(one, around):
            for other in others:
                if _overlap(one, other):
                    return True
    return False


def _overlap(one: Cells, other: Cells) -> bool:
    return one[0] < other[1] and other[0] < one[1] and bool(one[2] & other[2])
