"""The position of Dominion: pieces by square, the law of the match, and whose decision is due.

A piece is one byte: 16 x (seat + 1) + kind; a free Peasant is PEASANT alone, an empty square 0. Everything
but the choice of Sergeants is open; only that is kept apart in State.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from games.dominion.board import (
    NO_SIDE,
    SIDES,
    START_ARMY,
    STRONGHOLDS,
    TERRITORY_OF,
    start_points,
    territory_square,
)
from games.engine.game import Outcome

EMPEROR, PRINCE, GENERAL, ADMIRAL, WARRIOR, ASSASSIN, SERGEANT, SOLDIER, PEASANT = range(1, 10)
LETTERS: Final = " EPGAWXRSp"
"""The letter of each kind."""
KIND_KEYS: Final = (
    *("", "emperor", "prince", "general", "admiral", "warrior"),
    *("assassin", "sergeant", "soldier", "peasant"),
)
UPPER: Final = frozenset((PRINCE, GENERAL, ADMIRAL, WARRIOR, ASSASSIN))
LOWER: Final = frozenset((SERGEANT, SOLDIER))
NOBODY: Final = -1
TRAIL: Final = 40
"""Number of moves that are kept in mind."""
VERSION: Final = 2
"""The newest version of the rules. An Admiral counts 5 points at the end in version 1, 3 in version 2."""
ARMY_OWNER: Final = bytes(code >> 4 if EMPEROR <= code & 15 < PEASANT else 0 for code in range(256))
"""Translation table for `board.translate`: 1 + the seat of each army unit, 0 for everything else."""
OWNED: Final = tuple(bytes(code >> 4 == seat + 1 for code in range(256)) for seat in range(4))
"""Whether each code is a piece of the seat, by seat."""

Phase: TypeAlias = Literal[
    "throw", "sergeants", "move", "fate", "succession", "heir",
    "demote_upper", "demote_lower", "peasant", "promote_lower", "promote_upper", "over",
]  # fmt: skip
"""What is due: the starting throw, the Sergeants, a move, Fate's throw, the throw for the heir, the heir's
move, one of the five choices that Fate may ask for; nothing."""


class Law(NamedTuple):
    """The settings of a match: each seat's side of the board, its camp, and the options."""

    sides: tuple[int, ...]
    camps: tuple[int, ...]
    succession: Literal["strict", "kind", "sure"]
    straddle: Literal["all", "orth"]
    sticks: Literal["die", "sticks"]
    fate: int
    """The Diviner succeeds with a chance of 1 in this number."""
    sandwiched: Literal["throw", "first"]
    rules: int
    """The version of the rules."""


class Position(NamedTuple):
    """Everything that is open to all."""

    law: Law
    board: bytes
    control: tuple[int, ...]
    """The seat that controls each Territory, by side; NOBODY if none does."""
    phase: Phase
    turn: int
    """The seat whose turn it is; before the starting throw 0."""
    first: int
    """The seat that began."""
    round: int
    """From 1; a new one begins when the turn passes the first seat."""
    quiet: int
    """Turns in a row without an elimination, recruitment, arming or turning."""
    stirred: bool
    """Whether one of these has happened in the current turn."""
    out: tuple[int, ...]
    """Seats that are out, the first to fall first."""
    pending: frozenset[int]
    """Seats whose Emperor fell and whose Prince hasn't had his chance yet."""
    seals: tuple[int, ...]
    """Number of Emperors that each seat took."""
    ready: tuple[bool, ...]
    """Whether each seat has chosen its Sergeants."""
    outcome: Outcome | None
    trail: tuple[int, ...] = ()
    """The moves since a piece was last taken, as 169 x from + to; at most the last `TRAIL`.

    No rule asks for them: they show computers where they have been. Exchanging the pieces on the two squares
    takes a move back, also one that exchanged two.
    """

    def living(self) -> tuple[int, ...]:
        """Return the seats that still play, including those that wait for an heir."""
        return tuple(seat for seat in range(len(self.law.sides)) if seat not in self.out)


