"""The layout of a board of any kind, cached by what decides it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from games.engine.scene import Board, Grid, Hexes, Lines, Map
from render import geometry_grid, geometry_hex, geometry_lines, geometry_map
from render.geometry import FULL_UNIT, Layout

LayoutKey: TypeAlias = Grid | Hexes | Map | int
"""What decides a layout: a board without words and artwork, which may change; of Lines, only the length."""


def layout_key(board: Board) -> LayoutKey:
    """Return what decides where the places of a board lie, as a cache key."""
    if isinstance(board, Map) and board.ground is not None:
        return replace(board, ground=None)
    return board.length if isinstance(board, Lines) else board


def without_bytes(board: Map) -> Map:
    """Return an equal map that holds no bytes, for use as a cache key."""
    ground = board.ground
    return board if ground is None else replace(board, ground=replace(ground, picture=b"", mask=b""))


def layout(board: Board, turns: int, unit: int = FULL_UNIT) -> Layout:
    """Return the layout of a board after its quarter turns. Raises ValueError as that of its kind does."""
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
