"""The kinds of boards: the one place of the bot that tells them apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.messages.crop import Parts, Rectangles, Regions
from bot.messages.geography import Areas, DiceLines, Geography, Hexagons, Squares
from games.engine.message import Msg
from games.engine.scene import Board, Grid, Hexes, Lines, Map, Scene
from render import region

_KINDS: Final[Mapping[type[Board], tuple[type[Geography[Any]], type[Parts[Any]]]]] = {
    Grid: (Squares, Rectangles),
    Hexes: (Hexagons, Parts),
    Lines: (DiceLines, Parts),
    Map: (Areas, Regions),
}


def geography_of(scene: Scene, say: Callable[[Msg], str]) -> Geography[Any]:
    """Return the geography of a scene's board."""
    return _KINDS[type(scene.board)][0](scene.board, scene, say)


def parts_of(board: Board) -> Parts[Any]:
    """Return the parts of a board."""
    return _KINDS[type(board)][1](board)


def crop_scene(scene: Scene, part: str) -> Scene:
    """Return the scene with only a part of its board; unchanged if there is no such part."""
    places = parts_of(scene.board).places(part)
    return region(scene, places) if places else scene
