"""One fixed palette for each theme: every colour that is filled, and blends that soften edges between them.

A picture consists of palette indices from the start. Sprites are drawn in full colour once, mapped to the
palette once, and then only copied; no picture is ever quantised. A few shades are enough for smooth edges at
the size in which pictures are seen, and compress better than many.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from PIL import Image

from render.colour import RGB, mix
from render.themes import MAP_SUFFIX, PIECE_INKS, THEMES, ZONES_SUFFIX, Theme, theme_of

_TONES: tuple[Literal["good", "bad"], ...] = ("good", "bad")

MAX_COLOURS = 96
"""Maximum number of colours in a palette."""


def _common_colours(theme: Theme) -> Iterator[RGB]:
    """Yield the colours of all boards: plain ones first, then blends, the more visible ones first."""
    ink = theme.inks
    grounds = [ink["space"], theme.marked_space(1), theme.marked_space(0.5)]
    yield from (ink["paper"], ink["board"], ink["line"], ink["text"], ink["faint"], ink["mark"])
    yield from (*grounds, theme.card, theme.active_card, theme.danger, theme.light, theme.dark)
    yield from map(theme.shadow, grounds)
    for piece in PIECE_INKS:
        yield from (ink[piece], theme.rim(piece), theme.outline(piece), theme.glyph(piece))
    for ground in (ink["paper"], theme.card, theme.active_card):
        yield from (mix(ink["text"], ground, share) for share in (1 / 3, 2 / 3))
        yield mix(ink["faint"], ground, 0.5)
    for piece in PIECE_INKS:
        yield mix(ink[piece], theme.glyph(piece), 0.5)
        if piece != "black":  # there are enough greys
            yield mix(theme.outline(piece), ink["space"], 0.5)
    for tone in _TONES:
        fill, words = theme.badge(tone, theme.card)
        yield mix(fill, words, 0.5)
    yield mix(ink["board"], ink["space"], 0.5)
    yield mix(ink["paper"], ink["board"], 0.5)
    yield mix(ink["board"], theme.marked_space(1), 0.5)


def _zone_colours(theme: Theme) -> Iterator[RGB]:
    """Yield the colours of boards with zones: tints, lines, pieces without an owner, and their blends."""
    grounds = [theme.zone(piece) for piece in PIECE_INKS]
    yield from (*grounds, theme.drawn_line, theme.zone("faint"), theme.rim("faint"))
    yield from (theme.rim("paper"), theme.outline("paper"), theme.glyph("paper"))
    yield from (mix(theme.drawn_line, ground, 0.5) for ground in (*grounds, theme.inks["space"]))
    yield from (
        mix(theme.outline(piece), ground, 0.5) for piece, ground in zip(PIECE_INKS, grounds, strict=True)
    )


def _map_colours(theme: Theme) -> Iterator[RGB]:
    """Yield the colours of maps: water, land with and without an owner, patterns, and their blends."""
    grounds = [theme.zone(piece) for piece in PIECE_INKS]
    text = theme.inks["text"]
    yield from (theme.sea, theme.shallows, theme.drawn_line, mix(theme.sea, text, 0.5), *grounds)
    yield from (mix(ground, theme.drawn_line, 0.5) for ground in grounds)
    if theme.patterns:
        yield from (theme.area_pattern(piece) for piece in PIECE_INKS)
    yield from map(theme.empty_area, PIECE_INKS)


@lru_cache(maxsize=3 * len(THEMES))
def colours(key: str) -> tuple[RGB, ...]:
    """Return the palette of a theme: at most `MAX_COLOURS`, all of which the eye can tell apart."""
    chosen: dict[tuple[int, int, int], RGB] = {}
    theme = theme_of(key)
    more = (
        _zone_colours(theme)
        if key.endswith(ZONES_SUFFIX)
        else _map_colours(theme)
        if key.endswith(MAP_SUFFIX)
        else ()
    )
    for colour in (*_common_colours(theme), *more):
        red, green, blue = colour
        chosen.setdefault((red >> 2, green >> 2, blue >> 2), colour)
    return tuple(chosen.values())[:MAX_COLOURS]


@lru_cache(maxsize=3 * len(THEMES))
def _palette_image(key: str) -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette([channel for colour in colours(key) for channel in colour])
    image.load()
    return image


def to_palette(image: Image.Image, key: str) -> Image.Image:
    """Return an RGB image in the palette of a theme, each pixel in the nearest colour, without dithering."""
    flat = image.quantize(palette=_palette_image(key), dither=Image.Dither.NONE)
    flat.load()
    return flat
