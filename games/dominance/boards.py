"""The boards of Dominance as data: spaces, which of them touch, which lie opposite each other, the spawns.

A board is a graph and nothing else; the rules ask for neighbours and guarding pairs only, so that another
board is another entry of `BOARDS`. Sets of spaces are numbers with a bit for each space, and a space has the
same bit on every board. The printed board is unknown to us; docs/rules/dominance.md tells why these are ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

from games.engine import grid
from games.engine.scene import Grid, Hexes


@dataclass(frozen=True, slots=True)
class Layout:
    """What a board is: its shape as drawn, its spaces with their neighbours, and lines of three spaces."""

    shape: Hexes | Grid
    adjacent: Mapping[str, tuple[str, ...]]
    """The neighbours of each space."""
    opposite: tuple[tuple[str, str, str], ...]
    """(one, between, other): two neighbours of a space that lie on opposite sides of it."""
    spawns: tuple[str, ...]


def _lattice(
    shape: Hexes | Grid, at: Mapping[str, tuple[int, int]], steps: Iterable[tuple[int, int]]
) -> Layout:
    """The plan of spaces in the plane; `steps` are half of those to neighbours, the rest are the reverse."""
    name = {spot: space for space, spot in at.items()}
    adjacent: dict[str, list[str]] = {space: [] for space in at}
    opposite: list[tuple[str, str, str]] = []
    for space, (x, y) in at.items():
        for dx, dy in steps:
            ahead, behind = name.get((x + dx, y + dy)), name.get((x - dx, y - dy))
            adjacent[space] += [each for each in (ahead, behind) if each is not None]
            if ahead is not None and behind is not None:
                opposite.append((behind, space, ahead))
    spawns = tuple(sorted(shape.special, key=_order))
    return Layout(
        shape, {s: tuple(sorted(n, key=_order)) for s, n in adjacent.items()}, tuple(opposite), spawns
    )


def _hexes(rows: tuple[int, ...], spawns: frozenset[str]) -> Layout:
    """Rows of hexagons, centred: a step along a row is two half widths, one into the next row is one."""
    at = {grid.name(row, n): (2 * n - length, row) for row, length in enumerate(rows) for n in range(length)}
    return _lattice(Hexes(rows, spawns), at, ((2, 0), (1, 1), (-1, 1)))


def _squares(files: int, ranks: int, spawns: frozenset[str]) -> Layout:
    """Squares that touch along their sides and at their corners."""
    at = {square: grid.coordinates(square) for square in grid.squares(files, ranks)}
    return _lattice(Grid(files, ranks, special=spawns), at, ((1, 0), (0, 1), (1, 1), (-1, 1)))


def _order(space: str) -> tuple[str, int]:
    return space[0], int(space[1:])


PLANS: Final[dict[str, Layout]] = {
    "hex4": _hexes((4, 5, 6, 7, 6, 5, 4), frozenset(("a1", "a4", "g1", "g4"))),
    "hex5": _hexes((5, 6, 7, 8, 9, 8, 7, 6, 5), frozenset(("a1", "a5", "i1", "i5"))),
    "sq7": _squares(7, 7, frozenset(("a1", "a7", "g1", "g7"))),
}
"""Every board by its key, the one that is offered first at the beginning."""
SPACES: Final = tuple(sorted({space for plan in PLANS.values() for space in plan.adjacent}, key=_order))
"""The spaces of all boards, letter by letter: the order of bits and of all lists."""
BIT: Final = {space: 1 << index for index, space in enumerate(SPACES)}
WIDTH: Final = len(SPACES)
NAME: Final = {bit: space for space, bit in BIT.items()}


def bits(spaces: Iterable[str]) -> int:
    """The set of these spaces. Raises KeyError for a name that no board has."""
    return sum(BIT[space] for space in set(spaces))


def each(mask: int) -> Iterator[int]:
    """The single bits of a set, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def names(mask: int) -> tuple[str, ...]:
    """The names of the spaces in a set, in order."""
    return tuple(NAME[bit] for bit in each(mask))


