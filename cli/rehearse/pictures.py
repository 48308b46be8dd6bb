"""A small picture to be posted, as plain as a PNG can be.

https://www.w3.org/TR/png-3/
"""

from __future__ import annotations

import struct
import zlib

ALT_TEXT = "A board of eight by five."


def picture(width: int, height: int) -> bytes:
    """Return a grey PNG of this many pixels."""
    rows = (b"\0" + b"\x80" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
