"""The moves and eliminations of the nine kinds of pieces, and why a piece can't go to a square.

`reach.add_rows` alone decides where a piece may go; the reasons only explain its results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, compress
from typing import Final

from games.dominion.actions import PASS, STAY, Action
from games.dominion.board import (
    ALL_RAYS,
    LINE_STEPS,
    NAMES,
    SIZE,
    SQUARES,
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
from games.dominion.reach import ActionRow, add_rows, look, piece_moves
from games.engine.message import Msg, Who, msg


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
