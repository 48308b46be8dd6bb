"""Where the nine kinds of pieces may go, their eliminations, and why a piece can't go to a square.

`add_rows` alone decides where a piece may go, by sets of squares; the reasons only explain its results. What
a piece may do depends on a few squares around it, or on the first piece along a line. The moves for each such
case are listed once, in the order of the squares around the piece, and looked up from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain, compress
from typing import Final, NamedTuple, TypeAlias

from games.dominion.actions import MOVES, PASS, STAY, Action
from games.dominion.board import (
    ALL_RAYS,
    DIAGONAL_NEIGHBOURS,
    DIAGONAL_RAYS,
    LEAPS,
    LINE_STEPS,
    NAMES,
    NEIGHBOURS,
    ORTHOGONAL_NEIGHBOURS,
    ORTHOGONAL_RAYS,
    SIZE,
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
    KIND_KEYS,
    OWNED,
    PEASANT,
    PRINCE,
    SERGEANT,
    SOLDIER,
    WARRIOR,
    Position,
    find_piece,
    owner,
    relation_table,
)
from games.engine.message import Msg, Who, msg

_BIT: Final = tuple(1 << square for square in reversed(SQUARES))
"""The bit of each square: `int` reads a board's first digit as the highest."""


ActionRow: TypeAlias = tuple[Action, ...]
"""Actions of one piece: rows can be counted without a list of all their actions."""


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


_DIGITS_OF: Final = tuple(bytes(b"01"[each == code] for each in range(256)) for code in range(128))
"""For each code a translation table to binary digits: whether a piece is this one."""


@lru_cache(maxsize=16)
def _places(board: bytes, code: int) -> int:
    """Return the squares with such a piece; cached, since a seat has several Sergeants."""
    return int(board.translate(_DIGITS_OF[code]), 2)


class _Steps(dict[int, ActionRow]):
    """The moves from a square to some of a few others, by the set of those that are barred."""

    def __init__(self, src: int, squares: Iterable[int]) -> None:
        super().__init__()
        self._moves = [(_BIT[at], MOVES[src][at]) for at in squares]
        self.squares = sum(bit for bit, _ in self._moves)

    def __missing__(self, barred: int) -> ActionRow:
        found = self[barred] = tuple([move for bit, move in self._moves if not bit & barred])
        return found


class _Walks(dict[tuple[int, int], ActionRow]):
    """A Sergeant's moves along rank and file.

    By the next squares that are taken, which end a walk, and the squares near and far where it can't stop.
    """

    def __init__(self, src: int, rays: SquareLists) -> None:
        super().__init__()
        self._rays = [tuple((_BIT[at], MOVES[src][at]) for at in ray[:2]) for ray in rays]
        self.near = sum(ray[0][0] for ray in self._rays)
        self.squares = sum(bit for ray in self._rays for bit, _ in ray)

    def __missing__(self, around: tuple[int, int]) -> ActionRow:
        taken, barred = around
        found: list[Action] = []
        for ray in self._rays:
            for bit, move in ray:
                if not bit & barred:
                    found.append(move)
                if bit & taken:
                    break
        row = self[around] = tuple(found)
        return row


class _Ray(NamedTuple):
    """The squares in one direction."""

    squares: int
    rising: bool
    """Whether the nearest square has the lowest bit; otherwise it has the highest."""
    until: dict[int, tuple[ActionRow, ActionRow, int]]
    """By the length in bits of the first piece's bit: the moves before it, with the one onto it, its square.

    0 stands for a ray without pieces; its square is that of the piece itself, which is never eliminated.
    """


def _ray(src: int, squares: tuple[int, ...]) -> _Ray:
    moves = tuple(MOVES[src][at] for at in squares)
    until = {0: (moves, moves, src)}
    until |= {_BIT[at].bit_length(): (moves[:n], moves[: n + 1], at) for n, at in enumerate(squares)}
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
_WALKS: Final = tuple(_Walks(src, rays) for src, rays in enumerate(ORTHOGONAL_RAYS))


