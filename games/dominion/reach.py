"""Where each kind of piece may go, by sets of squares: an integer has a bit for each square.

What a piece may do depends on a few squares around it, or on the first piece along a line. The moves for each
such case are listed once, in the order of the squares around the piece, and looked up from then on.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from games.dominion.actions import MOVES, Action
from games.dominion.board import (
    ALL_RAYS,
    DIAGONAL_NEIGHBOURS,
    DIAGONAL_RAYS,
    LEAPS,
    LINE_STEPS,
    NEIGHBOURS,
    ORTHOGONAL_NEIGHBOURS,
    ORTHOGONAL_RAYS,
    SQUARES,
    TERRITORY_OF,
    Rays,
    SquareLists,
)
from games.dominion.position import (
    ADMIRAL,
    ASSASSIN,
    EMPEROR,
    GENERAL,
    PEASANT,
    PRINCE,
    SERGEANT,
    SOLDIER,
    WARRIOR,
)

_BIT: Final = tuple(1 << square for square in reversed(SQUARES))
"""The bit of each square: `int` reads a board's first digit as the highest."""


class Sight(NamedTuple):
    """A board as a seat sees it."""

    board: bytes
    relations: bytes
    """The seat's `relation_table`."""
    taken: int
    """The squares with a piece."""
    foes: int
    """The squares with a piece to be eliminated."""


@lru_cache(maxsize=8)
def _digits(relations: bytes) -> tuple[bytes, bytes]:
    """Return translation tables to binary digits: of the codes of pieces, and of pieces to be eliminated."""
    kinds = [relations[code] if code < len(relations) else 0 for code in range(256)]
    return bytes(b"01"[kind > 0] for kind in kinds), bytes(b"01"[kind == 2] for kind in kinds)


@lru_cache(maxsize=16)
def look(board: bytes, relations: bytes) -> Sight:
    """Return the board as a seat sees it; cached, since each action is listed, then judged."""
    taken, foes = _digits(relations)
    return Sight(board, relations, int(board.translate(taken), 2), int(board.translate(foes), 2))


class _Steps(dict[int, tuple[Action, ...]]):
    """The moves from a square to some of a few others, by the set of those that are barred."""

    def __init__(self, src: int, squares: Iterable[int]) -> None:
        super().__init__()
        self._moves = [(_BIT[at], MOVES[src][at]) for at in squares]
        self.squares = sum(bit for bit, _ in self._moves)

    def __missing__(self, barred: int) -> tuple[Action, ...]:
        found = self[barred] = tuple([move for bit, move in self._moves if not bit & barred])
        return found


class _Ray(NamedTuple):
    """The squares in one direction."""

    squares: int
    rising: bool
    """Whether the nearest square has the lowest bit; otherwise it has the highest."""
    until: dict[int, tuple[tuple[Action, ...], Action | None]]
    """By the length in bits of the first piece's bit: the moves before it, and the one onto it.

    0 stands for a ray without pieces.
    """


def _ray(src: int, squares: tuple[int, ...]) -> _Ray:
    moves = tuple(MOVES[src][at] for at in squares)
    until: dict[int, tuple[tuple[Action, ...], Action | None]] = {0: (moves, None)}
    until |= {_BIT[at].bit_length(): (moves[:n], moves[n]) for n, at in enumerate(squares)}
    return _Ray(sum(_BIT[at] for at in squares), squares[0] < src, until)


def _steps(lists: SquareLists) -> tuple[_Steps, ...]:
    return tuple(_Steps(src, squares) for src, squares in enumerate(lists))


def _directions(rays: Rays) -> tuple[tuple[_Ray, ...], ...]:
    return tuple(tuple(_ray(src, squares) for squares in around) for src, around in enumerate(rays))


_STRAIGHT: Final = _directions(ORTHOGONAL_RAYS)
_SLANTED: Final = _directions(DIAGONAL_RAYS)
_SLIDES: Final = {PRINCE: _directions(ALL_RAYS), GENERAL: _STRAIGHT, ADMIRAL: _SLANTED}
_JUMPS: Final = {EMPEROR: _steps(NEIGHBOURS), WARRIOR: _steps(LEAPS)}
_BESIDE: Final = _steps(ORTHOGONAL_NEIGHBOURS)
_STRIKES: Final = _steps(DIAGONAL_NEIGHBOURS)
_LINES: Final = _steps(LINE_STEPS)
_SERGEANT_STEPS: Final = tuple(
    tuple((MOVES[src][ray[0]], MOVES[src][ray[1]] if len(ray) > 1 else None) for ray in rays)
    for src, rays in enumerate(ORTHOGONAL_RAYS)
)
"""One or two squares along rank and file, a Sergeant's steps."""


def piece_moves(sight: Sight, control: tuple[int, ...], seat: int, src: int) -> list[Action]:
    """Return the moves of the seat's piece on a square."""
    board, relations, taken, foes = sight
    kind = board[src] & 15
    if kind in (SOLDIER, PEASANT):
        beside = _BESIDE[src]
        found = [*beside[taken & beside.squares]]
        if kind == SOLDIER:
            strikes, lines = _STRIKES[src], _LINES[src]
            if foes & strikes.squares:
                found += strikes[strikes.squares & ~foes]
            if lines.squares and control[TERRITORY_OF[src]] == seat:
                found += lines[taken & lines.squares]
        return found
    found = []
    if rays := _SLIDES.get(kind):
        for squares, rising, until in rays[src]:
            met = taken & squares
            before, onto = until[(met & -met if rising else met).bit_length()]
            found += before
            if onto and relations[board[onto.b]] == 2:
                found.append(onto)
    elif jumps := _JUMPS.get(kind):
        steps = jumps[src]
        found += steps[taken & ~foes & steps.squares]
    elif kind == SERGEANT:
        _add_sergeant_moves(sight, src, found)
    elif kind == ASSASSIN:
        _add_assassin_moves(sight, src, found)
    return found


def _add_sergeant_moves(sight: Sight, src: int, found: list[Action]) -> None:
    """Add a Sergeant's moves: up to two straight squares, or one diagonal; it may swap with own Soldiers."""
    board, _, taken, foes = sight
    soldier = board[src] + SOLDIER - SERGEANT
    for near, far in _SERGEANT_STEPS[src]:
        code = board[near.b]
        if not code:
            found.append(near)
            if far and (not board[far.b] or board[far.b] == soldier):
                found.append(far)
        elif code == soldier:
            found.append(near)
    steps = _STRIKES[src]
    barred = taken & ~foes & steps.squares
    if barred:
        swaps = sum([_BIT[at] for at in DIAGONAL_NEIGHBOURS[src] if board[at] == soldier])
        barred &= ~swaps
    found += steps[barred]


def _add_assassin_moves(sight: Sight, src: int, found: list[Action]) -> None:
    """Add an Assassin's moves: over empty squares, and a strike over exactly one piece."""
    board, relations, taken, _ = sight
    for squares, rising, until in _STRAIGHT[src]:
        met = taken & squares
        first = (met & -met if rising else met).bit_length()
        found += until[first][0]
        if first and (met := met ^ 1 << first - 1):
            struck = until[(met & -met if rising else met).bit_length()][1]
            if struck and relations[board[struck.b]] == 2:
                found.append(struck)
