"""A part of a board seen closely: the same scene, its board looked at through a window."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from games.engine import grid
from games.engine.scene import Grid, Scene


def region(scene: Scene, places: Iterable[str]) -> Scene:
    """Return the scene with only the smallest rectangle that has all of `places`.

    Coordinates stay what they are; what lies or happens outside isn't shown. Raises ValueError for a board
    that is not of squares, for no places, and for one that isn't on the board.
    """
    board = scene.board
    if not isinstance(board, Grid):
        raise ValueError("only a board of squares is looked at in part")
    wanted = list(places)
    if not wanted:
        raise ValueError("a region needs a place")
    whole = frozenset(grid.squares(board.files, board.ranks, board.missing))
    if nowhere := set(wanted) - whole:
        raise ValueError(f"a region with a place off the board: {min(nowhere)}")
    files, ranks = zip(*map(grid.coordinates, wanted), strict=True)
    window = (grid.name(min(files), min(ranks)), grid.name(max(files), max(ranks)))
    part = replace(board, window=window)
    seen = part.places
    return replace(
        scene,
        board=part,
        tokens=tuple(token for token in scene.tokens if token.at in seen),
        marks=tuple(mark for mark in scene.marks if mark.at in seen),
    )
