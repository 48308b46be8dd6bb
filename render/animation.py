"""A few positions of a match as an animated GIF, all shown for the same time."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.scene import Scene
from render.board_kind import Say
from render.geometry import FULL_UNIT
from render.gif_writer import MIN_FRAME, GifWriter
from render.picture import picture
from render.themes import palette_key

HOLD = 3000
"""How long the last frame is shown, in milliseconds."""


def unit_for(frames: int) -> int:
    """Return the size of a cell, in pixels, for this many frames: long animations are drawn smaller."""
    return FULL_UNIT if frames <= 80 else FULL_UNIT * 3 // 4 if frames <= 160 else FULL_UNIT // 2


def animate(frames: Sequence[Scene], say: Say, *, theme: str = "classic", milliseconds: int = 900) -> bytes:
    """Return scenes of one board as an animated GIF that loops.

    Each scene is shown for `milliseconds`, the last for `HOLD`; a scene that looks like the previous one
    prolongs its frame. Raises ValueError for no scenes, pictures of different sizes, `milliseconds` below
    `MIN_FRAME`, and as `picture` does.
    """
    if not frames:
        raise ValueError("an animation needs a scene")
    if milliseconds < MIN_FRAME:
        raise ValueError(f"a frame lasts at least {MIN_FRAME} ms, not {milliseconds}")
    unit = unit_for(len(frames))
    gif = GifWriter(palette_key(theme, frames[0].board), loops=len(frames) > 1)
    for number, scene in enumerate(frames):
        gif.add(picture(scene, say, theme, unit=unit), HOLD if number == len(frames) - 1 else milliseconds)
    return gif.finish()
