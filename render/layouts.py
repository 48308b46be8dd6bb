"""The layout of whatever board a scene has, kept: boards are few."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from games.engine.scene import Board, Grid, Hexes, Lines, Map
from render import geometry_grid, geometry_hex, geometry_lines, geometry_map
from render.geometry import FULL_UNIT, Layout

LayoutKey: TypeAlias = Grid | Hexes | Map | int
"""A board without its names, which are words and may change during a match: of lines, the length is left."""


def layout_key(board: Board) -> LayoutKey:
    """Return what decides where the places of a board lie."""
    if isinstance(board, Map) and board.ground is not None:
        return replace(board, ground=None)
    return board.length if isinstance(board, Lines) else board


def layout(board: Board, turns: int, unit: int = FULL_UNIT) -> Layout:
    """Lay out a board as seen after its quarter turns. Raises ValueError as the file of its kind says."""
    return _layout(layout_key(board), turns, unit)


@lru_cache(maxsize=64)
def _layout(board: LayoutKey, turns: int, unit: int) -> Layout:
    if isinstance(board, Grid):
        return geometry_grid.layout(board, turns, unit)
    if isinstance(board, Hexes):
        return geometry_hex.layout(board, turns, unit)
    if isinstance(board, Map):
        return geometry_map.layout(board, turns, unit)
    return geometry_lines.layout(board, turns, unit)
