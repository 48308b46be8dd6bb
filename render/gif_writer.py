"""Write palette images as an animated GIF: frames store the pixels that changed, all in one palette.

Images are compared with the previous one and written one at a time, so that a long animation needs memory for
two of them only.

The format is GIF89a: header, colour table, a loop extension, frames with a transparent colour, trailer.
"""

from __future__ import annotations

from io import BytesIO
from itertools import chain
from struct import pack
from typing import Final

from PIL import GifImagePlugin, Image, ImageChops

from render.themes import MAX_COLOURS, colours

MIN_FRAME: Final = 20
"""Minimum duration of a frame, in milliseconds; viewers slow down shorter ones."""

_TABLE_SIZE: Final = 128
"""Entries of the colour table: a power of two above `MAX_COLOURS`, so that one is left for transparency."""
_TRANSPARENT: Final = MAX_COLOURS
_MAP_TABLE_SIZE, _MAP_TRANSPARENT = 256, 255
"""The same for a map whose picture adds its own colours."""
_LOOPS: Final = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_UNCHANGED: Final = [255] + [0] * 255


class GifWriter:
    """Collects the frames of one animation, in a palette of `render.themes` or one that extends it."""

    def __init__(self, palette: str, *, loops: bool) -> None:
        """`palette` is the key of the palette; `loops` is whether the animation begins again at its end."""
        self._palette = palette
        self._loops = loops
        self._out = BytesIO()
        self._before: Image.Image | None = None
        self._waiting: tuple[Image.Image, tuple[int, int]] | None = None
        """The latest frame, which is written once it is known for how long it is shown."""
        self._shown = 0
        self._clear = _TRANSPARENT

    @property
    def size(self) -> int:
        """Number of bytes written so far."""
        return self._out.tell()

    def add(self, image: Image.Image, milliseconds: int) -> None:
        """Show an image next; one that looks like the previous image prolongs its frame.

        Raises ValueError for another size than that of the first image.
        """
        grey = _as_grey(image)
        part: tuple[Image.Image, tuple[int, int]] | None
        if self._before is None:
            self._begin(image)
            part = (image, (0, 0))
        elif grey.size != self._before.size:
            raise ValueError(f"a frame has the size {grey.size}, those before it {self._before.size}")
        else:
            part = _changed(image, ImageChops.difference(self._before, grey), self._clear)
        if part is not None:
            self._write_waiting()
            self._waiting, self._shown = part, 0
        self._shown += milliseconds
        self._before = grey

    def finish(self) -> bytes:
        """Return the whole file. Raises ValueError if it has no frame."""
        if self._before is None:
            raise ValueError("an animation needs a frame")
        self._write_waiting()
        self._waiting = None
        return self._out.getvalue() + b"\x3b"

    def _begin(self, image: Image.Image) -> None:
        found = tuple(image.getpalette("RGB") or ())
        extended = len(found) > 3 * MAX_COLOURS
        table, self._clear = (_MAP_TABLE_SIZE, _MAP_TRANSPARENT) if extended else (_TABLE_SIZE, _TRANSPARENT)
        own = bytes(found) if extended else bytes(chain(*colours(self._palette)))
        self._out.write(_header(image.size, own, table))
        if self._loops:
            self._out.write(_LOOPS)

    def _write_waiting(self) -> None:
        if self._waiting is None:
            return
        image, offset = self._waiting
        self._out.writelines(
            GifImagePlugin.getdata(image, offset, transparency=self._clear, duration=self._shown, disposal=1)
        )


def _header(size: tuple[int, int], palette: bytes, entries: int) -> bytes:
    """Return signature, screen descriptor and colour table. Source: GIF89a, sections 17 to 19."""
    bits = entries.bit_length() - 2
    return b"GIF89a" + pack("<HHBBB", *size, 0xF0 | bits, 0, 0) + palette.ljust(3 * entries, b"\0")


def _changed(now: Image.Image, change: Image.Image, clear: int) -> tuple[Image.Image, tuple[int, int]] | None:
    """Return the part of `now` that changed, its other pixels transparent, and its position; else None."""
    box = change.getbbox()
    if box is None:
        return None
    part = now.crop(box)
    part.paste(clear, (0, 0), change.crop(box).point(_UNCHANGED))
    return part, (box[0], box[1])


def _as_grey(image: Image.Image) -> Image.Image:
    """Return palette indices as grey levels, on which Pillow can calculate."""
    return Image.frombuffer("L", image.size, image.tobytes(), "raw", "L", 0, 1)
