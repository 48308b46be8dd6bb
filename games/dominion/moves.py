"""The moves and eliminations of the nine kinds of pieces, and why a piece can't go to a square.

`targets` alone decides where a piece may go; the reasons only explain its results.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import Final

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

_SLIDES: Final = {PRINCE: ALL_RAYS, GENERAL: ORTHOGONAL_RAYS, ADMIRAL: DIAGONAL_RAYS}
_STEPS: Final = {EMPEROR: NEIGHBOURS, WARRIOR: LEAPS}
_SERGEANT_RAYS: Final = tuple(tuple(ray[:2] for ray in rays) for rays in ORTHOGONAL_RAYS)
"""One or two squares along rank and file, a Sergeant's steps."""


def targets(board: bytes, control: tuple[int, ...], relations: bytes, seat: int, src: int) -> list[int]:
    """Return the squares that the seat's piece on `src` may go to; `relations` is its `relation_table`."""
    kind = board[src] & 15
    if kind in (SOLDIER, PEASANT):
        found = [at for at in ORTHOGONAL_NEIGHBOURS[src] if not board[at]]
        if kind == SOLDIER:
            found += [at for at in DIAGONAL_NEIGHBOURS[src] if relations[board[at]] == 2]
            if LINE_STEPS[src] and control[TERRITORY_OF[src]] == seat:
                found += [at for at in LINE_STEPS[src] if not board[at]]
        return found
    found = []
    if rays := _SLIDES.get(kind):
        for ray in rays[src]:
            for at in ray:
                if code := board[at]:
                    if relations[code] == 2:
                        found.append(at)
                    break
                found.append(at)
    elif steps := _STEPS.get(kind):
        found += [at for at in steps[src] if relations[board[at]] != 1]
    elif kind == SERGEANT:
        soldier = board[src] + SOLDIER - SERGEANT
        for near, *further in _SERGEANT_RAYS[src]:
            reach = (near,) if board[near] else (near, *further)
            found += [at for at in reach if not board[at] or board[at] == soldier]
        found += [at for at in DIAGONAL_NEIGHBOURS[src] if relations[board[at]] != 1 or board[at] == soldier]
    elif kind == ASSASSIN:
        _add_assassin_targets(board, relations, src, found)
    return found


def _add_assassin_targets(board: bytes, relations: bytes, src: int, found: list[int]) -> None:
    """Add an Assassin's targets: it moves over empty squares and strikes over exactly one piece."""
    for ray in ORTHOGONAL_RAYS[src]:
        screened = False
        for at in ray:
            if code := board[at]:
                if screened:
                    if relations[code] == 2:
                        found.append(at)
                    break
                screened = True
            elif not screened:
                found.append(at)


def moves(position: Position, seat: int) -> list[Action]:
    """Return every move of the seat's pieces, piece by piece in the order of the squares."""
    board, control = position.board, position.control
    relations = relation_table(position.law.camps, seat)
    found: list[Action] = []
    for src in compress(SQUARES, board.translate(OWNED[seat])):
        found += map(MOVES[src].__getitem__, targets(board, control, relations, seat, src))
    return found


def moves_or_pass(position: Position, seat: int) -> list[Action]:
    """Return every move; the pass if there is none."""
    return moves(position, seat) or [PASS]


def heir_moves(position: Position, seat: int) -> list[Action]:
    """Return what a Prince may do before he becomes Emperor: stay, or any of his moves."""
    src = find_piece(position.board, seat, PRINCE)
    relations = relation_table(position.law.camps, seat)
    reach = targets(position.board, position.control, relations, seat, src)
    return [STAY, *(MOVES[src][at] for at in reach)]


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
    relations = relation_table(position.law.camps, seat)
    reach = targets(board, position.control, relations, seat, src)
    if dst in reach:
        return None
    kind, why = piece_name(code & 15), _reason(position, seat, src, dst)
    if not reach:
        return msg("dominion.refuse.stuck", piece=kind, square=NAMES[src], why=why)
    names = tuple(NAMES[at] for at in sorted(reach))
    return msg("dominion.refuse.move", piece=kind, reach=names, square=NAMES[src], why=why)


def piece_name(kind: int) -> Msg:
    """Return the name of a kind of piece."""
    return msg(f"dominion.piece.{KIND_KEYS[kind]}")


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