def with_board(
    position: Position, board: bytes, phase: Phase, trail: tuple[int, ...], *, stirred: bool
) -> Position:
    """Return the position with another board, in another phase.

    Like `_replace`, but several times as fast: this runs for every move.
    """
    law, _, control, _, turn, first, round_, quiet, _, *rest, _ = position
    return tuple.__new__(
        Position, (law, board, control, phase, turn, first, round_, quiet, stirred, *rest, trail)
    )


def with_turn(position: Position, phase: Phase, turn: int, round_: int, quiet: int) -> Position:
    """Return the position at the beginning of a turn; as fast, since it runs for every turn."""
    law, board, control, _, _, first, _, _, _, *rest = position
    return tuple.__new__(Position, (law, board, control, phase, turn, first, round_, quiet, False, *rest))


SergeantChoice: TypeAlias = "tuple[int, int] | None"


class State(NamedTuple):
    """A position with the Sergeants that were chosen but not yet revealed."""

    position: Position
    chosen: tuple[SergeantChoice, ...]


class View(NamedTuple):
    """What one viewer may know: the position, and of the chosen Sergeants only their own."""

    position: Position
    own: SergeantChoice


# --- pieces --------------------------------------------------------------------------------------------


def piece(seat: int, kind: int) -> int:
    """Return the byte of a piece; of a free Peasant for the seat NOBODY."""
    return 16 * (seat + 1) + kind


def owner(code: int) -> int:
    """Return the seat of a piece; NOBODY for a free Peasant and for an empty square."""
    return (code >> 4) - 1


def kind_of(code: int) -> int:
    """Return the kind of a piece; 0 for an empty square."""
    return code & 15


@lru_cache(maxsize=64)
def relation_table(camps: tuple[int, ...], seat: int) -> bytes:
    """Return each code's relation to a seat: 0 empty, 1 its own or an ally's, 2 to be eliminated."""
    table = bytearray(2 if code else 0 for code in range(128))
    for other, camp in enumerate(camps):
        if camp == camps[seat]:
            for kind in range(1, 10):
                table[piece(other, kind)] = 1
    return bytes(table)


def find_piece(board: bytes, seat: int, kind: int) -> int:
    """Return the first square with such a piece; -1 if there is none."""
    return board.find(piece(seat, kind))


def put(board: bytes, pieces: Mapping[int, int]) -> bytes:
    """Return the board with other pieces, or none (0), on some squares."""
    work = bytearray(board)
    for at, code in pieces.items():
        work[at] = code
    return bytes(work)


def controllers(board: bytes) -> tuple[int, ...]:
    """Return the seat with army units on two of the three strongholds of each Territory, by side."""
    return tuple(
        [
            _controller(ARMY_OWNER[board[a]], ARMY_OWNER[board[b]], ARMY_OWNER[board[c]])
            for a, b, c in STRONGHOLDS
        ]
    )


def _controller(a: int, b: int, c: int) -> int:
    if a and a in (b, c):
        return a - 1
    return b - 1 if b == c else NOBODY  # both empty: 0 - 1 is NOBODY


def territory_controller(position: Position, square: int) -> int:
    """Return the seat that controls the Territory of a square; NOBODY on neutral land."""
    side = TERRITORY_OF[square]
    return NOBODY if side == NO_SIDE else position.control[side]


def start_board(law: Law) -> bytes:
    """Return the board at the start."""
    board = bytearray(len(TERRITORY_OF))
    for seat, side in enumerate(law.sides):
        for letter, x, y in START_ARMY:
            board[territory_square(side, x, y)] = piece(seat, LETTERS.index(letter))
    for square in start_points(law.sides):
        board[square] = PEASANT
    return bytes(board)


def sandwiched_seat(law: Law) -> int:
    """Return the seat opposite the empty Territory with three seats; else NOBODY."""
    if len(law.sides) != 3:
        return NOBODY
    (empty,) = set(range(4)).difference(law.sides)
    return law.sides.index((empty + 2) % 4)


def sides_of(seats: int, empty: str) -> tuple[int, ...]:
    """Return the seats' sides, clockwise from north: two opposite ones, all but the empty one, or all."""
    if seats == 2:
        return (0, 2)
    return tuple(side for side in range(4) if seats == 4 or side != SIDES.index(empty))
