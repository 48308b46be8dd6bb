"""Files that people send, made here: archives and pictures, good ones and hostile ones."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import Any

from PIL import Image

from atlases import Upload
from tests.games.domination.mapfiles import SMALL

SIZE = (180, 120)


def drawn(kind: str = "PNG", size: tuple[int, int] = SIZE, mode: str = "RGB", **options: Any) -> bytes:
    """A picture with a little to see."""
    image = Image.new(mode, size, "teal" if mode == "RGB" else 0)
    image.paste("orange" if mode == "RGB" else 1, (10, 10, size[0] // 2, size[1] // 2))
    return encoded(image, kind, **options)


def encoded(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    with io.BytesIO() as out:
        image.save(out, kind, **options)
        return out.getvalue()


def mask_image() -> Image.Image:
    """The mask of the small map: six fields around their armies."""
    image = Image.new("L", SIZE, 255)
    for number in range(6):
        x, y = 40 + 50 * (number % 3), 30 + 60 * (number // 3)
        image.paste(number + 1, (x - 20, y - 20, x + 20, y + 20))
    return image


def palette_mask() -> Image.Image:
    """The same mask with a palette of greys that are not in order."""
    image = mask_image()
    values = sorted(value for value, count in enumerate(image.histogram()) if count)[::-1]
    indices = [values.index(value) if value in values else 0 for value in range(256)]
    found = image.point(indices)
    found.putpalette([grey for value in values for grey in (value, value, value)])
    return found


def small_files() -> dict[str, bytes]:
    """The small map with all that belongs to it."""
    return {
        **{name: text.encode("latin-1") for name, text in SMALL.items()},
        "two_lakes.png": drawn(),
        "two_lakes_mask.gif": encoded(mask_image(), "GIF"),
    }


def uploads(files: dict[str, bytes]) -> list[Upload]:
    return [Upload(name, data) for name, data in files.items()]


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    with io.BytesIO() as out:
        with zipfile.ZipFile(out, "w", method) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return out.getvalue()


def forged(width: int, height: int) -> bytes:
    """A PNG whose header promises a size that its few bytes can't hold."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * 1000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
