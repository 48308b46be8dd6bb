"""Tables of the search state of Dominance: for each board, what follows from spaces and from one side's men.

Sets of spaces are those of `board`: integers with a bit for each space. Both sides are alike, since all
spawns are shared, so that what follows from the men of one side is kept once, for both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, reduce
from operator import or_
from typing import Final, NamedTuple

from games.dominance.actions import MOVE, SPAWN, Action, Move
from games.dominance.board import BOARDS, NAME, SPACE_COUNT, SPACES, iter_bits
from games.dominance.rules import PIECES
from games.dominance.search.weights import FEATURES, PLACES, WEIGHTS, Features, count_pieces, value
from games.engine.search import MOVE_BITS, LazyTable, hash_words

SHIFT: Final = SPACE_COUNT.bit_length()
"""A move is `source << SHIFT | target`, both as numbers of spaces; a spawn has its target as source."""
_MOST_MEN: Final = 60_000
"""Number of sets of men whose facts are kept."""
_MOST_LISTS: Final = 6_000
"""Number of sets of men whose moves are kept."""
_MOST_SETS: Final = 4_096
"""Number of sets of partners that are kept for a space."""


def _number(action: Action) -> int:
    target = SPACES.index(action.target)
    source = SPACES.index(action.source) if isinstance(action, Move) else target
    return source << SHIFT | target


_ALL: Final[tuple[Action, ...]] = (*SPAWN.values(), *MOVE.values())
ACTIONS: Final = {_number(action): action for action in _ALL}
"""The game's action by number."""
NUMBER: Final = {action: number for number, action in ACTIONS.items()}
TARGET: Final = {number: action.dst for number, action in ACTIONS.items()}
"""The space that a move leads to."""
SWAP: Final = {n: a.dst | a.src if isinstance(a, Move) else a.dst for n, a in ACTIONS.items()}
"""The spaces that a move changes."""


class Men(NamedTuple):
    """What follows from the men of one side alone."""

    guarded: int
    """The spaces that they dominate, occupied or not."""
    near: int
    """The spaces next to any of them."""
    value: int
    """What their places are worth."""
    hashes: tuple[int, int]
    """Their part of the key, by seat."""
    size: int
    """Their number."""


class Tables:
    """The tables of a board. Get them by `get_tables`."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.board = board = BOARDS[key]
        self.spaces, self.spawns, self.near = board.spaces, board.spawns, dict(board.neighbours)
        self.features = Features(board)
        self._weights = [WEIGHTS[name] for name in PLACES]
        self.attack = {bit: self._attack(bit) for bit in iter_bits(board.spaces)}
        """By space: all spaces of partners, and the spaces dominated from there with any set of them."""
        self.spawn_move = {bit: NUMBER[SPAWN[NAME[bit]]] for bit in iter_bits(self.spawns)}
        self.sources = {
            bit: {source: NUMBER[MOVE[NAME[source], NAME[bit]]] for source in iter_bits(near)}
            for bit, near in self.near.items()
        }
        """By target and source: the number of the move."""
        numbers = [WEIGHTS[name] for name in FEATURES[: -len(PLACES)]]
        self.worth = [
            [value(numbers, count_pieces(pool, size)) for size in range(PIECES + 1)]
            for pool in range(PIECES + 1)
        ]
        """By pieces in the pool and pieces in play: what they are worth."""
        self._make_hashes()
        self._of_men = {bit: self._of_man(bit) for bit in iter_bits(board.spaces)}
        self.men = LazyTable(self._men, _MOST_MEN)
        """By set of men."""
        self.plays = LazyTable(self._plays, _MOST_LISTS)
        """By set of men: the target and the number of each move, with its gain if it takes nothing."""

    def __reduce__(self) -> tuple[Callable[..., Tables], tuple[str]]:
        return get_tables, (self.key,)

    def _attack(self, bit: int) -> tuple[int, LazyTable[int]]:
        by_partner: dict[int, int] = {}
        for space, partners in self.board.partner_spaces[bit].items():
            for partner in iter_bits(partners):
                by_partner[partner] = by_partner.get(partner, 0) | space

        def dominated(partners: int) -> int:
            return reduce(or_, (by_partner[partner] for partner in iter_bits(partners)), 0)

        return sum(by_partner), LazyTable(dominated, _MOST_SETS)

    def _make_hashes(self) -> None:
        most = PIECES + 1
        words = hash_words(f"dominance {self.key}", SPACE_COUNT, SPACE_COUNT, most, most, 1)
        self.place_hash = (words[0], words[1])
        """By seat and space."""
        self.pool_hash = (words[2], words[3])
        """By seat and pieces in the pool."""
        (self.turn_hash,) = words[4]
        """Part of the key when seat 1 is to act."""

    def _reach(self, men: int, near: int) -> int:
        """Return the spaces that a move or spawn could dominate if nothing else were on the board.

        Of two pieces that can move to a space each may be the partner of the other: only one that comes alone
        is no partner.
        """
        found, attack, spawns, beside = 0, self.attack, self.spawns, self.near
        targets = near & ~(men | spawns)
        while targets:
            target = targets & -targets
            targets ^= target
            partners, dominated = attack[target]
            if partners := partners & men:
                comers = men & beside[target]
                if comers & (comers - 1) or (partners := partners & ~comers):
                    found |= dominated[partners]
        targets = spawns & ~men
        while targets:
            target = targets & -targets
            targets ^= target
            partners, dominated = attack[target]
            if partners := partners & men:
                found |= dominated[partners]
        return found

    def _of_man(self, bit: int) -> tuple[int, int, int, int, Mapping[int, int]]:
        """Return the neighbours of a space, its hashes, and what it dominates with later partners."""
        at = bit.bit_length() - 1
        return (self.near[bit], self.place_hash[0][at], self.place_hash[1][at], *self.board.guard_table[bit])

    def _men(self, men: int) -> Men:
        near, red, black, guarded, left, of_men = 0, 0, 0, 0, men, self._of_men
        while left:
            bit = left & -left
            left ^= bit
            beside, one, other, partners, dominated = of_men[bit]
            near |= beside
            red ^= one
            black ^= other
            guarded |= dominated[men & partners]
        counts = self.features.count(men, guarded, self._reach(men, near))
        return Men(guarded, near, value(self._weights, counts), (red, black), men.bit_count())

    def counts(self, men: int) -> tuple[int, ...]:
        """Return the features of places of one side's men."""
        here = self.men[men]
        return self.features.count(men, here.guarded, self._reach(men, here.near))

    def _plays(self, men: int) -> list[tuple[int, int]]:
        table, now = self.men, self.men[men].value
        found = [
            ((table[men ^ source ^ target].value - now << MOVE_BITS) + self.sources[target][source], target)
            for source in iter_bits(men)
            for target in iter_bits(self.near[source] & ~men)
        ]
        found.sort(reverse=True)
        return found


@cache
def get_tables(key: str) -> Tables:
    """Return the tables of a board."""
    return Tables(key)
