"""A match as an animated GIF: each frame stores only the pixels that changed, all in one palette.

Frames are drawn, compared with the previous one and written one at a time, so that a long match needs memory
for two pictures only. Long matches are drawn smaller, to stay well below Discord's upload limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from itertools import chain
from struct import pack

from PIL import GifImagePlugin, Image, ImageChops

from games.engine.scene import Scene
from render.board_kind import Say
from render.geometry import FULL_UNIT
from render.palette import MAX_COLOURS, colours
from render.picture import picture
from render.themes import palette_key

HOLD = 3000
"""How long the last frame is shown, in milliseconds."""

MIN_FRAME = 20
"""Minimum duration of a frame, in milliseconds; viewers slow down shorter ones."""

_TABLE_SIZE = 128
"""Entries of the colour table: a power of two above `MAX_COLOURS`, so that one is left for transparency."""

_TRANSPARENT = MAX_COLOURS
_MAP_TABLE_SIZE, _MAP_TRANSPARENT = 256, 255
"""The same for a map whose picture adds its own colours."""
_LOOPS = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_UNCHANGED = [255] + [0] * 255


def unit_for(frames: int) -> int:
    """Return the size of a cell, in pixels, for a match of this many frames."""
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
    out = BytesIO()
    before: Image.Image | None = None
    waiting: tuple[Image.Image, tuple[int, int]] | None = None
    shown, clear = 0, _TRANSPARENT
    for number, scene in enumerate(frames):
        now = picture(scene, say, theme, unit=unit)
        if before is None:
            own = colours(palette_key(theme, scene.board))
            found = tuple(now.getpalette("RGB") or ())
            extended = len(found) > 3 * MAX_COLOURS
            table, clear = (_MAP_TABLE_SIZE, _MAP_TRANSPARENT) if extended else (_TABLE_SIZE, _TRANSPARENT)
            out.write(_header(now.size, bytes(found) if extended else bytes(chain(*own)), table))
            if len(frames) > 1:
                out.write(_LOOPS)
            part: tuple[Image.Image, tuple[int, int]] | None = (now, (0, 0))
        else:
            if now.size != before.size:
                raise ValueError(f"scene {number} has another size than the ones before it")
            part = _changed(before, now, clear)
        if part is not None:
            _write_frame(out, waiting, shown, clear)
            waiting, shown = part, 0
        shown += HOLD if number == len(frames) - 1 else milliseconds
        before = now
    _write_frame(out, waiting, shown, clear)
    out.write(b"\x3b")
    return out.getvalue()


def _header(size: tuple[int, int], palette: bytes, entries: int) -> bytes:
    """Return signature, screen descriptor and colour table. Source: GIF89a, sections 17 to 19."""
    bits = entries.bit_length() - 2
    return b"GIF89a" + pack("<HHBBB", *size, 0xF0 | bits, 0, 0) + palette.ljust(3 * entries, b"\0")


def _changed(before: Image.Image, now: Image.Image, clear: int) -> tuple[Image.Image, tuple[int, int]] | None:
    """Return the part of `now` that changed, its other pixels transparent, and its position; else None."""
    change = ImageChops.difference(_as_greys(before), _as_greys(now))
    box = change.getbbox()
    if box is None:
        return None
    part = now.crop(box)
    part.paste(clear, (0, 0), change.crop(box).point(_UNCHANGED))
    return part, (box[0], box[1])


def _as_greys(image: Image.Image) -> Image.Image:
    """Return palette indices as grey levels, on which Pillow can calculate."""
    return Image.frombytes("L", image.size, image.tobytes())


def _write_frame(
    out: BytesIO, part: tuple[Image.Image, tuple[int, int]] | None, milliseconds: int, clear: int
) -> None:
    if part is None:
        return
    image, offset = part
    out.writelines(
        GifImagePlugin.getdata(image, offset, transparency=clear, duration=milliseconds, disposal=1)
    )
