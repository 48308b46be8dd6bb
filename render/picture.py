"""A scene becomes a picture: a copy of the background, a tile for each place in use, the column of seats.

Nothing here is drawn anew when it was drawn before, and nothing is quantised: the picture is a matrix of
palette indices from the first step to the encoder.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from PIL import Image

from games.engine.message import Msg
from games.engine.scene import MarkKind, Scene
from render.background import background
from render.geometry import FULL, Layout, layout
from render.panels import column
from render.piles import marks_at, piles
from render.png import encode
from render.tiles import Tile, signs_of, tile

Say: TypeAlias = Callable[[Msg], str]
"""Turn a message into a sentence in the reader's language."""


def _way(scene: Scene, plan: Layout) -> tuple[int, int]:
    """Return the direction of the one move that the marks tell of, as seen; (0, 0) if there isn't one."""
    left = {mark.at for mark in scene.marks if mark.kind == "from"}
    reached = {mark.at for mark in scene.marks if mark.kind == "to"}
    if len(left) != 1 or len(reached) != 1:
        return 0, 0
    (x0, y0), (x1, y1) = plan.places[left.pop()], plan.places[reached.pop()]
    return (x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)


def picture(scene: Scene, say: Say, theme: str, *, final: bool = False, unit: int = FULL) -> Image.Image:
    """Return the picture of a scene in the palette of `theme`; `unit` is the size of a cell in pixels.

    Raises ValueError, naming it, for a token or mark off the board, two tokens in one spot, an unknown theme.
    """
    plan = layout(scene.board, scene.turns, unit)
    marks = marks_at(scene)
    stacks = piles(scene)
    way = _way(scene, plan)
    signs = signs_of(scene.glyphs, (token.glyph for token in scene.tokens))
    image = background(scene.board, scene.turns, unit, theme).copy()
    for name in stacks.keys() | marks.keys():
        discs = tuple((signs[token.glyph], token.ink) for token in stacks.get(name, ()))
        kinds: frozenset[MarkKind] = marks.get(name, frozenset())
        what = Tile(
            theme=theme,
            cell=plan.cell,
            discs=discs,
            marks=kinds,
            towards=way if "from" in kinds else (0, 0),
        )
        image.paste(tile(what), plan.places[name])
    for part, spot in column(scene, say, plan.seats, unit, theme, final=final):
        image.paste(part, spot)
    return image


def draw(scene: Scene, say: Say, *, theme: str = "classic", final: bool = False) -> bytes:
    """Return a scene as PNG; equal scenes in one language give equal bytes.

    `final` is for the picture of an end: the winners' cards get a broad frame, and nobody is shown to act.
    Raises ValueError as `picture`.
    """
    return encode(picture(scene, say, theme, final=final))
