"""Where everything lies: the places of a board, its coordinates and the column of seats, in whole pixels.

Only this file knows how a board of a certain kind becomes places on a picture; the other files get boxes by
the names of places. The unit of measure is a cell of the board; what isn't board is measured in `unit`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from games.engine.scene import Board, Grid

FULL = 80
"""Pixels of `unit` at full size: an eight by eight board gives 922 x 698 pixels."""

_FILES = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels, y downwards."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Label:
    """A coordinate beside the board, centred on (x, y)."""

    text: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A board as seen after its quarter turns: every place's top left corner, all of size `cell`."""

    unit: int
    cell: int
    width: int
    height: int
    board: Box
    places: Mapping[str, tuple[int, int]]
    rows: tuple[tuple[str, ...], ...]
    """Names of all places row by row as seen, top row first; missing ones are empty texts."""
    left: tuple[str, ...]
    """Coordinates of the rows, top row first."""
    below: tuple[str, ...]
    """Coordinates of the columns, left column first."""
    labels: tuple[Label, ...]
    seats: Box


def rows_of(board: Board, turns: int) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...], tuple[str, ...]]:
    """Return the places as seen after `turns` quarter turns clockwise, and the coordinates left and below.

    Raises ValueError for a board without places, with more than 26 files, or for other than 0 to 3 turns.
    """
    if not isinstance(board, Grid):
        raise ValueError(f"no squares on a board of another kind: {type(board).__name__}")
    if not 1 <= board.files <= len(_FILES) or board.ranks < 1:
        raise ValueError(
            f"a board needs 1 to 26 files and at least a rank, not {board.files} x {board.ranks}"
        )
    if turns not in range(4):
        raise ValueError(f"a board is seen after 0 to 3 quarter turns, not {turns}")
    files = tuple(_FILES[: board.files])
    ranks = tuple(str(rank) for rank in range(board.ranks, 0, -1))
    rows = [[file + rank for file in files] for rank in ranks]
    left, below = ranks, files
    for _ in range(turns):
        rows = [list(column) for column in zip(*reversed(rows), strict=True)]
        left, below = below, left[::-1]
    unknown = board.missing.difference(*rows)
    if unknown:
        raise ValueError(f"missing from the board, but not on it: {min(unknown)}")
    seen = tuple(tuple("" if name in board.missing else name for name in row) for row in rows)
    return seen, left, below


@lru_cache(maxsize=64)
def layout(board: Board, turns: int, unit: int = FULL) -> Layout:
    """Lay out a board: coordinates to the left and below, seats to the right. Errors as `rows_of`."""
    rows, left, below = rows_of(board, turns)
    cell = max(unit // 3, min(unit, unit * 8 // max(len(rows), len(rows[0]))))
    frame, gutter, margin = round(unit * 0.12), round(unit * 0.38), round(unit * 0.1)
    inner = Box(0, 0, cell * len(rows[0]), cell * len(rows))
    height = max(inner.height, unit * 6) + 2 * frame + margin + gutter
    x = gutter + frame
    y = (height - gutter - inner.height + margin) // 2
    places = {
        name: (x + column * cell, y + row * cell)
        for row, names in enumerate(rows)
        for column, name in enumerate(names)
        if name
    }
    middle = cell // 2
    labels = [Label(text, gutter // 2 + 1, y + row * cell + middle) for row, text in enumerate(left)]
    foot = y + inner.height + frame + gutter // 2
    labels += [Label(text, x + column * cell + middle, foot) for column, text in enumerate(below)]
    seats_x = x + inner.width + frame + round(unit * 0.14)
    seats = Box(seats_x, margin, round(unit * 2.66), height - 2 * margin)
    return Layout(
        unit=unit,
        cell=cell,
        width=seats.x + seats.width + margin,
        height=height,
        board=Box(x, y, inner.width, inner.height),
        places=MappingProxyType(places),
        rows=rows,
        left=left,
        below=below,
        labels=tuple(labels),
        seats=seats,
    )
