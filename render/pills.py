"""Badges as pills: a word or two on a coloured ground, and a sign, so that the colour says nothing alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from PIL import Image, ImageDraw

from games.engine.scene import Glyph
from render import fonts
from render.colour import RGB
from render.emblems import BAD, GOOD, PLAIN
from render.pieces import FINE, stamp
from render.themes import Theme

Tone: TypeAlias = Literal["good", "bad", "plain"]

STEP = 0.47
"""Height of a line of pills, in units."""
_HIGH, _SIGN, _LETTERS = 0.4, 0.22, 0.27
_SIGNS: dict[Tone, Glyph] = {"good": GOOD, "bad": BAD, "plain": PLAIN}


@dataclass(frozen=True, slots=True)
class Pill:
    """A badge in the reader's language."""

    text: str
    tone: Tone


def _width(pill: Pill, unit: int) -> int:
    return round(unit * (0.42 + _SIGN) + fonts.width(pill.text, round(unit * _LETTERS), bold=True))


def flow(pills: tuple[Pill, ...], unit: int, room: int) -> list[list[tuple[int, int, Pill]]]:
    """Lay out pills in lines as (x, width, pill); one that is too wide alone gets a line, and is cut."""
    lines: list[list[tuple[int, int, Pill]]] = []
    x = room + 1
    for pill in pills:
        wide = min(_width(pill, unit), room)
        if x + wide > room:
            lines.append([])
            x = 0
        lines[-1].append((x, wide, pill))
        x += wide + round(unit * 0.1)
    return lines


def put(
    image: Image.Image, theme: Theme, pill: Pill, spot: tuple[int, int], wide: int, unit: int, ground: RGB
) -> None:
    """Draw a pill on `ground`, its left edge and middle at `spot`."""
    high = round(unit * _HIGH)
    fill, text = theme.pill(pill.tone, ground)
    large = Image.new("RGB", (wide * FINE, high * FINE), ground)
    box = (0, 0, large.width - 1, large.height - 1)
    framed = theme.inks["faint"] if pill.tone == "plain" else None
    ImageDraw.Draw(large).rounded_rectangle(
        box, large.height / 2, fill=fill, outline=framed, width=round(unit * 0.025 * FINE)
    )
    side = unit * _SIGN * FINE
    stamp(large, _SIGNS[pill.tone], (unit * 0.25 * FINE, large.height / 2), (side, side), text)
    small = large.reduce(FINE)
    left = unit * (0.2 + _SIGN)
    room = wide - left - unit * 0.16
    size = round(unit * _LETTERS)
    words, size = fonts.fit(pill.text, room, size, least=round(size * 0.6), bold=True)
    fonts.put(small, (left, high / 2), words, size, text, bold=True)
    image.paste(small, (spot[0], spot[1] - high // 2))
