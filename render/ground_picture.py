"""A picture in few colours, and the lights and darks of its areas: within a budget of bytes, whatever it is.

The colours are chosen from a small copy, and nothing is dithered: runs of one colour compress.
"""

from __future__ import annotations

from collections.abc import Iterable

from isal import isal_zlib
from PIL import Image

from render import ground_mask
from render.colour import RGB
from render.ground_mask import Box

STEPS = 3
"""Tones lighter than the one an area mostly has, and as many darker ones."""
_STEP = 30
"""Greys from one tone to the next."""
_BUDGET = 70_000
"""Bytes, quickly compressed, that the picture may take, and so the tones of all areas."""
_LADDER = ((64, 1), (40, 1), (24, 2), (16, 3), (12, 6), (8, 12))
"""Colours, and how many times smaller what can still be told apart, from the finest to the coarsest."""
_COARSE = 24
"""Pixels of the blocks that are left of what is too busy for the ladder."""
_SAMPLE = 240
"""Pixels each way of the copy from which the colours of a picture are chosen."""


def fitting(seen: Image.Image, whose: Image.Image | None) -> tuple[Image.Image, Image.Image | None]:
    """Return a picture in as many colours as the budget allows, and the tones of its areas if it has any."""
    areas = () if whose is None else tuple(ground_mask.places(whose))
    for number, times in _LADDER:
        smooth = _smooth(seen, times)
        found = _quantized(smooth, number)
        tones = None if whose is None else _tones(smooth, whose, areas)
        if _size(found) <= _BUDGET and (tones is None or _size(tones) <= _BUDGET):
            return found, tones
    return _quantized(_blocks(seen), _LADDER[-1][0]), None


def _smooth(image: Image.Image, times: int) -> Image.Image:
    """Return an image without what is finer than so many pixels."""
    if times == 1:
        return image
    small = image.resize((max(1, image.width // times), max(1, image.height // times)), Image.Resampling.BOX)
    return small.resize(image.size, Image.Resampling.BILINEAR)


def _blocks(image: Image.Image) -> Image.Image:
    small = image.resize((max(1, image.width // _COARSE), max(1, image.height // _COARSE)))
    return small.resize(image.size, Image.Resampling.NEAREST)


def _quantized(image: Image.Image, number: int) -> Image.Image:
    """Return an image in so many colours, chosen from a small copy of it."""
    few = image.copy()
    few.thumbnail((_SAMPLE, _SAMPLE), Image.Resampling.NEAREST)
    sample = few.quantize(number, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    return image.quantize(palette=sample, dither=Image.Dither.NONE)


def _size(image: Image.Image) -> int:
    return len(isal_zlib.compress(image.tobytes(), 1))


def shifted(image: Image.Image, before: int) -> tuple[Image.Image, tuple[RGB, ...]]:
    """Return a palette image whose places begin at `before`, and its colours."""
    flat = image.getpalette("RGB") or []
    used = max(image.tobytes(), default=0) + 1
    extra = tuple((flat[at], flat[at + 1], flat[at + 2]) for at in range(0, 3 * used, 3))
    table = bytes(min(255, value + before) for value in range(256))
    return Image.frombytes("P", image.size, image.tobytes().translate(table)), extra


def _tones(image: Image.Image, numbers: Image.Image, areas: Iterable[tuple[int, Box]]) -> Image.Image:
    """Return how much lighter or darker each pixel is than its area mostly is, in steps."""
    grey = image.convert("L")
    tones = Image.new("L", numbers.size, STEPS)
    for number, box in areas:
        mask = numbers.crop(box).point([255 if value == number else 0 for value in range(256)])
        part = grey.crop(box)
        middle = _median(part.histogram(mask))
        table = [min(2 * STEPS, max(0, round((value - middle) / _STEP) + STEPS)) for value in range(256)]
        tones.paste(part.point(table), box[:2], mask)
    return tones


def _median(counts: list[int]) -> int:
    half, seen = sum(counts) / 2, 0
    for value, count in enumerate(counts):
        seen += count
        if seen >= half:
            return value
    return 0
