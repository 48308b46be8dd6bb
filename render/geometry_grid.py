"""Squares: files and ranks, coordinates left and below, the column of seats to the right."""

from __future__ import annotations

from types import MappingProxyType

from games.engine.scene import Grid
from render.geometry import Box, Label, Layout, column

_FILES = "abcdefghijklmnopqrstuvwxyz"


def rows_of(board: Grid, turns: int) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...], tuple[str, ...]]:
    """Return the places as seen after `turns` quarter turns clockwise, and the coordinates left and below.

    Places come row by row, top row first; missing ones are empty texts. Raises ValueError for a board without
    places, with more than 26 files, with a missing or special place that isn't there, or for other than 0 to
    3 turns.
    """
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
    nowhere = board.special - board.places
    if nowhere:
        raise ValueError(f"special, but not on the board: {min(nowhere)}")
    seen = tuple(tuple("" if name in board.missing else name for name in row) for row in rows)
    return seen, left, below


def layout(board: Grid, turns: int, unit: int) -> Layout:
    """Lay out a board of squares. Errors as `rows_of`."""
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
    labels += [Label(text, x + nth * cell + middle, foot) for nth, text in enumerate(below)]
    headline, seats = column(unit, x + inner.width + frame + round(unit * 0.14), height)
    return Layout(
        unit=unit,
        shape="square",
        cell=cell,
        high=cell,
        width=seats.x + seats.width + margin,
        height=height,
        board=Box(x, y, inner.width, inner.height),
        places=MappingProxyType(places),
        labels=tuple(labels),
        headline=headline,
        seats=seats,
        special=board.special,
    )
