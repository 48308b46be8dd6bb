"""A slow reference implementation of the moves of Dominion, written literally from the text of the rules.

It shares only the letters of the pieces and the names of the squares with the game.
"""

from __future__ import annotations

FILES = "abcdefghijklm"
STRAIGHT = [(0, 1), (0, -1), (1, 0), (-1, 0)]
SLANTED = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
Board = dict[str, str]
"""Pieces by square: `1S` a Soldier of seat 1, `p` a free Peasant."""
FORTS = {"S": "e2 g2 i2", "N": "e12 g12 i12", "E": "l5 l7 l9", "W": "b5 b7 b9"}


def go(square: str, dx: int, dy: int) -> str | None:
    file, rank = FILES.index(square[0]) + dx, int(square[1:]) + dy
    return f"{FILES[file]}{rank}" if 0 <= file < 13 and 1 <= rank <= 13 else None


def land(square: str) -> str | None:
    file, rank = FILES.index(square[0]), int(square[1:])
    if 3 <= file <= 9:
        return "S" if rank <= 3 else "N" if rank >= 11 else None
    if 4 <= rank <= 10:
        return "W" if file <= 2 else "E"
    return None


def controls(board: Board, seat: str, side: str) -> bool:
    held = [board.get(fort, "") for fort in FORTS[side].split()]
    return sum(there[:1] == seat and there[1] != "p" for there in held if there) >= 2


def line(a: str, b: str) -> bool:
    """Return whether a diagonal step is along a line: one of its ends is a stronghold."""
    forts = " ".join(FORTS.values()).split()
    return a in forts or b in forts


def targets(board: Board, camps: dict[str, str], src: str) -> set[str]:
    seat, kind = board[src][0], board[src][1]
    found: set[str] = set()

    def friend(square: str) -> bool:
        there = board.get(square, "")
        return there[:1] in camps and camps[there[0]] == camps[seat]

    def foe(square: str) -> bool:
        return square in board and not friend(square)

    def walk(steps: list[tuple[int, int]], most: int, strike: bool) -> None:
        for dx, dy in steps:
            at: str | None = src
            for _ in range(most):
                at = go(at, dx, dy) if at else None
                if at is None:
                    break
                if at not in board:
                    found.add(at)
                elif strike and foe(at):
                    found.add(at)
                    break
                else:
                    if kind == "R" and board[at] == f"{seat}S":
                        found.add(at)
                    break

    def slash() -> None:
        found.update(at for dx, dy in SLANTED if (at := go(src, dx, dy)) and foe(at))

    if kind == "E":
        walk(STRAIGHT + SLANTED, 1, True)
    elif kind == "P":
        walk(STRAIGHT + SLANTED, 13, True)
    elif kind == "G":
        walk(STRAIGHT, 13, True)
    elif kind == "A":
        walk(SLANTED, 13, True)
    elif kind == "W":
        for dx in (-2, -1, 1, 2):
            for dy in (3 - abs(dx), abs(dx) - 3):
                at = go(src, dx, dy)
                if at and not friend(at):
                    found.add(at)
    elif kind == "X":
        walk(STRAIGHT, 13, False)
        for dx, dy in STRAIGHT:
            for far in range(2, 13):
                at = go(src, dx * far, dy * far)
                between = [go(src, dx * n, dy * n) for n in range(1, far)]
                if at and foe(at) and sum(each in board for each in between) == 1:
                    found.add(at)
    elif kind == "R":
        walk(STRAIGHT, 2, False)
        walk(SLANTED, 1, True)
    elif kind == "S":
        walk(STRAIGHT, 1, False)
        slash()
        for dx, dy in SLANTED:
            at, side = go(src, dx, dy), land(src)
            if at and side and land(at) == side and line(src, at) and controls(board, seat, side):
                found.update({at} - set(board))
    elif kind == "p":
        walk(STRAIGHT, 1, False)
    return found


def moves(board: Board, camps: dict[str, str], seat: str) -> set[str]:
    """Return every move of a seat in its wire form."""
    return {
        f"{src}-{dst}"
        for src, there in board.items()
        if len(there) == 2 and there[0] == seat
        for dst in targets(board, camps, src)
    }
