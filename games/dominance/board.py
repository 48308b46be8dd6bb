"""The boards of Dominance as graphs: spaces, neighbours, opposite neighbours and spawns.

The rules only use neighbours and dominating pairs, so that another board is just another entry of `PLANS`.
Sets of spaces are integers with a bit for each space, and a space has the same bit on every board. The
printed board is unknown to us; docs/rules/dominance.md explains why we use these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

from games.engine import grid
from games.engine.scene import Grid, Hexes


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """A board by names: its shape as drawn, the neighbours of each space, and lines of three spaces."""

    shape: Hexes | Grid
    adjacent: Mapping[str, tuple[str, ...]]
    """The neighbours of each space."""
    opposite: tuple[tuple[str, str, str], ...]
    """(one, between, other): two neighbours on opposite sides of the space between them."""
    spawns: tuple[str, ...]


def _lattice(
    shape: Hexes | Grid, at: Mapping[str, tuple[int, int]], steps: Iterable[tuple[int, int]]
) -> BoardPlan:
    """Return the plan of spaces given by coordinates; `steps` lead to neighbours, one for each axis."""
    name = {spot: space for space, spot in at.items()}
    adjacent: dict[str, list[str]] = {space: [] for space in at}
    opposite: list[tuple[str, str, str]] = []
    for space, (x, y) in at.items():
        for dx, dy in steps:
            ahead, behind = name.get((x + dx, y + dy)), name.get((x - dx, y - dy))
            adjacent[space] += [each for each in (ahead, behind) if each is not None]
            if ahead is not None and behind is not None:
                opposite.append((behind, space, ahead))
    spawns = tuple(sorted(shape.special, key=grid.coordinates))
    return BoardPlan(
        shape,
        {s: tuple(sorted(n, key=grid.coordinates)) for s, n in adjacent.items()},
        tuple(opposite),
        spawns,
    )


def _hexes(rows: tuple[int, ...], spawns: frozenset[str]) -> BoardPlan:
    """Return the plan of centred rows of hexagons; x is in half widths, two along a row, one between rows."""
    at = {grid.name(row, n): (2 * n - length, row) for row, length in enumerate(rows) for n in range(length)}
    return _lattice(Hexes(rows, spawns), at, ((2, 0), (1, 1), (-1, 1)))


def _squares(files: int, ranks: int, spawns: frozenset[str]) -> BoardPlan:
    """Return the plan of squares that touch along their sides and at their corners."""
    at = {square: grid.coordinates(square) for square in grid.squares(files, ranks)}
    return _lattice(Grid(files, ranks, special=spawns), at, ((1, 0), (0, 1), (1, 1), (-1, 1)))


PLANS: Final[dict[str, BoardPlan]] = {
    "hex4": _hexes((4, 5, 6, 7, 6, 5, 4), frozenset(("a1", "a4", "g1", "g4"))),
    "hex5": _hexes((5, 6, 7, 8, 9, 8, 7, 6, 5), frozenset(("a1", "a5", "i1", "i5"))),
    "sq7": _squares(7, 7, frozenset(("a1", "a7", "g1", "g7"))),
}
"""The plans of the boards by key, the default first."""
SPACES: Final = tuple(
    sorted({space for plan in PLANS.values() for space in plan.adjacent}, key=grid.coordinates)
)
"""The spaces of all boards, by letter, then number: the order of bits and of all lists."""
BIT: Final = {space: 1 << index for index, space in enumerate(SPACES)}
SPACE_COUNT: Final = len(SPACES)
NAME: Final = {bit: space for space, bit in BIT.items()}


def to_mask(spaces: Iterable[str]) -> int:
    """Return the set of these spaces. Raises KeyError for a name that no board has."""
    return sum(BIT[space] for space in set(spaces))


def iter_bits(mask: int) -> Iterator[int]:
    """Yield the single bits of a set, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def names_of(mask: int) -> tuple[str, ...]:
    """Return the names of the spaces in a set, in order."""
    return tuple(NAME[bit] for bit in iter_bits(mask))


