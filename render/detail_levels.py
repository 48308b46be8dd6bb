"""A picture in few colours, and the lights and darks of its areas: in levels, the finest first.

The colours are chosen from a small copy, those that fill a good part of it as they are. Nothing is dithered,
for runs of one colour compress, and specks are outvoted by their neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from PIL import Image, ImageFilter

from render import area_mask
from render.area_mask import PixelBox
from render.colour import RGB

TONES = 3
"""Tones lighter than the one an area mostly has, and as many darker ones."""
_TONE_STEP = 30
"""Greys from one tone to the next."""
_SAMPLE_SIDE, _FLAT_SHARE, _MIN_DISTANCE = 240, 0.01, 6
"""Pixels each way of the copy from which the colours of a picture are chosen; how much of it a colour fills
that is kept as it is; and how near to such a one no other is wanted."""


class _Level(NamedTuple):
    colours: int
    blur: int
    """How many pixels each way become one, before it is smoothly enlarged again."""
    vote: int
    """Pixels each way that agree on one colour."""


_LEVELS: Final = (
    _Level(64, 1, 1),
    _Level(40, 1, 1),
    _Level(32, 1, 3),
    _Level(24, 2, 5),
    _Level(16, 2, 5),
    _Level(12, 3, 5),
    _Level(12, 6, 1),
    _Level(8, 8, 1),
    _Level(8, 12, 1),
    _Level(6, 24, 1),
)
LEVEL_COUNT: Final = len(_LEVELS)
_TONELESS_FROM: Final = LEVEL_COUNT - 2
"""The level from which on areas have no lights and darks of their own."""


def reduce_detail(
    picture: Image.Image, whose: Image.Image | None, level: int
) -> tuple[Image.Image, Image.Image | None]:
    """Return a picture in few colours, and the tones of its areas if it has any."""
    step = _LEVELS[level]
    found = _quantized(_smooth(picture, step.blur), step.colours)
    if step.vote > 1:
        palette = found.getpalette("RGB") or []
        voted = Image.frombytes("L", found.size, found.tobytes()).filter(ImageFilter.ModeFilter(step.vote))
        found = Image.frombytes("P", found.size, voted.tobytes())
        found.putpalette(palette)
    if whose is None or level >= _TONELESS_FROM:
        return found, None
    return found, _tones(found, whose, tuple(area_mask.bounding_boxes(whose)))


def _smooth(image: Image.Image, times: int) -> Image.Image:
    """Return an image without what is finer than so many pixels."""
    if times == 1:
        return image
    small = image.resize((max(1, image.width // times), max(1, image.height // times)), Image.Resampling.BOX)
    return small.resize(image.size, Image.Resampling.BILINEAR)


def _quantized(image: Image.Image, number: int) -> Image.Image:
    """Return an image in so many colours, chosen from a small copy of it; flat colours stay what they are."""
    few = image.copy()
    few.thumbnail((_SAMPLE_SIDE, _SAMPLE_SIDE), Image.Resampling.NEAREST)
    counted = few.getcolors(_SAMPLE_SIDE * _SAMPLE_SIDE) or []
    broad = few.width * few.height * _FLAT_SHARE
    flat = [colour for count, colour in sorted(counted, reverse=True)[: number // 2] if count >= broad]
    chosen = few.quantize(number - len(flat), Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    channels = (chosen.getpalette("RGB") or [])[: 3 * (number - len(flat))]
    kept: list[RGB] = [colour for colour in flat if isinstance(colour, tuple)]
    others = [(channels[at], channels[at + 1], channels[at + 2]) for at in range(0, len(channels), 3)]
    kept += [
        colour
        for colour in others
        if all(max(abs(a - b) for a, b in zip(colour, own, strict=True)) > _MIN_DISTANCE for own in kept)
    ]
    sample = Image.new("P", (1, 1))
    sample.putpalette([channel for colour in kept for channel in colour])
    return image.quantize(palette=sample, dither=Image.Dither.NONE)


def shift_palette(image: Image.Image, before: int) -> tuple[Image.Image, tuple[RGB, ...]]:
    """Return a palette image whose places begin at `before`, and its colours."""
    flat = image.getpalette("RGB") or []
    used = max(image.tobytes(), default=0) + 1
    extra = tuple((flat[at], flat[at + 1], flat[at + 2]) for at in range(0, 3 * used, 3))
    table = bytes(min(255, value + before) for value in range(256))
    return Image.frombytes("P", image.size, image.tobytes().translate(table)), extra


def _tones(image: Image.Image, numbers: Image.Image, areas: Iterable[tuple[int, PixelBox]]) -> Image.Image:
    """Return how much lighter or darker each pixel is than its area mostly is, in steps."""
    grey = image.convert("L")
    tones = Image.new("L", numbers.size, TONES)
    for number, box in areas:
        mask = numbers.crop(box).point([255 if value == number else 0 for value in range(256)])
        part = grey.crop(box)
        middle = _median(part.histogram(mask))
        table = [min(2 * TONES, max(0, round((value - middle) / _TONE_STEP) + TONES)) for value in range(256)]
        tones.paste(part.point(table), box[:2], mask)
    return tones


def _median(counts: list[int]) -> int:
    half, seen = sum(counts) / 2, 0
    for value, count in enumerate(counts):
        seen += count
        if seen >= half:
            return value
    return 0
