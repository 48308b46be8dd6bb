"""Seats' badges: a few words on a coloured pill, with a symbol, so that no meaning is in the colour alone.

A badge that is too wide for its card is set in two lines before its letters become too small to read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from PIL import Image, ImageDraw

from games.engine.scene import Glyph
from render import fonts
from render.colour import RGB
from render.glyphs import BAD, GOOD, PLAIN
from render.piled_pieces import UPSCALE, fill_glyph
from render.themes import Theme

Tone: TypeAlias = Literal["good", "bad", "plain"]

_HEIGHT, _LINE, _GAP, _GLYPH, _LETTERS = 0.4, 0.28, 0.07, 0.22, 0.27
"""Height of a badge, of a further line, of the gap below, of the symbol and of the letters, in units."""
_GLYPHS: dict[Tone, Glyph] = {"good": GOOD, "bad": BAD, "plain": PLAIN}
_LEFT, _RIGHT = 0.42, 0.2
"""Room to the left of the words, for the symbol, and to their right, in units."""


@dataclass(frozen=True, slots=True)
class BadgeText:
    """A badge in the reader's language."""

    text: str
    tone: Tone


@dataclass(frozen=True, slots=True)
class PlacedBadge:
    """A badge with its size and its distance from the left of a card's inner box, in pixels."""

    badge: BadgeText
    x: int
    width: int
    height: int
    lines: tuple[str, ...]
    size: int


def _fitted(badge: BadgeText, unit: int, room: int) -> PlacedBadge:
    """Return a badge set in one line if it nearly fits `room` pixels, else in two, smaller or truncated."""
    size = round(unit * _LETTERS)
    around = round(unit * (_LEFT + _RIGHT))
    text, smaller = fonts.fit(badge.text, room - around - 1, size, min_size=round(size * 0.78), bold=True)
    if text == badge.text:
        wide = around + round(fonts.width(text, smaller, bold=True)) + 1
        return PlacedBadge(badge, 0, wide, round(unit * _HEIGHT), (text,), smaller)
    lines, size = fonts.wrap(badge.text, room - around, size, lines=2, min_size=round(size * 0.7), bold=True)
    wide = around + max(round(fonts.width(line, size, bold=True)) for line in lines) + 1
    return PlacedBadge(
        badge, 0, min(wide, room), round(unit * (_HEIGHT + _LINE * (len(lines) - 1))), tuple(lines), size
    )


def wrap_badges(badges: tuple[BadgeText, ...], unit: int, room: int) -> list[list[PlacedBadge]]:
    """Return badges side by side, in as many rows of `room` pixels as they need."""
    rows: list[list[PlacedBadge]] = []
    x = room + 1
    for badge in badges:
        placed = _fitted(badge, unit, room)
        if x + placed.width > room:
            rows.append([])
            x = 0
        rows[-1].append(replace(placed, x=x))
        x += placed.width + round(unit * 0.1)
    return rows


def row_height(row: list[PlacedBadge], unit: int) -> int:
    """Return the height of a row of badges with the gap below it, in pixels."""
    return max(placed.height for placed in row) + round(unit * _GAP)


def draw_badge(
    image: Image.Image, theme: Theme, placed: PlacedBadge, spot: tuple[int, int], unit: int, background: RGB
) -> None:
    """Draw a badge on a card of colour `background`, with its upper left corner at `spot`."""
    tone = placed.badge.tone
    fill, colour = theme.badge(tone, background)
    large = Image.new("RGB", (placed.width * UPSCALE, placed.height * UPSCALE), background)
    framed = theme.inks["faint"] if tone == "plain" else None
    ImageDraw.Draw(large).rounded_rectangle(
        (0, 0, large.width - 1, large.height - 1),
        unit * _HEIGHT * UPSCALE / 2,
        fill=fill,
        outline=framed,
        width=round(unit * 0.025 * UPSCALE),
    )
    side = unit * _GLYPH * UPSCALE
    fill_glyph(large, _GLYPHS[tone], (unit * 0.25 * UPSCALE, large.height / 2), (side, side), colour)
    small = large.reduce(UPSCALE)
    for nth, line in enumerate(placed.lines):
        y = placed.height / 2 + (nth - (len(placed.lines) - 1) / 2) * unit * _LINE
        fonts.write(small, (unit * _LEFT, y), line, placed.size, colour, bold=True)
    image.paste(small, spot)
