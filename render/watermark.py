"""A striped frame with a word on top, around pictures that don't show the real board."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from render import fonts
from render.palette import to_palette
from render.themes import theme_of

_STRIPE = 14
"""Width of a stripe along the frame, dark or light, in pixels."""
_FRAME = 12
"""Width of the frame, in pixels."""
_BANNER = 56
"""Height of the banner with the word, in pixels."""
_LETTERS = 34
"""Font size of the word, in pixels."""


def add_frame(image: Image.Image, word: str, theme: str) -> Image.Image:
    """Return a picture in the palette of `theme` with a frame around it, which covers nothing."""
    width, height = image.size
    whole = _frame((width + 2 * _FRAME, height + _BANNER + _FRAME), word, theme).copy()
    whole.paste(image, (_FRAME, _BANNER))
    return whole


@lru_cache(maxsize=8)
def _frame(size: tuple[int, int], word: str, theme: str) -> Image.Image:
    width, height = size
    inks = theme_of(theme).inks
    frame = Image.new("RGB", size, inks["paper"])
    pen = ImageDraw.Draw(frame)
    for x in range(-height, width, 2 * _STRIPE):
        stripe = [(x, height), (x + _STRIPE, height), (x + _STRIPE + height, 0), (x + height, 0)]
        pen.polygon(stripe, inks["text"])
    pen.rectangle((_FRAME, _FRAME // 2, width - _FRAME - 1, _BANNER - 1), inks["text"])
    text, points = fonts.fit(word, width - 4 * _FRAME, _LETTERS, min_size=10, bold=True)
    fonts.write(frame, (width / 2, _BANNER / 2 + 2), text, points, inks["paper"], bold=True, anchor="mm")
    return to_palette(frame, theme)
