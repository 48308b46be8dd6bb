"""What charts share: axes, headline, flags, legends, lines distinguished without colours, thinning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import cycle, pairwise
from math import hypot
from typing import Final, TypeAlias

from PIL import Image, ImageDraw

from games.engine.message import Msg
from games.engine.scene import Glyph, Panel
from render import fonts
from render.geometry import FULL_UNIT, HEADLINE_HEIGHT, Box
from render.glyphs import interned_glyphs
from render.piled_pieces import draw_flat
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


PLOT_HEIGHT = 4.9
"""Height of the plot, in units."""
_MOST_POINTS = 120
"""Maximum number of points that are drawn; those of longer matches are averaged."""
LEGEND_ROW = 0.62
"""Height of a row of the legend, in units."""
PER_ROW = 3
_DASHES: Final = ((), (0.5, 0.22), (0.1, 0.17), (0.55, 0.17, 0.1, 0.17), (0.26, 0.26), (0.36, 0.12))
"""Lengths of dashes and gaps in turn, in units, by line; the first is solid."""
_LINE = 0.075
Points: TypeAlias = list[tuple[float, float]]
"""The points of a line, in pixels."""


def plot_room(lines: int) -> tuple[tuple[int, int], Box]:
    """Return the size of a chart of some lines, and where its plot is, in pixels."""
    unit = FULL_UNIT
    top = round(unit * (HEADLINE_HEIGHT + -(-lines // PER_ROW) * LEGEND_ROW + 0.12))
    wide, left = round(unit * WIDTH), round(unit * LEFT)
    room = Box(left, top, wide - left - round(unit * RIGHT), round(unit * PLOT_HEIGHT))
    return (wide, top + round(unit * (PLOT_HEIGHT + FOOT))), room


def plot_points(room: Box, heights: Sequence[float]) -> Points:
    """Return the points of a line in a plot from heights of 0 to 1 at equal distances, thinned."""
    return [(room.width * x, room.height * (1 - y)) for x, y in thinned(heights, _MOST_POINTS)]


def plot(
    theme: Theme,
    room: Box,
    panels: Sequence[Panel],
    glyphs: Mapping[str, Glyph],
    lines: Sequence[Points],
    heights: Sequence[float],
) -> Image.Image:
    """Return a plot: a line for each panel, over faint lines across it at heights of 0 to 1."""
    wide, high, thick = room.width * UPSCALE, room.height * UPSCALE, FULL_UNIT * UPSCALE
    image = Image.new("RGB", (wide, high), theme.inks["space"])
    pen = ImageDraw.Draw(image)
    for height in heights:
        y, half = high * (1 - height), thick * 0.008
        pen.rectangle((0, y - half, wide, y + half), fill=theme.inks["faint"])
    pen.rectangle((0, 0, wide - 1, high - 1), outline=theme.inks["faint"], width=round(thick * 0.03))
    fine = [[(x * UPSCALE, y * UPSCALE) for x, y in line] for line in lines]
    _draw_lines(image, theme, panels, glyphs, fine)
    return image.reduce(UPSCALE)


def _draw_lines(
    image: Image.Image,
    theme: Theme,
    panels: Sequence[Panel],
    glyphs: Mapping[str, Glyph],
    lines: Sequence[Points],
) -> None:
    """Draw a line for each panel, then its pieces at staggered places; the image is enlarged by `UPSCALE`."""
    wide, high, thick = *image.size, FULL_UNIT * UPSCALE
    pen = ImageDraw.Draw(image)
    for nth, (panel, line) in enumerate(zip(panels, lines, strict=True)):
        draw_line(pen, theme, panel, nth, line)
    shapes = interned_glyphs(glyphs, (panel.glyph for panel in panels))
    for nth, (panel, line) in enumerate(zip(panels, lines, strict=True)):
        for part in (0.3, 0.8):
            x, y = _point_at(line, wide * (part + 0.35 * (nth + 0.5) / len(lines) - 0.17))
            y = min(max(y, thick * 0.2), high - thick * 0.2)
            draw_flat(image, theme, panel.ink, shapes[panel.glyph].shape, (x, y), thick * 0.38)


def draw_line(pen: ImageDraw.ImageDraw, theme: Theme, panel: Panel, nth: int, line: Points) -> None:
    """Draw a panel's line in its dashes, with an outline that is visible on any background."""
    thick = FULL_UNIT * UPSCALE
    parts = [line] if not _DASHES[nth % 6] else _dashed(line, [length * thick for length in _DASHES[nth % 6]])
    for width, colour in ((_LINE + 0.04, theme.outline(panel.ink)), (_LINE, theme.inks[panel.ink])):
        for part in parts:
            pen.line(part, fill=colour, width=round(thick * width), joint="curve")