class Pair(NamedTuple):
    """Two spaces from which a player's pieces dominate a third: on opposite sides of it, or adjacent."""

    first: int
    second: int
    opposite: bool


class _Guarded(dict[int, int]):
    """A cache of the spaces that a piece dominates together with partners, by the set of partners.

    Only partners later in the order of bits are used: at most eight, so that there are at most 256 sets.
    """

    def __init__(self, by_partner: Mapping[int, int]) -> None:
        super().__init__()
        self._by_partner = by_partner

    def __missing__(self, partners: int) -> int:
        found = 0
        for partner in iter_bits(partners):
            found |= self._by_partner[partner]
        self[partners] = found
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A plan as sets of bits; `BOARDS` has the only instance of each."""

    key: str
    shape: Hexes | Grid
    spaces: int
    spawns: int
    neighbours: Mapping[int, int]
    """The neighbours of each space."""
    pairs: Mapping[int, tuple[Pair, ...]]
    """The pairs that dominate each space, opposite ones first."""
    partner_spaces: Mapping[int, Mapping[int, int]]
    """`partner_spaces[a][e]`: the spaces of a partner with which a piece on `a` dominates `e`."""
    guard_table: Mapping[int, tuple[int, _Guarded]]
    """For each space its possible partners later in the order, and what it dominates with any set of them."""

    def guarded(self, men: int) -> int:
        """Return the spaces that these pieces dominate, occupied or not."""
        found, table = 0, self.guard_table
        while men:
            bit = men & -men
            men ^= bit
            partners, guarded = table[bit]
            found |= guarded[men & partners]
        return found

    def captures(self, own: int, foe: int, at: int) -> int:
        """Return the foe's pieces that the piece on `at`, one of `own`, dominates together with another."""
        found = 0
        near = foe & self.neighbours[at]
        if near:
            partners = self.partner_spaces[at]
            while near:
                bit = near & -near
                near ^= bit
                if own & partners[bit]:
                    found |= bit
        return found

    def pair(self, men: int, space: int, with_piece: int = 0) -> Pair | None:
        """Return a pair of these pieces that dominates the space, preferably one with `with_piece`."""
        holding = [pair for pair in self.pairs[space] if pair.first & men and pair.second & men]
        with_it = [pair for pair in holding if (pair.first | pair.second) & with_piece]
        return next(iter(with_it or holding), None)


def _pairs(plan: BoardPlan, space: str) -> tuple[Pair, ...]:
    across = [Pair(BIT[a], BIT[b], opposite=True) for a, between, b in plan.opposite if between == space]
    beside = [
        Pair(BIT[a], BIT[b], opposite=False)
        for a, b in combinations(plan.adjacent[space], 2)
        if b in plan.adjacent[a]
    ]
    return (*across, *beside)


def build(key: str, plan: BoardPlan) -> Board:
    """Compute the board of a plan."""
    pairs = {BIT[space]: _pairs(plan, space) for space in plan.adjacent}
    guards: dict[int, dict[int, int]] = {bit: {} for bit in pairs}
    partners: dict[int, dict[int, int]] = {
        BIT[space]: dict.fromkeys(map(BIT.__getitem__, near), 0) for space, near in plan.adjacent.items()
    }
    for space, holding in pairs.items():
        for one, other, _ in holding:
            partners[one][space] |= other
            partners[other][space] |= one
            first, second = min(one, other), max(one, other)
            guards[first][second] = guards[first].get(second, 0) | space
    return Board(
        key,
        plan.shape,
        to_mask(plan.adjacent),
        to_mask(plan.spawns),
        {BIT[space]: to_mask(near) for space, near in plan.adjacent.items()},
        pairs,
        partners,
        {bit: (sum(by_partner), _Guarded(by_partner)) for bit, by_partner in guards.items()},
    )


BOARDS: Final = {key: build(key, plan) for key, plan in PLANS.items()}
"""The boards by key."""
