"""The four themes: a colour for every ink, those of pieces, cards and marks, and one fixed palette each.

The colours of "patterns" follow Okabe and Ito's set for all kinds of colour vision (2008), and
its pieces also carry patterns on their rims.

A picture consists of palette indices from the start. Sprites are drawn in full colour once, mapped to the
palette once, and then only copied; no picture is ever quantised. A few shades are enough for smooth edges at
the size in which pictures are seen, and compress better than many.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, get_args

from PIL import Image

from games.engine.scene import Board, Ink
from render.colour import BLACK, RGB, WHITE, clearest, contrast, mix, rgb

INKS: tuple[Ink, ...] = get_args(Ink)
"""All inks, in the order in which themes list their colours."""

PIECE_INKS: tuple[Ink, ...] = INKS[:7]
"""The inks of seats and pieces."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a theme. Shares are from 0 to 1."""

    key: str
    inks: Mapping[Ink, RGB]
    card: RGB
    """Background of a seat's card."""
    active_card: RGB
    """Background of the card of a seat that is to act."""
    danger: RGB
    """Colour of the cross on a capture, and of bad badges."""
    dark: RGB
    light: RGB
    """Colours of glyphs on pieces: whichever of the two has more contrast with the ink."""
    rim_shade: float
    """Share of black in the rim of a piece."""
    outline_shade: float
    """Share of black, or of white, in the outline of a piece."""
    mark_share: float
    """Share of the mark's ink in the place that a piece went to; half of it where it came from."""
    patterns: bool
    """Whether rims and areas carry patterns."""
    zone_share: float
    """Share of a zone's ink in its places."""
    sea: RGB
    """Colour of the water on a map."""

    def rim(self, ink: Ink) -> RGB:
        """Return the colour of the rim of a piece."""
        return mix(self.inks[ink], BLACK, self.rim_shade)

    def outline(self, ink: Ink) -> RGB:
        """Return the colour of the outline of a piece: darker, or lighter where that would not be visible."""
        face, space = self.inks[ink], self.inks["space"]
        dark = mix(face, BLACK, self.outline_shade)
        seen = max(contrast(face, space), contrast(dark, space)) >= _MIN_CONTRAST
        return dark if seen else mix(face, WHITE, self.outline_shade)

    def glyph(self, ink: Ink) -> RGB:
        """Return the colour of the glyph on a piece."""
        return clearest(self.inks[ink], self.light, self.dark)

    def hatch(self, ink: Ink) -> RGB:
        """Return the colour of the pattern on a rim."""
        return clearest(self.rim(ink), self.light, self.dark)

    def marked_space(self, share: float) -> RGB:
        """Return the colour of a marked place; `share` is a factor of `mark_share`."""
        return mix(self.inks["space"], self.inks["mark"], self.mark_share * share)

    def zone(self, ink: Ink) -> RGB:
        """Return the colour of a place in a zone, or of an area by its owner."""
        if ink == "faint":
            return mix(self.inks["space"], self.inks[ink], self.zone_share * 0.6)
        return mix(self.inks["paper"], self.inks[ink], self.zone_share)

    def empty_area(self, ink: Ink) -> RGB:
        """Return the colour of an area without an army, by its zone: paler than any owner's."""
        return mix(self.inks["space"], self.inks[ink], self.zone_share * 0.4)

    def area_pattern(self, ink: Ink) -> RGB:
        """Return the colour of the pattern on a seat's areas."""
        return mix(self.zone(ink), self.inks["text"], 0.22)

    @property
    def shallows(self) -> RGB:
        """The colour of the water along a coast."""
        return mix(self.sea, self.inks["faint"] if self.sea == BLACK else WHITE, 0.25)

    @property
    def drawn_line(self) -> RGB:
        """The colour of lines and octagons on a board, and of borders and names on a map."""
        return mix(self.inks["text"], self.inks["space"], 0.15)

    @property
    def ringed_space(self) -> RGB:
        """The colour of a place with a ring."""
        return self.shadow(self.inks["space"])

    @property
    def place_name(self) -> RGB:
        """The colour of a name on an empty place, less prominent than a piece."""
        return mix(self.inks["text"], self.inks["paper"], 1 / 3)

    def badge(self, tone: Literal["good", "bad", "plain"], background: RGB) -> tuple[RGB, RGB]:
        """Return the colours of a badge on `background` and of its words."""
        if tone == "plain":
            return background, self.inks["text"]
        fill = self.inks["mark"] if tone == "good" else self.danger
        return fill, clearest(fill, self.light, self.dark)

    def shadow(self, background: RGB) -> RGB:
        """Return the colour of a shadow on `background`."""
        return mix(background, BLACK, 0.2)