def _dashed(line: Points, lengths: Sequence[float]) -> list[Points]:
    """Return the dashes of a line, by the lengths of dashes and gaps in turn."""
    pattern, parts = cycle(lengths), list[Points]()
    left, on, part = next(pattern), True, [line[0]]
    for (x0, y0), (x1, y1) in pairwise(line):
        whole = hypot(x1 - x0, y1 - y0)
        gone = 0.0
        while whole - gone > left:
            gone += left
            spot = (x0 + (x1 - x0) * gone / whole, y0 + (y1 - y0) * gone / whole)
            if on:
                parts.append([*part, spot])
            left, on, part = next(pattern), not on, [spot]
        left -= whole - gone
        part.append((x1, y1))
    return [*parts, part] if on and len(part) > 1 else parts


def _point_at(line: Points, x: float) -> tuple[float, float]:
    """Return the point of a line at a place."""
    for (x0, y0), (x1, y1) in pairwise(line):
        if x0 <= x <= x1 and x1 > x0:
            return x, y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return line[-1]


def write_legend(
    image: Image.Image,
    theme: Theme,
    panels: Sequence[Panel],
    glyphs: Mapping[str, Glyph],
    numbers: Sequence[str],
    say: Callable[[Msg], str],
) -> None:
    """Write the line, piece, name and final number of each panel below the headline."""
    shapes = interned_glyphs(glyphs, (panel.glyph for panel in panels))
    across = PER_ROW if len(panels) not in (2, 4) else 2
    left, unit = round(FULL_UNIT * LEFT), FULL_UNIT
    cell = (image.width - left - round(unit * RIGHT)) // across
    side, sample = round(unit * 0.42), round(unit * 0.95)
    for nth, panel in enumerate(panels):
        x = left + cell * (nth % across)
        y = round(unit * (HEADLINE_HEIGHT + 0.2 + LEGEND_ROW * (nth // across)))
        strip = Image.new("RGB", (sample * UPSCALE, side * UPSCALE), theme.inks["paper"])
        middle = side * UPSCALE / 2
        draw_line(ImageDraw.Draw(strip), theme, panel, nth, [(0, middle), (sample * UPSCALE, middle)])
        image.paste(strip.reduce(UPSCALE), (x, y - side // 2))
        piece = piece_image(theme, panel, shapes[panel.glyph].shape, side)
        image.paste(piece, (x + sample + round(unit * 0.08), y - side // 2))
        at = x + sample + side + round(unit * 0.18)
        number = numbers[nth]
        size = round(unit * 0.3)
        taken = fonts.width(number, size, bold=True) + unit * 0.25
        name, fitted = fonts.fit(
            say(panel.name), x + cell - at - taken, size, min_size=round(unit * 0.2), bold=True
        )
        fonts.write(image, (at, y), name, fitted, theme.inks["text"], bold=True)
        end = at + fonts.width(name, fitted, bold=True) + unit * 0.14
        fonts.write(image, (end, y), number, size, theme.inks["faint"], bold=True)
