"""The moves of a seat with their gains: as `games.dominion.moves` lists them, but as numbers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from typing import Final

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
)
from games.dominion.position import (
    ADMIRAL,
    ASSASSIN,
    EMPEROR,
    GENERAL,
    OWNED,
    PEASANT,
    PRINCE,
    SERGEANT,
    SOLDIER,
    WARRIOR,
)
from games.dominion.search.tables import BIT, COUNT, Rows

Prize = Callable[[int, int], int]
"""Returns what taking a piece on a square gains, shifted like the rows."""
_SLIDES: Final = {PRINCE: ALL_RAYS, GENERAL: ORTHOGONAL_RAYS, ADMIRAL: DIAGONAL_RAYS}
_STEPS: Final = {EMPEROR: NEIGHBOURS, WARRIOR: LEAPS}
_RAYS: Final = {
    kind: tuple(tuple((ray, sum(BIT[at] for at in ray)) for ray in rays[src]) for src in SQUARES)
    for kind, rays in (*_SLIDES.items(), (ASSASSIN, ORTHOGONAL_RAYS))
}
"""By kind and square: the rays along which a piece takes, as squares and as a set."""
_TAKES: Final = {
    **_STEPS,
    SERGEANT: DIAGONAL_NEIGHBOURS,
    SOLDIER: DIAGONAL_NEIGHBOURS,
    **{kind: [[at for ray, _ in each for at in ray] for each in rays] for kind, rays in _RAYS.items()},
}
_REACH: Final = tuple(
    tuple(sum(BIT[at] for at in _TAKES[kind][src]) if kind in _TAKES else 0 for src in SQUARES)
    for kind in range(PEASANT + 1)
)
"""By kind and square: where a piece takes on an empty board."""
_SERGEANT_RAYS: Final = tuple(
    tuple((ray[0], ray[1] if len(ray) > 1 else -1) for ray in ORTHOGONAL_RAYS[src]) for src in SQUARES
)


def all_moves(
    board: bytes, control: tuple[int, ...], relations: bytes, seat: int, rows: Rows, prize: Prize
) -> list[int]:
    """Return every move of a seat's pieces, each with its gain as far as the places and the prize go."""
    found: list[int] = []
    add = found.append
    for src in compress(SQUARES, board.translate(OWNED[seat])):
        code = board[src]
        kind = code & 15
        row = rows[kind]
        base = src * COUNT - row[src]
        if kind == SOLDIER:
            for at in ORTHOGONAL_NEIGHBOURS[src]:
                if not board[at]:
                    add(row[at] + base + at)
            for at in DIAGONAL_NEIGHBOURS[src]:
                there = board[at]
                if there and relations[there] == 2:
                    add(row[at] + base + at + prize(there, at))
            if LINE_STEPS[src] and control[TERRITORY_OF[src]] == seat:
                for at in LINE_STEPS[src]:
                    if not board[at]:
                        add(row[at] + base + at)
        elif kind in _SLIDES:
            for ray in _SLIDES[kind][src]:
                for at in ray:
                    there = board[at]
                    if there:
                        if relations[there] == 2:
                            add(row[at] + base + at + prize(there, at))
                        break
                    add(row[at] + base + at)
        elif kind in _STEPS:
            for at in _STEPS[kind][src]:
                there = board[at]
                if not there:
                    add(row[at] + base + at)
                elif relations[there] == 2:
                    add(row[at] + base + at + prize(there, at))
        elif kind == PEASANT:
            for at in ORTHOGONAL_NEIGHBOURS[src]:
                if not board[at]:
                    add(row[at] + base + at)
        elif kind == SERGEANT:
            _add_sergeant(board, relations, src, rows, prize, found)
        elif kind == ASSASSIN:
            for ray in ORTHOGONAL_RAYS[src]:
                screened = False
                for at in ray:
                    there = board[at]
                    if there:
                        if screened:
                            if relations[there] == 2:
                                add(row[at] + base + at + prize(there, at))
                            break
                        screened = True
                    elif not screened:
                        add(row[at] + base + at)
    return found


def _add_sergeant(
    board: bytes, relations: bytes, src: int, rows: Rows, prize: Prize, found: list[int]
) -> None:
    """Add the moves of a Sergeant; when it swaps places, the Soldier's change counts as well."""
    code, row, other = board[src], rows[SERGEANT], rows[SOLDIER]
    soldier = code + SOLDIER - SERGEANT
    base = src * COUNT - row[src]
    back = other[src]
    for near, far in _SERGEANT_RAYS[src]:
        there = board[near]
        if not there:
            found.append(row[near] + base + near)
            if far < 0:
                continue
            there = board[far]
            if not there:
                found.append(row[far] + base + far)
            elif there == soldier:
                found.append(row[far] + base + far + back - other[far])
        elif there == soldier:
            found.append(row[near] + base + near + back - other[near])
    for at in DIAGONAL_NEIGHBOURS[src]:
        there = board[at]
        if not there:
            found.append(row[at] + base + at)
        elif there == soldier:
            found.append(row[at] + base + at + back - other[at])
        elif relations[there] == 2:
            found.append(row[at] + base + at + prize(there, at))


def captures(board: bytes, enemies: int, seat: int, rows: Rows, prize: Prize) -> list[int]:
    """Return the moves of a seat that take a piece on a set of squares, with their gains."""
    found: list[int] = []
    for src in compress(SQUARES, board.translate(OWNED[seat])):
        kind = board[src] & 15
        near = enemies & _REACH[kind][src]
        if not near:
            continue
        row = rows[kind]
        base = src * COUNT - row[src]
        if kind not in _RAYS:
            while near:
                low = near & -near
                near ^= low
                at = low.bit_length() - 1
                found.append(row[at] + base + at + prize(board[at], at))
            continue
        screens = kind == ASSASSIN
        for ray, line in _RAYS[kind][src]:
            if not near & line:
                continue
            left = screens
            for at in ray:
                if board[at]:
                    if left:
                        left = False
                        continue
                    if near >> at & 1:
                        found.append(row[at] + base + at + prize(board[at], at))
                    break
    return found
