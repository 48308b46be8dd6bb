"""Levels of detail of an author's picture: few colours, and the lights and darks of its areas.

Level 0 is the finest. Colours are chosen from a small copy of the picture, in which flat colours that fill a
good part are kept exactly. Nothing is dithered, because runs of one colour compress well, and specks are
outvoted by their neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from PIL import Image, ImageFilter

from render import map_artwork
from render.colour import RGB
from render.map_artwork import PixelBox

TONES = 3
"""Number of tones lighter than an area's usual one, and number of darker ones."""
_TONE_STEP = 30
"""Grey levels from one tone to the next."""
_SAMPLE_SIDE, _FLAT_SHARE, _MIN_DISTANCE = 240, 0.01, 6
"""Side of the copy from which colours are chosen, in pixels; share of it that a colour must fill to be kept
exactly; and the difference from such a colour, in any channel, that others must exceed."""


class Detail(NamedTuple):
    """How large and how finely a board is drawn."""

    scale: float
    """Size of the picture, as a share of its usual size."""
    level: int
    """Level of detail of the author's picture; 0 is the finest."""


FINEST: Final = Detail(1.0, 0)


class _Level(NamedTuple):
    colours: int
    blur: int
    """Number of pixels each way that are merged into one, before the picture is smoothly enlarged again."""
    vote: int
    """Side of the square of pixels that vote on the colour of its centre; 1 for no vote."""


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
"""The first level at which areas have no lights and darks."""


def reduce_detail(
    picture: Image.Image, numbers: Image.Image | None, level: int
) -> tuple[Image.Image, Image.Image | None]:
    """Return a picture as a palette image at a level, and the tones of its areas if the level keeps them.

    `numbers` has the area number of each pixel; None for no areas.
    """
    step = _LEVELS[level]
    found = _quantized(_smooth(picture, step.blur), step.colours)
    if step.vote > 1:
        palette = found.getpalette("RGB") or []
        voted = Image.frombytes("L", found.size, found.tobytes()).filter(ImageFilter.ModeFilter(step.vote))
        found = Image.frombytes("P", found.size, voted.tobytes())
        found.putpalette(palette)
    if numbers is None or level >= _TONELESS_FROM:
        return found, None
    return found, _tones(found, numbers, tuple(map_artwork.bounding_boxes(numbers)))


def _smooth(image: Image.Image, factor: int) -> Image.Image:
    """Return an image without details finer than `times` pixels."""
    if factor == 1:
        return image
    small = image.resize(
        (max(1, image.width // factor), max(1, image.height // factor)), Image.Resampling.BOX
    )
    return small.resize(image.size, Image.Resampling.BILINEAR)


def _quantized(image: Image.Image, number: int) -> Image.Image:
    """Return an image in at most `number` colours, chosen from a small copy of it; flat colours are kept."""
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
    """Return a palette image with its indices raised by `before`, and the colours that it uses."""
    flat = image.getpalette("RGB") or []
    used = max(image.tobytes(), default=0) + 1
    extra = tuple((flat[at], flat[at + 1], flat[at + 2]) for at in range(0, 3 * used, 3))
    table = bytes(min(255, value + before) for value in range(256))
    return Image.frombytes("P", image.size, image.tobytes().translate(table)), extra


def _tones(image: Image.Image, numbers: Image.Image, areas: Iterable[tuple[int, PixelBox]]) -> Image.Image:
    """Return the tone of each pixel: how much lighter or darker it is than the median of its area."""
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
