"""What is counted of a position of Dominion for searching: armies, material, values of places, the hash."""

from __future__ import annotations

from itertools import compress
from typing import Any, NamedTuple

from games.dominion import endings
from games.dominion.board import SQUARES
from games.dominion.position import (
    EMPEROR,
    OWNED,
    PEASANT,
    Law,
    Position,
    controllers,
    piece,
    relation_table,
)
from games.dominion.search.tables import (
    BIT,
    ENDED,
    FATE_DUE,
    LATE_HASH,
    MATERIAL,
    MOVE,
    NO_ZONE,
    PENDING_HASH,
    PHASE_HASH,
    PHASES,
    PIECE_HASH,
    SUCCESSION,
    TURN_HASH,
    ZONE,
    Rows,
    all_rows,
)
from games.dominion.search.weights import LATE, WEIGHTS
from games.engine.search import OVER, SearchState, shares
from games.engine.values import CHANCE


class Realm(NamedTuple):
    """What seldom changes during a search."""

    control: tuple[int, ...]
    zones: tuple[int, ...]
    """The zone of each seat's Emperor, NO_ZONE without one."""
    rows: tuple[Rows, ...]
    """By seat: the values of places."""
    out: tuple[int, ...]
    pending: frozenset[int]
    peasants: int
    """The squares of all Peasants, recruited or not."""


