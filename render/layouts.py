"""The layout of whatever board a scene has, kept: boards are few."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import assert_never

from games.engine.message import Msg
from games.engine.scene import Board, Grid, Hexes, Lines
from render import geometry_grid, geometry_hex, geometry_lines
from render.geometry import FULL, Layout

_NOTHING = Msg("")


def bare(board: Board) -> Board:
    """Return the board without its names, which are words and may change during a match."""
    return replace(board, gap=_NOTHING, labels=()) if isinstance(board, Lines) else board


def layout(board: Board, turns: int, unit: int = FULL) -> Layout:
    """Lay out a board as seen after its quarter turns. Raises ValueError as the file of its kind says."""
    return _layout(bare(board), turns, unit)


@lru_cache(maxsize=64)
def _layout(board: Board, turns: int, unit: int) -> Layout:
    if isinstance(board, Grid):
        return geometry_grid.layout(board, turns, unit)
    if isinstance(board, Hexes):
        return geometry_hex.layout(board, turns, unit)
    if isinstance(board, Lines):
        return geometry_lines.layout(board, turns, unit)
    assert_never(board)
