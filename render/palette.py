"""One fixed palette a theme: each colour that is ever filled, and the blends that soften edges between them.

A picture is a matrix of palette indices from the start. Pieces are drawn in full colour once, brought to the
palette once, and only copied afterwards; no picture is ever quantised.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from PIL import Image

from render.colour import RGB, mix
from render.themes import PIECES, Theme, theme_of

MOST = 128
"""The most colours a palette may have."""

_THIRDS = (1 / 3, 2 / 3)
_HALF = (0.5,)


def _wanted(theme: Theme) -> Iterator[RGB]:
    """Yield plain colours first, then blends, the more visible ones first."""
    ink = theme.inks
    grounds = [ink["space"], theme.ground(1), theme.ground(0.5)]
    yield from (ink["paper"], ink["board"], ink["line"], ink["text"], ink["faint"], ink["mark"])
    yield from (*grounds, theme.card, theme.active, theme.danger, theme.light, theme.dark)
    yield from map(theme.shadow, grounds)
    for piece in PIECES:
        yield from (ink[piece], theme.shade(piece), theme.outline(piece), theme.sign(piece))
    for share in _THIRDS:
        for ground in (ink["paper"], theme.card, theme.active):
            yield mix(ink["text"], ground, share)
        for piece in PIECES:
            yield mix(ink[piece], theme.sign(piece), share)
            yield mix(theme.outline(piece), ink["space"], share)
        yield mix(ink["board"], ink["space"], share)
        yield mix(ink["paper"], ink["board"], share)
    for share in _HALF:
        for ground in (ink["paper"], theme.card, theme.active):
            yield mix(ink["faint"], ground, share)
        yield mix(ink["board"], theme.ground(1), share)
        yield mix(ink["mark"], theme.ground(0.5), share)
        yield mix(ink["mark"], ink["space"], share)
        for piece in PIECES:
            yield mix(theme.outline(piece), ink[piece], share)
            yield mix(theme.outline(piece), theme.ground(1), share)
            yield mix(theme.shade(piece), theme.hatch(piece), share)
            yield mix(theme.outline(piece), theme.card, share)


@lru_cache(maxsize=8)
def colours(key: str) -> tuple[RGB, ...]:
    """Return the palette of a theme, at most `MOST` colours, no two closer than the eye can tell apart."""
    chosen: dict[tuple[int, int, int], RGB] = {}
    for colour in _wanted(theme_of(key)):
        red, green, blue = colour
        chosen.setdefault((red >> 2, green >> 2, blue >> 2), colour)
    return tuple(chosen.values())[:MOST]


@lru_cache(maxsize=8)
def _sample(key: str) -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette([channel for colour in colours(key) for channel in colour])
    image.load()
    return image


def flatten(image: Image.Image, key: str) -> Image.Image:
    """Bring an RGB image to the palette of a theme, each pixel to the nearest colour, without dithering."""
    flat = image.quantize(palette=_sample(key), dither=Image.Dither.NONE)
    flat.load()
    return flat


def index(key: str, colour: RGB) -> int:
    """Return the place of `colour`, or of what is nearest to it, in the palette of a theme."""
    value = flatten(Image.new("RGB", (1, 1), colour), key).getpixel((0, 0))
    assert isinstance(value, int)  # noqa: S101 - a palette image has whole numbers for pixels
    return value
