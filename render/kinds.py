"""The kinds of boards: the one place of `render` that distinguishes them, and what can be asked of all."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from games.engine.scene import Board, Grid, Hexes, Lines, Map, Scene
from render.board_kind import BoardKind
from render.geometry import FULL_UNIT, Layout
from render.kind_grid import GridKind
from render.kind_hex import HexKind
from render.kind_lines import LinesKind
from render.kind_map import MapKind
from render.thread_safe_cache import Cache

_KINDS: Final[Mapping[type[Board], BoardKind[Any]]] = {
    Grid: GridKind(),
    Hexes: HexKind(),
    Lines: LinesKind(),
    Map: MapKind(),
}
_layouts: Cache[tuple[type[Board], Hashable, int, int], Layout] = Cache(64)


def kind_of(board: Board) -> BoardKind[Any]:
    """Return the kind of a board."""
    return _KINDS[type(board)]


def layout(board: Board, turns: int, unit: int = FULL_UNIT) -> Layout:
    """Return the layout of a board after its quarter turns. Raises ValueError as that of its kind does."""
    kind = kind_of(board)
    key = (type(board), kind.layout_key(board), turns, unit)
    return _layouts.get(key, lambda: kind.layout(board, turns, unit))


def legend(board: Board) -> str:
    """Return what the numbers on a picture mean, `12 = Kamchatka (kam)`; an empty string if it shows none."""
    return kind_of(board).legend(board)


def region(scene: Scene, places: Iterable[str]) -> Scene:
    """Return the scene cut to the smallest window that has all of `places`.

    Coordinates don't change. Tokens and marks outside are dropped, but a flag moves into the visible part of
    its zone, because it is about all of it. Raises ValueError for a board that is neither squares nor a map,
    for no places, and for a place that isn't on the board.
    """
    wanted, kind = frozenset(places), kind_of(scene.board)
    if not wanted:
        raise ValueError("a region needs a place")
    part = kind.window(scene.board, wanted)
    seen = part.places
    return replace(
        scene,
        board=part,
        tokens=tuple(token for token in scene.tokens if token.at in seen),
        marks=tuple(
            mark if mark.at in seen else replace(mark, at=spot)
            for mark in scene.marks
            if (mark.at in seen and (not mark.to or mark.to in seen))
            or (mark.kind == "flag" and (spot := kind.flag_spot(scene, part, mark.at)))
        ),
    )