class Pair(NamedTuple):
    """Two spaces from which one player's pieces dominate a third: opposite each other, or side by side."""

    first: int
    second: int
    opposite: bool


class _Guarded(dict[int, int]):
    """What a piece guards together with some partners, by the set of them; worked out when first asked.

    Partners are those that come later in the order, at most eight, so that there are at most 256 sets.
    """

    def __init__(self, by_partner: Mapping[int, int]) -> None:
        super().__init__()
        self._by_partner = by_partner

    def __missing__(self, partners: int) -> int:
        found = 0
        for partner in each(partners):
            found |= self._by_partner[partner]
        self[partners] = found
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A plan as sets of bits. There is one object for each plan."""

    key: str
    shape: Hexes | Grid
    all: int
    spawns: int
    near: Mapping[int, int]
    """The neighbours of each space."""
    pairs: Mapping[int, tuple[Pair, ...]]
    """The pairs that dominate each space, opposite ones first."""
    strikes: Mapping[int, Mapping[int, int]]
    """`strikes[a][e]`: where a partner must stand so that it and a piece on `a` dominate `e`."""
    reach: Mapping[int, tuple[int, _Guarded]]
    """For each space its partners further on in the order, and what it guards with any set of them."""

    def guarded(self, men: int) -> int:
        """The spaces that these pieces dominate, whatever stands there."""
        found, reach = 0, self.reach
        while men:
            bit = men & -men
            men ^= bit
            partners, guarded = reach[bit]
            found |= guarded[men & partners]
        return found

    def taken(self, own: int, foe: int, at: int) -> int:
        """The foe's pieces that the piece on `at`, one of `own`, dominates together with another."""
        found = 0
        near = foe & self.near[at]
        if near:
            strikes = self.strikes[at]
            while near:
                bit = near & -near
                near ^= bit
                if own & strikes[bit]:
                    found |= bit
        return found

    def pair(self, men: int, space: int, with_piece: int = 0) -> Pair | None:
        """A pair of these pieces that dominates the space; one with `with_piece` if there is such a pair."""
        holding = [pair for pair in self.pairs[space] if pair.first & men and pair.second & men]
        with_it = [pair for pair in holding if (pair.first | pair.second) & with_piece]
        return next(iter(with_it or holding), None)


def _pairs(plan: Layout, space: str) -> tuple[Pair, ...]:
    across = [Pair(BIT[a], BIT[b], opposite=True) for a, between, b in plan.opposite if between == space]
    beside = [
        Pair(BIT[a], BIT[b], opposite=False)
        for a, b in combinations(plan.adjacent[space], 2)
        if b in plan.adjacent[a]
    ]
    return (*across, *beside)


def build(key: str, plan: Layout) -> Board:
    """The board of a plan."""
    pairs = {BIT[space]: _pairs(plan, space) for space in plan.adjacent}
    guards: dict[int, dict[int, int]] = {bit: {} for bit in pairs}
    strikes: dict[int, dict[int, int]] = {
        BIT[space]: dict.fromkeys(map(BIT.__getitem__, near), 0) for space, near in plan.adjacent.items()
    }
    for space, holding in pairs.items():
        for one, other, _ in holding:
            strikes[one][space] |= other
            strikes[other][space] |= one
            first, second = min(one, other), max(one, other)
            guards[first][second] = guards[first].get(second, 0) | space
    return Board(
        key,
        plan.shape,
        bits(plan.adjacent),
        bits(plan.spawns),
        {BIT[space]: bits(near) for space, near in plan.adjacent.items()},
        pairs,
        strikes,
        {bit: (sum(partners), _Guarded(partners)) for bit, partners in guards.items()},
    )


BOARDS: Final = {key: build(key, plan) for key, plan in PLANS.items()}
"""Every board, ready to be asked."""
