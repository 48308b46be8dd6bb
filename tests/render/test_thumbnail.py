"""Small copies of pictures keep their proportions, and never grow."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from render import thumbnail


def picture(wide: int, high: int) -> bytes:
    """A picture as PNG."""
    out = io.BytesIO()
    Image.new("RGB", (wide, high), "teal").save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize(
    ("size", "wanted"), [((800, 600), (400, 300)), ((300, 900), (300, 900)), ((4000, 1), (400, 1))]
)
def test_it_fits(size: tuple[int, int], wanted: tuple[int, int]) -> None:
    with Image.open(io.BytesIO(thumbnail(picture(*size)))) as small:
        assert small.size == wanted
        assert small.convert("RGB").getpixel((0, 0)) == (0, 128, 128)


def test_a_width_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="wide"):
        thumbnail(picture(10, 10), 0)
