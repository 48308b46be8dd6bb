"""Badges as pills: a word or two on a coloured ground, and a sign, so that the colour says nothing alone.

A badge that is too wide for its card is set in two lines before its letters become too small to read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from PIL import Image, ImageDraw

from games.engine.scene import Glyph
from render import fonts
from render.builtin_glyphs import BAD, GOOD, PLAIN
from render.colour import RGB
from render.pieces import FINE, stamp
from render.themes import Theme

Tone: TypeAlias = Literal["good", "bad", "plain"]

_HIGH, _MORE, _GAP, _SIGN, _LETTERS = 0.4, 0.28, 0.07, 0.22, 0.27
"""Height of a pill, of a further line in it, between pills, and of its sign and letters, in units."""
_SIGNS: dict[Tone, Glyph] = {"good": GOOD, "bad": BAD, "plain": PLAIN}
_LEFT, _RIGHT = 0.42, 0.2
"""Room to the left of the words, with the sign in it, and to their right, in units."""


@dataclass(frozen=True, slots=True)
class Pill:
    """A badge in the reader's language."""

    text: str
    tone: Tone


@dataclass(frozen=True, slots=True)
class Placed:
    """A pill in its place within a card's inner box: pixels from its left, and its size."""

    pill: Pill
    x: int
    width: int
    height: int
    lines: tuple[str, ...]
    size: int


def _place(pill: Pill, unit: int, room: int) -> Placed:
    """Set a pill in one line if it fits `room`, or nearly so, else in two, smaller or cut if need be."""
    size = round(unit * _LETTERS)
    around = round(unit * (_LEFT + _RIGHT))
    text, smaller = fonts.fit(pill.text, room - around - 1, size, least=round(size * 0.78), bold=True)
    if text == pill.text:
        wide = around + round(fonts.width(text, smaller, bold=True)) + 1
        return Placed(pill, 0, wide, round(unit * _HIGH), (text,), smaller)
    lines, size = fonts.wrap(pill.text, room - around, size, lines=2, least=round(size * 0.7), bold=True)
    wide = around + max(round(fonts.width(line, size, bold=True)) for line in lines) + 1
    return Placed(
        pill, 0, min(wide, room), round(unit * (_HIGH + _MORE * (len(lines) - 1))), tuple(lines), size
    )


def flow(pills: tuple[Pill, ...], unit: int, room: int) -> list[list[Placed]]:
    """Lay out pills side by side in as many rows as they need."""
    rows: list[list[Placed]] = []
    x = room + 1
    for pill in pills:
        placed = _place(pill, unit, room)
        if x + placed.width > room:
            rows.append([])
            x = 0
        rows[-1].append(replace(placed, x=x))
        x += placed.width + round(unit * 0.1)
    return rows


def row_height(row: list[Placed], unit: int) -> int:
    """Return the height of a row of pills with the gap below it, in pixels."""
    return max(placed.height for placed in row) + round(unit * _GAP)


def put(
    image: Image.Image, theme: Theme, placed: Placed, spot: tuple[int, int], unit: int, ground: RGB
) -> None:
    """Draw a pill on `ground`, its upper left corner at `spot`."""
    tone = placed.pill.tone
    fill, colour = theme.pill(tone, ground)
    large = Image.new("RGB", (placed.width * FINE, placed.height * FINE), ground)
    framed = theme.inks["faint"] if tone == "plain" else None
    ImageDraw.Draw(large).rounded_rectangle(
        (0, 0, large.width - 1, large.height - 1),
        unit * _HIGH * FINE / 2,
        fill=fill,
        outline=framed,
        width=round(unit * 0.025 * FINE),
    )
    side = unit * _SIGN * FINE
    stamp(large, _SIGNS[tone], (unit * 0.25 * FINE, large.height / 2), (side, side), colour)
    small = large.reduce(FINE)
    for nth, line in enumerate(placed.lines):
        y = placed.height / 2 + (nth - (len(placed.lines) - 1) / 2) * unit * _MORE
        fonts.put(small, (unit * _LEFT, y), line, placed.size, colour, bold=True)
    image.paste(small, spot)
