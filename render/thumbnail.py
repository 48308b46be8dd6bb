"""Small copies of finished pictures."""

from __future__ import annotations

import io
from typing import Final

from PIL import Image

from render import png

WIDTH: Final = 400
"""The usual width of a small copy, in pixels: that of a phone."""
_COLOURS: Final = 128


def thumbnail(picture: bytes, width: int = WIDTH) -> bytes:
    """Return a picture as PNG of at most `width` pixels in width, in its proportions.

    Raises ValueError for a width below one, and Pillow's errors for what isn't a picture.
    """
    if width < 1:
        raise ValueError(f"a picture can't be {width} pixels wide")
    with Image.open(io.BytesIO(picture)) as opened:
        image = opened.convert("RGB")
    if image.width > width:
        high = max(1, round(image.height * width / image.width))
        image = image.resize((width, high), Image.Resampling.LANCZOS)
    return png.encode(image.quantize(_COLOURS, dither=Image.Dither.NONE))