_MIN_CONTRAST = 3
"""Minimum contrast of a shape that stands out. Source: WCAG 2.2, success criterion 1.4.11."""


def _inks(pieces: str, rest: str) -> Mapping[Ink, RGB]:
    return MappingProxyType(dict(zip(INKS, map(rgb, f"{pieces} {rest}".split()), strict=True)))


# Order of the colours: red green blue yellow purple orange black / paper board space line text faint mark.
_CLASSIC = Theme(
    key="classic",
    inks=_inks(
        "#c8352f #27804a #2f6fc4 #f2bd2e #8450ad #e8782a #35363d",
        "#f6efe2 #7a5236 #e9d3ab #5b3b25 #33261b #7d6b58 #1f9e94",
    ),
    card=rgb("#ece1cd"),
    active_card=rgb("#fffaf0"),
    danger=rgb("#b3201a"),
    dark=rgb("#2b1d10"),
    light=rgb("#fff8ea"),
    rim_shade=0.3,
    outline_shade=0.62,
    mark_share=0.62,
    patterns=False,
    zone_share=0.42,
    sea=rgb("#a9cdd2"),
)
_DARK = Theme(
    key="dark",
    inks=_inks(
        "#ee5358 #3fae63 #4c8df0 #f5c542 #a274e0 #f08a3c #17181b",
        "#232428 #141517 #363940 #0f1012 #f2f3f5 #a6abb5 #38c7c0",
    ),
    card=rgb("#2c2e34"),
    active_card=rgb("#3c4049"),
    danger=rgb("#ff5a5f"),
    dark=rgb("#16171a"),
    light=rgb("#ffffff"),
    rim_shade=0.3,
    outline_shade=0.68,
    mark_share=0.5,
    patterns=False,
    zone_share=0.34,
    sea=rgb("#17222e"),
)
_CONTRAST = Theme(
    key="contrast",
    inks=_inks(
        "#ff6b6b #35e06f #5fb0ff #ffe81a #d99bff #ffa630 #000000",
        "#000000 #ffffff #000000 #ffffff #ffffff #d0d0d0 #00ffff",
    ),
    card=rgb("#000000"),
    active_card=rgb("#000000"),
    danger=rgb("#ff6b6b"),
    dark=BLACK,
    light=WHITE,
    rim_shade=0.0,
    outline_shade=1.0,
    mark_share=0.42,
    patterns=True,
    zone_share=0.36,
    sea=BLACK,
)
_PATTERNS = Theme(
    key="patterns",
    inks=_inks(
        "#d55e00 #009e73 #0072b2 #f0e442 #cc79a7 #e69f00 #2a2c30",
        "#fbfaf7 #55595f #dfe2e4 #3b3e43 #1b1d20 #5a5f66 #0b3d66",
    ),
    card=rgb("#eceef0"),
    active_card=rgb("#ffffff"),
    danger=rgb("#111111"),
    dark=rgb("#111111"),
    light=WHITE,
    rim_shade=0.0,
    outline_shade=1.0,
    mark_share=0.42,
    patterns=True,
    zone_share=0.42,
    sea=rgb("#c3d4dd"),
)

_ALL: Mapping[str, Theme] = MappingProxyType(
    {theme.key: theme for theme in (_CLASSIC, _DARK, _CONTRAST, _PATTERNS)}
)

THEMES: tuple[str, ...] = tuple(_ALL)
"""The keys of all themes, the default first."""

ZONES_SUFFIX = "+"
"""Suffix of a theme's key for the palette of boards with zones, which has more colours."""

MAP_SUFFIX = "~"
"""Suffix of a theme's key for the palette of maps."""


def palette_key(key: str, board: Board) -> str:
    """Return the key of the palette for a board. Raises ValueError if there is no such theme."""
    if key not in _ALL:
        raise ValueError(f"no theme {key!r}; there are {', '.join(THEMES)}")
    return key + (MAP_SUFFIX if board.armies else ZONES_SUFFIX if board.zones else "")


def theme_of(key: str) -> Theme:
    """Return the theme of a palette key. Raises ValueError if there is none."""
    plain = key.removesuffix(ZONES_SUFFIX).removesuffix(MAP_SUFFIX)
    if plain not in _ALL:
        raise ValueError(f"no theme {key!r}; there are {', '.join(THEMES)}")
    return _ALL[plain]


def accent(key: str) -> int:
    """Return the colour by which a theme marks moves, as 0xRRGGBB. Raises ValueError for no theme."""
    red, green, blue = theme_of(key).inks["mark"]
    return red << 16 | green << 8 | blue


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
    """Return the palette of a theme: at most `MAX_COLOURS`, all of which the eye can distinguish."""
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
