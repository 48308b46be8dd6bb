"""Tables for the search state of Focus: piles as numbers, what moves make of them and are worth, hashes.

A pile is a number below `Tables.count`, 0 for the empty one; only piles of the variant's colours have one.
What one lift or one landing does to the evaluation depends on the two piles only, because the evaluation is
a sum over piles and pieces in hand. So each gain is looked up, and is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, reduce
from itertools import product
from operator import xor
from typing import Final, NamedTuple

from games.engine import grid
from games.engine.search import MOVE_BITS, LazyTable, hash_words
from games.focus.actions import MOVES, RESERVES, Action, FirstPlayer, Move
from games.focus.board import BITS, MAX_HEIGHT, SPACES, Variant, get_variant
from games.focus.search import weights

SPACE_COUNT: Final = len(SPACES)
UNIT: Final = 6
"""All weights are multiples of this: averages over one, two or three opponents stay whole numbers."""

BOARD_MOVES: Final[tuple[Move, ...]] = tuple(move for rays in MOVES for move in rays[MAX_HEIGHT])
"""The moves of piles by number."""
RESERVE_BASE: Final = len(BOARD_MOVES)
"""The number of the first reserve move; then one for each space."""
FIRST_BASE: Final = RESERVE_BASE + SPACE_COUNT
"""The number of the draw that lets seat 0 begin."""
ACTIONS: Final[tuple[Action, ...]] = (*BOARD_MOVES, *RESERVES, *map(FirstPlayer, range(4)))
"""The game's action by number of move."""
NUMBER: Final = {action: number for number, action in enumerate(ACTIONS)}
SOURCE: Final = tuple(move.src for move in BOARD_MOVES)
TARGET: Final = (*(move.dst for move in BOARD_MOVES), *range(SPACE_COUNT))
COUNT: Final = tuple(move.count for move in BOARD_MOVES)


