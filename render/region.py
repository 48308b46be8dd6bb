"""A part of a board: the same scene, with its board limited to a window.

Of squares the window is a rectangle, of a map one around whole areas, such as those of a continent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from games.engine import grid
from games.engine.scene import Grid, Map, Scene, Spot


def region(scene: Scene, places: Iterable[str]) -> Scene:
    """Return the scene cut to the smallest window that has all of `places`.

    Coordinates don't change. Tokens and marks outside are dropped, but a flag moves into the visible part of
    its zone, because it is about all of it. Raises ValueError for a board that is neither squares nor a map,
    for no places, and for a place that isn't on the board.
    """
    board = scene.board
    if not isinstance(board, Grid | Map):
        raise ValueError("only a board of squares or a map has regions")
    wanted = list(places)
    if not wanted:
        raise ValueError("a region needs a place")
    if isinstance(board, Map):
        return _map_region(scene, board, frozenset(wanted))
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


_MARGIN, _MIN_SHARE, _GROWTH = 0.06, 0.34, 1.06
"""Margin around the areas and minimum size of a region, as shares of the map; and the factor by which it
grows until all armies on its areas are visible."""


def _map_region(scene: Scene, board: Map, wanted: frozenset[str]) -> Scene:
    """Return the scene cut to a window around whole areas, in the proportions of the map."""
    if nowhere := wanted - {area.name for area in board.areas}:
        raise ValueError(f"a region with a place off the board: {min(nowhere)}")
    wide, high = map(float, board.size)
    spots: list[Spot] = []
    for area in board.areas:
        if area.name in wanted:
            spots += (area.at, *(spot for outline in area.outlines for spot in outline))
    (left, right), (top, bottom) = ((min(line), max(line)) for line in zip(*spots, strict=True))
    scale = max(_MIN_SHARE, (right - left) / wide + _MARGIN, (bottom - top) / high + _MARGIN)
    part = replace(board, window=None)
    while scale < 1:
        x = min(max(0.0, (left + right - wide * scale) / 2), wide * (1 - scale))
        y = min(max(0.0, (top + bottom - high * scale) / 2), high * (1 - scale))
        near = replace(board, window=(x, y, x + wide * scale, y + high * scale))
        if wanted <= near.places:
            part = near
            break
        scale *= _GROWTH
    seen = part.places
    return replace(
        scene,
        board=part,
        tokens=tuple(token for token in scene.tokens if token.at in seen),
        marks=tuple(mark for mark in scene.marks if mark.at in seen and (not mark.to or mark.to in seen)),
    )


def _flag_spot(scene: Scene, part: Grid, at: str) -> str:
    """Return the place for a zone's flag in the visible part of the zone; an empty string if there is none.

    Places without a piece come first, then those without a line.
    """
    taken = {token.at for token in scene.tokens} | part.forts
    lined = {end for edge in part.edges for end in edge}
    spots = (place for zone in part.zones if at in zone.places for place in zone.places & part.places)
    return min(spots, key=lambda place: (place in taken, place in lined, place), default="")