class DominionTallies(SearchState):
    """The fields of a position, and what follows from its board."""

    __slots__ = (
        "_armies", "_board", "_camps", "_first", "_forces", "_last", "_late", "_law", "_material", "_offsets",
        "_phase", "_places", "_presumes", "_quiet", "_realm", "_relations", "_result", "_returns", "_round",
        "_seat", "_stirred", "_trail", "_undo", "key", "teams", "turn",
    )  # fmt: skip

    def __init__(self, law: Law) -> None:
        """Make an empty position, to be filled."""
        seats = len(law.sides)
        self._law = law
        self.teams = law.camps
        self._camps = len(set(law.camps))
        self._relations = tuple(relation_table(law.camps, seat) for seat in range(seats))
        self.turn: int = CHANCE
        self.key = 0
        self._board = b""
        self._armies: tuple[int, ...] = (0,) * seats
        """By seat, the squares of its army units."""
        self._material: tuple[int, ...] = (0,) * seats
        self._places: tuple[int, ...] = (0,) * seats
        """By seat, what its units' places are worth, shifted by MOVE_BITS."""
        self._realm = Realm((), (), (), (), frozenset(), 0)
        self._phase = MOVE
        self._seat = 0
        """The seat whose turn it is, also while Fate throws."""
        self._first = 0
        self._round = 1
        self._quiet = 0
        self._stirred = False
        self._late = 0
        """How near the end by points is, from 0."""
        self._last = -1
        """The square that the last move led to."""
        self._result: tuple[float, ...] | None = None
        self._presumes = False
        self._trail: tuple[int, ...] = ()
        self._returns: frozenset[int] = frozenset()
        """The next moves that cost something, since they lead back to where the side has been."""
        self._forces = (0,) * seats
        """By seat, how much it presses."""
        self._offsets = (0,) * seats
        """By seat, what its places count more, shifted: pressing leaves the current value as it is."""
        self._undo: list[tuple[Any, ...]] = []

    def _fill(self, position: Position) -> None:
        """Take over a position; no Sergeants may be left to choose."""
        self._phase, self._seat, self._first = PHASES.index(position.phase), position.turn, position.first
        self._round, self._quiet, self._stirred = position.round, position.quiet, position.stirred
        self._realm = self._realm._replace(out=position.out, pending=position.pending)
        self._trail = position.trail
        if position.outcome is not None:
            self._result = shares(position.outcome.ranks, position.law.camps)
        self._late = self._lateness()
        self._count_all(position.board)
        self._enter(self._phase, self._seat)

    def copy(self) -> DominionTallies:
        """Return an independent copy, without the moves that led here."""
        other = type(self)(self._law)
        for name in DominionTallies.__slots__:
            setattr(other, name, getattr(self, name))
        other._undo = []
        return other

    def presume(self) -> None:
        """Let every move be followed at once by the next seat's, and let no heir succeed."""
        self._presumes = True

    # --- counting anew ----------------------------------------------------------------------------------

    def _count_all(self, board: bytes) -> None:
        """Put a board, and count all that follows from it."""
        seats = len(self.teams)
        self._board = board
        armies, material = [0] * seats, [0] * seats
        key, peasants, zones = 0, 0, [NO_ZONE] * seats
        for at in compress(SQUARES, board):
            code = board[at]
            key ^= PIECE_HASH[code][at]
            kind, seat = code & 15, (code >> 4) - 1
            if kind == PEASANT:
                peasants |= BIT[at]
            else:
                armies[seat] |= BIT[at]
                if kind == EMPEROR:
                    zones[seat] = ZONE[at]
            if seat >= 0:
                material[seat] += MATERIAL[kind]
        control = controllers(board)
        for holder in control:
            if holder >= 0:
                material[holder] += WEIGHTS["territory"]
        self._armies, self._material = tuple(armies), tuple(material)
        realm = self._realm
        rows = self._rows(tuple(zones), control)
        self._realm = Realm(control, tuple(zones), rows, realm.out, realm.pending, peasants)
        self._places = tuple(self._weigh(board, seat, rows[seat]) for seat in range(seats))
        for seat in realm.pending:
            key ^= PENDING_HASH[seat]
        self.key = key ^ TURN_HASH[self._seat] ^ PHASE_HASH[self._phase] ^ LATE_HASH[self._late]

    def _rows(self, zones: tuple[int, ...], control: tuple[int, ...]) -> tuple[Rows, ...]:
        return all_rows(self._law.sides, self.teams, zones, control, self._forces)

    def _weigh(self, board: bytes, seat: int, rows: Rows) -> int:
        """Return what the places of a seat's pieces are worth, shifted."""
        total = self._offsets[seat]
        for at in compress(SQUARES, board.translate(OWNED[seat])):
            total += rows[board[at] & 15][at]
        return total

    def _move_throne(self, seat: int, zone: int) -> None:
        """Let the places be worth what they are once an Emperor has come to another zone."""
        realm = self._realm
        zones = (*realm.zones[:seat], zone, *realm.zones[seat + 1 :])
        rows = self._rows(zones, realm.control)
        self._places = tuple(
            place if new is old else self._weigh(self._board, each, new)
            for each, (place, new, old) in enumerate(zip(self._places, rows, realm.rows, strict=True))
        )
        self._realm = realm._replace(zones=zones, rows=rows)

    def _hand_over(self, control: tuple[int, ...]) -> None:
        """Let Territories change hands without Peasants in them."""
        realm, territory = self._realm, WEIGHTS["territory"]
        material = list(self._material)
        for new, old in zip(control, realm.control, strict=True):
            if new != old:
                if new >= 0:
                    material[new] += territory
                if old >= 0:
                    material[old] -= territory
        self._material = tuple(material)
        rows = self._rows(realm.zones, control)
        self._places = tuple(
            place
            if new is old or not self._board.count(piece(each, PEASANT))
            else self._weigh(self._board, each, new)
            for each, (place, new, old) in enumerate(zip(self._places, rows, realm.rows, strict=True))
        )
        self._realm = realm._replace(control=control, rows=rows)

    def _lateness(self) -> int:
        """Return how near the end by points is, from 0."""
        seats = len(self.teams)
        turns = endings.MAX_QUIET_TURNS * (seats - len(self._realm.out))
        gone = max(100 * self._round // endings.max_rounds(seats), 100 * self._quiet // turns)
        return sum(gone >= limit for limit in LATE)

    def _enter(self, phase: int, seat: int) -> None:
        """Go on with a phase of a seat's turn."""
        self.key ^= PHASE_HASH[self._phase] ^ PHASE_HASH[phase] ^ TURN_HASH[self._seat] ^ TURN_HASH[seat]
        self._phase, self._seat = phase, seat
        self.turn = OVER if phase == ENDED else CHANCE if phase in (FATE_DUE, SUCCESSION) else seat
