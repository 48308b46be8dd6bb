"""A part of a board seen closely: the same scene, its board looked at through a window."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from games.engine import grid
from games.engine.scene import Grid, Scene


def region(scene: Scene, places: Iterable[str]) -> Scene:
    """Return the scene with only the smallest rectangle that has all of `places`.

    Coordinates stay what they are; what lies or happens outside isn't shown, but a flag moves into the part
    of its zone that is seen, for it is about all of it. Raises ValueError for a board that is not of squares,
    for no places, and for one that isn't on the board.
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
        marks=tuple(
            mark if mark.at in seen else replace(mark, at=spot)
            for mark in scene.marks
            if mark.at in seen or (mark.kind == "flag" and (spot := _flag_spot(scene, part, mark.at)))
        ),
    )


def _flag_spot(scene: Scene, part: Grid, at: str) -> str:
    """Return where the flag of a zone is planted in the part of it that is seen; nothing if none is.

    A place is best where nothing lies and no line goes.
    """
    taken = {token.at for token in scene.tokens} | part.forts
    lined = {end for edge in part.edges for end in edge}
    spots = (place for zone in part.zones if at in zone.places for place in zone.places & part.places)
    return min(spots, key=lambda place: (place in taken, place in lined, place), default="")
