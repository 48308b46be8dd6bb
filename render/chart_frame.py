"""What charts of a match share: axes, headline, flags, legends, and the thinning of long matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PIL import Image, ImageDraw

from games.engine.message import Msg
from games.engine.scene import Glyph, Panel
from render import fonts
from render.geometry import FULL_UNIT, HEADLINE_HEIGHT, Box
from render.pieces import draw_flat
from render.themes import Theme

WIDTH = 11.52
"""Width of the picture, in units."""
UPSCALE = 3
"""Factor by which lines are drawn larger first."""
LEFT, RIGHT, FOOT = 0.98, 0.34, 0.62
"""Margins of the plot, in units."""
_TICK_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500)
_MAX_TICKS = 10
_MARGIN = 0.2


_PERCENTAGES = tuple((percent / 100, f"{percent}%") for percent in (0, 25, 50, 75, 100))


def draw_axes(
    image: Image.Image,
    theme: Theme,
    room: Box,
    turns: int,
    heights: Sequence[tuple[float, str]] = _PERCENTAGES,
) -> None:
    """Write numbers to the left, by default percentages, and numbers of turns below.

    `heights` has the place of each number above the foot, from 0 to 1.
    """
    size, colour = round(FULL_UNIT * 0.27), theme.inks["faint"]
    for height, text in heights:
        y = room.y + room.height * (1 - height)
        fonts.write(image, (room.x - FULL_UNIT * 0.1, y), text, size, colour, bold=True, anchor="rm")
    step = next((step for step in _TICK_STEPS if turns / step <= _MAX_TICKS), turns)
    pen = ImageDraw.Draw(image)
    foot = room.y + room.height
    for turn in range(0, turns + 1, step):
        x = room.x + room.width * turn / turns
        pen.line((x, foot, x, foot + FULL_UNIT * 0.1), fill=colour, width=2)
        fonts.write(image, (x, foot + FULL_UNIT * 0.3), str(turn), size, colour, bold=True, anchor="mm")


def flag_image(theme: Theme, panel: Panel, glyph: Glyph, text: str, size: tuple[int, int]) -> Image.Image:
    """Return a flag: the piece of a seat and a number on a plate of that size, in pixels."""
    wide, high = size
    large = Image.new("RGB", (wide * UPSCALE, high * UPSCALE), theme.active_card)
    ImageDraw.Draw(large).rounded_rectangle(
        (0, 0, wide * UPSCALE - 1, high * UPSCALE - 1),
        high * UPSCALE / 2,
        outline=theme.inks["mark"],
        width=round(FULL_UNIT * 0.05 * UPSCALE),
    )
    middle = high * UPSCALE / 2
    draw_flat(large, theme, panel.ink, glyph, (middle, middle), high * UPSCALE * 0.74)
    small = large.reduce(UPSCALE)
    fonts.write(small, (high * 0.98, high / 2), text, round(FULL_UNIT * 0.28), theme.inks["text"], bold=True)
    return small


def paste_flag(image: Image.Image, plate: Image.Image, spot: tuple[int, int]) -> None:
    """Paste a flag with its round ends."""
    wide, high = plate.size
    mask = Image.new("L", (wide * UPSCALE, high * UPSCALE))
    ImageDraw.Draw(mask).rounded_rectangle(
        (0, 0, wide * UPSCALE - 1, high * UPSCALE - 1), high * UPSCALE / 2, fill=255
    )
    image.paste(plate, spot, mask.reduce(UPSCALE))


def flag_size(text: str) -> tuple[int, int]:
    """Return the width and height of a flag with a number, in pixels."""
    wide = FULL_UNIT * 0.66 + fonts.width(text, round(FULL_UNIT * 0.28), bold=True)
    return round(wide), round(FULL_UNIT * 0.5)


def write_headline(image: Image.Image, headline: Msg, say: Callable[[Msg], str], theme: Theme) -> None:
    """Write the headline at the top."""
    margin = round(FULL_UNIT * _MARGIN)
    inner = image.width - 2 * margin
    text, size = fonts.fit(
        say(headline), inner, round(FULL_UNIT * 0.38), min_size=round(FULL_UNIT * 0.24), bold=True
    )
    fonts.write(image, (margin, FULL_UNIT * HEADLINE_HEIGHT / 2), text, size, theme.inks["text"], bold=True)


def piece_image(theme: Theme, panel: Panel, glyph: Glyph, side: int) -> Image.Image:
    """Return the piece of a seat on the paper, `side` pixels across."""
    large = Image.new("RGB", (side * UPSCALE, side * UPSCALE), theme.inks["paper"])
    middle = side * UPSCALE / 2
    draw_flat(large, theme, panel.ink, glyph, (middle, middle), side * UPSCALE * 0.96)
    return large.reduce(UPSCALE)


def thinned(values: Sequence[float], most: int) -> list[tuple[float, float]]:
    """Return points of a curve as pairs of place (from 0 to 1) and value.

    More than `most` of them are averaged in groups; the first and the last stay as they are.
    """
    last = len(values) - 1
    if last <= most:
        return [(at / max(1, last), value) for at, value in enumerate(values)]
    found = [(0.0, values[0])]
    inner = values[1:last]
    for n in range(most):
        first, end = n * len(inner) // most, (n + 1) * len(inner) // most
        group = inner[first:end]
        found.append(((first + end + 1) / 2 / last, sum(group) / len(group)))
    return [*found, (1.0, values[last])]