def _rays(space: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    moves = MOVES[space][MAX_HEIGHT]
    return tuple(
        tuple((move.dst, NUMBER[move]) for move in moves if move.count == count)
        for count in range(MAX_HEIGHT + 1)
    )


RAYS: Final = tuple(map(_rays, range(SPACE_COUNT)))
"""By space and number of pieces: the target and the number of each move."""


ARRIVALS: Final = tuple(
    {move.src: (move.count, NUMBER[move]) for move in BOARD_MOVES if move.dst == space}
    for space in range(SPACE_COUNT)
)
"""By space and source: the pieces and the number of the move that leads there."""
REACH: Final = tuple(sum(BITS[source] for source in arrivals) for arrivals in ARRIVALS)
"""By space: the set of sources of such moves."""


def _distances(space: str) -> tuple[int, ...]:
    file, rank = grid.coordinates(space)
    others = map(grid.coordinates, SPACES)
    return tuple(abs(file - there) + abs(rank - row) for there, row in others)


DISTANCE: Final = tuple(map(_distances, SPACES))
"""Steps between two spaces, by their indices."""


class Landing(NamedTuple):
    """What becomes of two piles when one lands on the other."""

    pile: int
    removed: tuple[tuple[int, int], ...]
    """Seats whose pieces leave from the bottom, with their numbers; mostly empty."""


class Tables:
    """The tables of a variant with certain seats resigned. Get them by `get_tables`."""

    def __init__(self, variant: Variant, resigned: frozenset[int]) -> None:
        self.variant = variant
        self.resigned = resigned
        colours = variant.colours
        self.names = [
            "".join(pile) for height in range(MAX_HEIGHT + 1) for pile in product(colours, repeat=height)
        ]
        """The pieces of each pile from the bottom to the top."""
        self.number = {name: number for number, name in enumerate(self.names)}
        self.count = len(self.names)
        self.height = [len(name) for name in self.names]
        self.owner = [variant.seat_of[name[-1]] if name else -1 for name in self.names]
        self.single = [self.number[colour] for colour in colours]
        """The pile of one piece by seat."""
        self.opponents = tuple(
            tuple(
                (other, variant.teams[other] != variant.teams[seat])
                for other in variant.others[seat]
                if other not in resigned
            )
            for seat in range(variant.seats)
        )
        """By seat: the others who play, in order of play, and whether each is an opponent."""
        self.sides = len({variant.teams[s] for s in range(variant.seats) if s not in resigned})
        fast, seats = variant.fast, variant.seats
        self.capture_value = (weights.FAST_CAPTURE if fast else weights.CAPTURE)[seats]
        self.reserve_value = (weights.FAST_RESERVE if fast else weights.RESERVE)[seats]
        usual = seats == 2 and not fast
        self._piles = weights.PILE if usual else weights.OTHER_PILE
        self._own_piece = weights.OWN_PIECE if usual else weights.OTHER_OWN_PIECE
        self.pile_value = [self._pile_value(name) for name in self.names]
        """What each pile is worth to its controller."""
        self.rest = LazyTable(lambda at: self.number[self.names[at // 6][: -(at % 6)]])
        """By `pile * 6 + pieces lifted`: the pile that stays behind."""
        self.top = LazyTable(lambda at: self.number[self.names[at // 6][-(at % 6) :]])
        """By `pile * 6 + pieces lifted`: the lifted pieces."""
        self.landing = LazyTable(lambda top: LazyTable(lambda under: self._land(top, under)))
        """By the lifted pieces and the pile they land on."""
        self.gain = LazyTable(
            lambda top: LazyTable(lambda under: self._landing_gain(top, under) << MOVE_BITS)
        )
        """Likewise: how much the evaluation of the mover grows, shifted by MOVE_BITS."""
        self.lifts = LazyTable(self._lifts)
        """By pile: each number of pieces that can be lifted, its gain shifted, and the row of `gain`."""
        self.reserve_gain = -self._relative(0, {0: self.reserve_value}) << MOVE_BITS
        self._make_hashes()

    def __reduce__(self) -> tuple[Callable[..., Tables], tuple[object, ...]]:
        variant = self.variant
        return get_tables, (variant.seats, variant.fast, variant.partners, self.resigned)

    # --- values -----------------------------------------------------------------------------------------

    def _pile_value(self, name: str) -> int:
        if not name or self.variant.seat_of[name[-1]] in self.resigned:
            return 0
        return self._piles[len(name)] + self._own_piece * name.count(name[-1])

    def strengths(
        self,
        board: Sequence[int],
        reserve: Sequence[int],
        waiting: Sequence[bool],
        captured: Sequence[Sequence[int]],
    ) -> list[int]:
        """Return by seat what its piles and what it holds are worth."""
        found = [
            held * self.reserve_value + beside * weights.WAITING + sum(taken) * self.capture_value
            for held, beside, taken in zip(reserve, waiting, captured, strict=True)
        ]
        for pile in filter(None, board):
            found[self.owner[pile]] += self.pile_value[pile]
        return found

    def features(
        self, board: Sequence[int], reserve: Sequence[int], captured: Sequence[Sequence[int]]
    ) -> tuple[int, ...]:
        """Return what the weights of two seats count, each as seat 0's less seat 1's.

        Piles by height, pieces of the controller's colour in them, pieces in reserve, and captured ones.
        """
        piles, own = [0] * MAX_HEIGHT, 0
        for pile in filter(None, board):
            sign, name = 1 - 2 * self.owner[pile], self.names[pile]
            piles[len(name) - 1] += sign
            own += sign * name.count(name[-1])
        return (*piles, own, reserve[0] - reserve[1], sum(captured[0]) - sum(captured[1]))

    def _relative(self, seat: int, changes: dict[int, int]) -> int:
        """Return the worth of changes of strength to a seat: its team's less the others' average."""
        teams = self.variant.teams
        own = sum(n for other, n in changes.items() if teams[other] == teams[seat])
        against = sum(
            n for other, n in changes.items() if teams[other] != teams[seat] and other not in self.resigned
        )
        return own - against // max(1, self.sides - 1)

    def _lifts(self, pile: int) -> tuple[tuple[int, int, LazyTable[int]], ...]:
        seat, found = self.owner[pile], []
        for count in range(1, self.height[pile] + 1):
            rest = self.rest[pile * 6 + count]
            changes = {seat: -self.pile_value[pile]}
            if rest:
                below = self.owner[rest]
                changes[below] = changes.get(below, 0) + self.pile_value[rest]
            gain = self._relative(seat, changes) << MOVE_BITS
            found.append((count, gain, self.gain[self.top[pile * 6 + count]]))
        return tuple(found)

    def _land(self, top: int, under: int) -> Landing:
        whole = self.names[under] + self.names[top]
        removed, pile = whole[:-MAX_HEIGHT], whole[-MAX_HEIGHT:]
        numbers = ((seat, removed.count(colour)) for seat, colour in enumerate(self.variant.colours))
        return Landing(self.number[pile], tuple((seat, number) for seat, number in numbers if number))

    def _landing_gain(self, top: int, under: int) -> int:
        seat, teams, landing = self.owner[top], self.variant.teams, self.landing[top][under]
        changes = {seat: self.pile_value[landing.pile]}
        if under:
            below = self.owner[under]
            changes[below] = changes.get(below, 0) - self.pile_value[under]
        for other, number in landing.removed:
            to, value = (
                (other, self.reserve_value) if teams[other] == teams[seat] else (seat, self.capture_value)
            )
            changes[to] = changes.get(to, 0) + number * value
        return self._relative(seat, changes)

    # --- hashes -----------------------------------------------------------------------------------------

    def _make_hashes(self) -> None:
        seats, most = self.variant.seats, 64
        sizes = (SPACE_COUNT * self.count, seats * most, seats * seats * most, seats, seats + 1, seats)
        piles, hands, taken, waiting, turns, gone = hash_words("focus", *sizes)
        self.pile_hash = [piles[n * self.count : (n + 1) * self.count] for n in range(SPACE_COUNT)]
        """By space and pile."""
        self.hand_hash = [hands[n * most : (n + 1) * most] for n in range(seats)]
        """By seat and pieces in reserve."""
        self.captured_hash = [taken[n * most : (n + 1) * most] for n in range(seats * seats)]
        """By `seat * seats + other` and pieces captured."""
        self.waiting_hash = waiting
        self.turn_hash = turns
        """By seat to act; the last one is chance's."""
        self.resigned_hash = reduce(xor, (gone[seat] for seat in self.resigned), 0)


@cache
def get_tables(seats: int, fast: bool, partners: bool, resigned: frozenset[int]) -> Tables:
    """Return the tables of a variant."""
    return Tables(get_variant(seats, fast, partners), resigned)
