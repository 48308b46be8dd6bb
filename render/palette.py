"""One fixed palette a theme: each colour that is ever filled, and the blends that soften edges between them.

A picture is a matrix of palette indices from the start. Pieces are drawn in full colour once, brought to the
palette once, and only copied afterwards; no picture is ever quantised. Few shades are enough for smooth edges
at the size pictures are seen, and they compress better than many.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from PIL import Image

from render.colour import RGB, mix
from render.themes import CHARTED, PIECES, THEMES, ZONED, Theme, theme_of

_TONES: tuple[Literal["good", "bad"], ...] = ("good", "bad")

MOST = 96
"""The most colours a palette may have."""


def _wanted(theme: Theme) -> Iterator[RGB]:
    """Yield plain colours first, then blends, the more visible ones first."""
    ink = theme.inks
    grounds = [ink["space"], theme.ground(1), theme.ground(0.5)]
    yield from (ink["paper"], ink["board"], ink["line"], ink["text"], ink["faint"], ink["mark"])
    yield from (*grounds, theme.card, theme.active, theme.danger, theme.light, theme.dark)
    yield from map(theme.shadow, grounds)
    for piece in PIECES:
        yield from (ink[piece], theme.shade(piece), theme.outline(piece), theme.sign(piece))
    for ground in (ink["paper"], theme.card, theme.active):
        yield from (mix(ink["text"], ground, share) for share in (1 / 3, 2 / 3))
        yield mix(ink["faint"], ground, 0.5)
    for piece in PIECES:
        yield mix(ink[piece], theme.sign(piece), 0.5)
        if piece != "black":  # there are greys enough
            yield mix(theme.outline(piece), ink["space"], 0.5)
    for tone in _TONES:
        fill, words = theme.pill(tone, theme.card)
        yield mix(fill, words, 0.5)
    yield mix(ink["board"], ink["space"], 0.5)
    yield mix(ink["paper"], ink["board"], 0.5)
    yield mix(ink["board"], theme.ground(1), 0.5)


def _zoned(theme: Theme) -> Iterator[RGB]:
    """Yield what only boards with zones have: tints, lines, pieces of nobody, and their blends."""
    grounds = [theme.zoned(piece) for piece in PIECES]
    yield from (*grounds, theme.groove, theme.zoned("faint"), theme.shade("faint"))
    yield from (theme.shade("paper"), theme.outline("paper"), theme.sign("paper"))
    yield from (mix(theme.groove, ground, 0.5) for ground in (*grounds, theme.inks["space"]))
    yield from (mix(theme.outline(piece), ground, 0.5) for piece, ground in zip(PIECES, grounds, strict=True))


def _charted(theme: Theme) -> Iterator[RGB]:
    """Yield what only maps have: water, land with and without an owner, patterns, and their blends."""
    grounds = [theme.zoned(piece) for piece in PIECES]
    text = theme.inks["text"]
    yield from (theme.sea, theme.shallow, theme.groove, mix(theme.sea, text, 0.5), *grounds)
    yield from (mix(ground, theme.groove, 0.5) for ground in grounds)
    if theme.patterns:
        yield from (theme.mesh(piece) for piece in PIECES)
    yield from map(theme.land, PIECES)


@lru_cache(maxsize=3 * len(THEMES))
def colours(key: str) -> tuple[RGB, ...]:
    """Return the palette of a theme, at most `MOST` colours, no two closer than the eye can tell apart."""
    chosen: dict[tuple[int, int, int], RGB] = {}
    theme = theme_of(key)
    more = _zoned(theme) if key.endswith(ZONED) else _charted(theme) if key.endswith(CHARTED) else ()
    for colour in (*_wanted(theme), *more):
        red, green, blue = colour
        chosen.setdefault((red >> 2, green >> 2, blue >> 2), colour)
    return tuple(chosen.values())[:MOST]


@lru_cache(maxsize=3 * len(THEMES))
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
    return flatten(Image.new("RGB", (1, 1), colour), key).tobytes()[0]