def piece_moves(sight: Sight, control: tuple[int, ...], seat: int, src: int) -> list[Action]:
    """Return the moves of the seat's piece on a square."""
    rows: list[ActionRow] = []
    add_rows(sight, control, seat, src, rows)
    return list(chain.from_iterable(rows))


def add_rows(sight: Sight, control: tuple[int, ...], seat: int, src: int, rows: list[ActionRow]) -> None:
    """Add the moves of the seat's piece on a square to `rows`, in tuples of which some may be empty."""
    board, relations, taken, foes = sight
    kind = board[src] & 15
    if kind in (SOLDIER, PEASANT):
        beside = _BESIDE[src]
        rows.append(beside[taken & beside.squares])
        if kind == SOLDIER:
            strikes, lines = _STRIKES[src], _LINES[src]
            if struck := foes & strikes.squares:
                rows.append(strikes[strikes.squares ^ struck])
            if lines.squares and control[TERRITORY_OF[src]] == seat:
                rows.append(lines[taken & lines.squares])
    elif rays := _SLIDES.get(kind):
        for squares, rising, until in rays[src]:
            met = taken & squares
            before, through, at = until[(met & -met if rising else met).bit_length()]
            rows.append(through if relations[board[at]] == 2 else before)
    elif jumps := _JUMPS.get(kind):
        steps = jumps[src]
        rows.append(steps[taken & ~foes & steps.squares])
    elif kind == SERGEANT:
        _add_sergeant_rows(sight, src, rows)
    elif kind == ASSASSIN:
        _add_assassin_rows(sight, src, rows)


def _add_sergeant_rows(sight: Sight, src: int, rows: list[ActionRow]) -> None:
    """Add a Sergeant's moves: up to two straight squares, or one diagonal; it may swap with own Soldiers."""
    board, _, taken, foes = sight
    walks, strikes = _WALKS[src], _STRIKES[src]
    barred = taken & ~_places(board, board[src] + SOLDIER - SERGEANT)
    rows.append(walks[taken & walks.near, barred & walks.squares])
    rows.append(strikes[barred & ~foes & strikes.squares])


def _add_assassin_rows(sight: Sight, src: int, rows: list[ActionRow]) -> None:
    """Add an Assassin's moves: over empty squares, and a strike over exactly one piece."""
    board, relations, taken, _ = sight
    for squares, rising, until in _STRAIGHT[src]:
        met = taken & squares
        first = (met & -met if rising else met).bit_length()
        rows.append(until[first][0])
        if first and (met := met ^ 1 << first - 1):
            _, through, at = until[(met & -met if rising else met).bit_length()]
            if relations[board[at]] == 2:
                rows.append(through[-1:])


def targets(board: bytes, control: tuple[int, ...], relations: bytes, seat: int, src: int) -> list[int]:
    """Return the squares that the seat's piece on `src` may go to; `relations` is its `relation_table`."""
    return [move.b for move in piece_moves(look(board, relations), control, seat, src)]


def move_rows(position: Position, seat: int) -> list[ActionRow]:
    """Return every move of the seat's pieces, piece by piece in the order of the squares, in rows."""
    board, control = position.board, position.control
    sight = look(board, relation_table(position.law.camps, seat))
    rows: list[ActionRow] = []
    for src in compress(SQUARES, board.translate(OWNED[seat])):
        add_rows(sight, control, seat, src, rows)
    return rows


def moves(position: Position, seat: int) -> list[Action]:
    """Return every move of the seat's pieces, piece by piece in the order of the squares."""
    return list(chain.from_iterable(move_rows(position, seat)))


def pick_move(position: Position, seat: int, below: Callable[[int], int]) -> Action:
    """Return the move at the number that `below` returns; the pass if there is none."""
    rows = move_rows(position, seat)
    n = below(sum(map(len, rows)) or 1)
    for row in rows:
        if n < len(row):
            return row[n]
        n -= len(row)
    return PASS


def moves_or_pass(position: Position, seat: int) -> list[Action]:
    """Return every move; the pass if there is none."""
    return moves(position, seat) or [PASS]


def heir_moves(position: Position, seat: int) -> list[Action]:
    """Return what a Prince may do before he becomes Emperor: stay, or any of his moves."""
    src = find_piece(position.board, seat, PRINCE)
    sight = look(position.board, relation_table(position.law.camps, seat))
    return [STAY, *piece_moves(sight, position.control, seat, src)]


# --- the reasons -----------------------------------------------------------------------------------------


def why_not(position: Position, seat: int, action: Action) -> Msg | None:
    """Return why the seat's piece can't make this move; None if it can."""
    board, src, dst = position.board, action.a, action.b
    code = board[src]
    if not code:
        return msg("dominion.refuse.empty", square=NAMES[src])
    if owner(code) < 0:
        return msg("dominion.refuse.free_peasant", square=NAMES[src])
    if owner(code) != seat:
        return msg("dominion.refuse.not_yours", square=NAMES[src], who=Who(owner(code)))
    reach = piece_moves(look(board, relation_table(position.law.camps, seat)), position.control, seat, src)
    if action in reach:
        return None
    kind, why = piece_name(code & 15), _reason(position, seat, src, dst)
    if not reach:
        return msg("dominion.refuse.stuck", piece=kind, square=NAMES[src], why=why)
    names = tuple(NAMES[at] for at in sorted(move.b for move in reach))
    return msg("dominion.refuse.move", piece=kind, reach=names, square=NAMES[src], why=why)


PIECE_NAMES: Final = tuple(msg(f"dominion.piece.{key}") for key in KIND_KEYS)
"""The name of each kind of piece."""


def piece_name(kind: int) -> Msg:
    """Return the name of a kind of piece."""
    return PIECE_NAMES[kind]


def _reason(position: Position, seat: int, src: int, dst: int) -> Msg:
    """Return the rule that forbids a move."""
    board, kind = position.board, position.board[src] & 15
    there = board[dst]
    straight, diagonal, distance = _direction(src, dst)
    if kind == PEASANT and there:
        return msg("dominion.why.peasant_unarmed", at=NAMES[dst])
    if there and relation_table(position.law.camps, seat)[there] == 1:
        if owner(there) != seat:
            return msg("dominion.why.ally", at=NAMES[dst])
        if not (kind == SERGEANT and there & 15 == SOLDIER):
            return msg("dominion.why.own", at=NAMES[dst])
    if kind in (SOLDIER, SERGEANT) and there and straight:
        if owner(there) != seat:
            return msg("dominion.why.diagonal_only", at=NAMES[dst], piece=piece_name(kind))
        if distance == 1:
            return msg("dominion.why.own", at=NAMES[dst])
    if kind == SOLDIER and diagonal and distance == 1:
        if dst in LINE_STEPS[src]:
            return msg("dominion.why.line_not_yours", at=NAMES[dst])
        return msg("dominion.why.no_line", at=NAMES[dst])
    within = {SERGEANT: 2 if straight else 1, EMPEROR: 1, SOLDIER: 1, PEASANT: 1}.get(kind, SIZE)
    if not _fits(kind, straight, diagonal) or distance > within:
        return msg(f"dominion.why.shape.{KIND_KEYS[kind]}")
    between = [at for at in _between(src, dst) if board[at]]
    if kind == ASSASSIN and there:
        return msg("dominion.why.screen", at=NAMES[dst], n=len(between))
    return msg("dominion.why.blocked", at=NAMES[between[0]])


def _fits(kind: int, straight: bool, diagonal: bool) -> bool:
    if kind in (GENERAL, ASSASSIN, SOLDIER, PEASANT):
        return straight
    if kind == ADMIRAL:
        return diagonal
    return kind != WARRIOR and (straight or diagonal)


def _direction(src: int, dst: int) -> tuple[bool, bool, int]:
    """Return whether a step follows a rank or file, whether a diagonal, and its length in squares."""
    files, ranks = abs(src % SIZE - dst % SIZE), abs(src // SIZE - dst // SIZE)
    return not files or not ranks, files == ranks, max(files, ranks)


def _between(src: int, dst: int) -> Iterable[int]:
    """Return the squares between two on a line, nearest first."""
    ray = next(ray for ray in ALL_RAYS[src] if dst in ray)
    return ray[: ray.index(dst)]
