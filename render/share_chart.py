"""The shares of three or more sides of a match over its turns: a line for each.

Lines differ by colour, by dashes, and by the pieces that lie on them. Point n is the position after n turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle, pairwise
from math import hypot, isclose
from typing import Final

from PIL import Image, ImageDraw

from games.engine.message import Msg
from games.engine.scene import Panel, ShareChart
from render import fonts
from render.chart_frame import (
    FOOT,
    LEFT,
    RIGHT,
    UPSCALE,
    WIDTH,
    draw_axes,
    flag_image,
    flag_size,
    paste_flag,
    piece_image,
    thinned,
    write_headline,
)
from render.geometry import FULL_UNIT, HEADLINE_HEIGHT, Box
from render.glyphs import interned_glyphs
from render.palette import to_palette
from render.pieces import draw_flat
from render.png import encode
from render.themes import Theme, theme_of

PLOT_HEIGHT = 4.9
"""Height of the plot, in units."""
_LEGEND_ROW = 0.62
_PER_ROW = 3
_MOST_POINTS = 120
"""Maximum number of points that are drawn; those of longer matches are averaged."""
_DASHES: Final = ((), (0.5, 0.22), (0.1, 0.17), (0.55, 0.17, 0.1, 0.17), (0.26, 0.26), (0.36, 0.12))
"""Lengths of dashes and gaps in turn, in units, by side; the first line is solid."""
_LINE = 0.075
_Points = list[tuple[float, float]]


def draw_share_chart(chart: ShareChart, say: Callable[[Msg], str], *, theme: str = "classic") -> bytes:
    """Return the chart as PNG; equal charts in one language give equal bytes.

    Raises ValueError for no points, points that aren't shares of the sides, a flag off the chart, and an
    unknown theme.
    """
    _check(chart)
    look, unit = theme_of(theme), FULL_UNIT
    rows = -(-len(chart.sides) // _PER_ROW)
    top = round(unit * (HEADLINE_HEIGHT + rows * _LEGEND_ROW + 0.12))
    size = (round(unit * WIDTH), top + round(unit * (PLOT_HEIGHT + FOOT)))
    left = round(unit * LEFT)
    room = Box(left, top, size[0] - left - round(unit * RIGHT), round(unit * PLOT_HEIGHT))
    points = chart.points if len(chart.points) > 1 else chart.points * 2
    image = Image.new("RGB", size, look.inks["paper"])
    lines = [
        [
            (room.width * x, room.height * (1 - share))
            for x, share in thinned([point[side] for point in points], _MOST_POINTS)
        ]
        for side in range(len(chart.sides))
    ]
    image.paste(_plot(chart, look, room, lines), (room.x, room.y))
    draw_axes(image, look, room, len(points) - 1)
    _draw_flags(image, chart, look, room, len(points) - 1)
    write_headline(image, chart.headline, say, look)
    _write_legend(image, chart, say, look)
    return encode(to_palette(image, theme))


def _check(chart: ShareChart) -> None:
    if not chart.points:
        raise ValueError("a chart needs a point")
    for n, point in enumerate(chart.points):
        whole = len(point) == len(chart.sides) and isclose(sum(point), 1.0, abs_tol=1e-3)
        if not whole or not all(0 <= share <= 1 for share in point):
            raise ValueError(f"point {n} isn't shares of {len(chart.sides)} sides: {point}")
    for at, side in chart.flags:
        if at not in range(len(chart.points)) or side not in range(len(chart.sides)):
            raise ValueError(f"a flag off the chart: side {side} at point {at}")


def _plot(chart: ShareChart, theme: Theme, room: Box, lines: Sequence[_Points]) -> Image.Image:
    wide, high, thick = room.width * UPSCALE, room.height * UPSCALE, FULL_UNIT * UPSCALE
    image = Image.new("RGB", (wide, high), theme.inks["space"])
    pen = ImageDraw.Draw(image)
    for share in (0.25, 0.5, 0.75):
        y, half = high * share, thick * 0.008
        pen.rectangle((0, y - half, wide, y + half), fill=theme.inks["faint"])
    pen.rectangle((0, 0, wide - 1, high - 1), outline=theme.inks["faint"], width=round(thick * 0.03))
    fine = [[(x * UPSCALE, y * UPSCALE) for x, y in line] for line in lines]
    for nth, (panel, line) in enumerate(zip(chart.sides, fine, strict=True)):
        _draw_line(pen, theme, panel, nth, line)
    glyphs = interned_glyphs(chart.glyphs, (panel.glyph for panel in chart.sides))
    for nth, (panel, line) in enumerate(zip(chart.sides, fine, strict=True)):
        for part in (0.3, 0.8):
            x, y = _point_at(line, wide * (part + 0.35 * (nth + 0.5) / len(fine) - 0.17))
            y = min(max(y, thick * 0.2), high - thick * 0.2)
            draw_flat(image, theme, panel.ink, glyphs[panel.glyph].shape, (x, y), thick * 0.38)
    return image.reduce(UPSCALE)


def _draw_line(pen: ImageDraw.ImageDraw, theme: Theme, panel: Panel, nth: int, line: _Points) -> None:
    """Draw a side's line in its dashes, with an outline that is visible on any background."""
    thick = FULL_UNIT * UPSCALE
    parts = [line] if not _DASHES[nth % 6] else _dashed(line, [length * thick for length in _DASHES[nth % 6]])
    for width, colour in ((_LINE + 0.04, theme.outline(panel.ink)), (_LINE, theme.inks[panel.ink])):
        for part in parts:
            pen.line(part, fill=colour, width=round(thick * width), joint="curve")


def _dashed(line: _Points, lengths: Sequence[float]) -> list[_Points]:
    """Return the dashes of a line, by the lengths of dashes and gaps in turn."""
    pattern, parts = cycle(lengths), list[_Points]()
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


def _point_at(line: _Points, x: float) -> tuple[float, float]:
    """Return the point of a line at a place."""
    for (x0, y0), (x1, y1) in pairwise(line):
        if x0 <= x <= x1 and x1 > x0:
            return x, y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return line[-1]


def _draw_flags(image: Image.Image, chart: ShareChart, theme: Theme, room: Box, turns: int) -> None:
    """Draw a flag with the side's piece and the number of the turn where a mistake was made."""
    glyphs = interned_glyphs(chart.glyphs, (panel.glyph for panel in chart.sides))
    pen = ImageDraw.Draw(image)
    taken: list[tuple[int, int, int]] = []
    for at, side in sorted(chart.flags):
        panel, text = chart.sides[side], str(at + 1)
        x = room.x + room.width * (at + 0.5) / max(1, turns)
        y = room.y + room.height * (1 - chart.points[at][side])
        wide, high = flag_size(text)
        left = min(max(round(x - wide / 2), room.x + 4), room.x + room.width - wide - 4)
        top = round(y - FULL_UNIT * 0.75) if y > room.y + FULL_UNIT else round(y + FULL_UNIT * 0.25)
        while any(abs(left - x0) < wide and abs(top - y0) < high for x0, y0, _ in taken):
            top += high + 2
        top = min(top, room.y + room.height - high - 4)
        taken.append((left, top, wide))
        reach = FULL_UNIT * 0.09
        pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=theme.inks["mark"])
        paste_flag(
            image, flag_image(theme, panel, glyphs[panel.glyph].shape, text, (wide, high)), (left, top)
        )


def _write_legend(image: Image.Image, chart: ShareChart, say: Callable[[Msg], str], theme: Theme) -> None:
    """Write each side's line, piece, name and final share."""
    glyphs = interned_glyphs(chart.glyphs, (panel.glyph for panel in chart.sides))
    across = _PER_ROW if len(chart.sides) != 4 else 2
    left, unit = round(FULL_UNIT * LEFT), FULL_UNIT
    cell = (image.width - left - round(unit * RIGHT)) // across
    side, sample = round(unit * 0.42), round(unit * 0.95)
    for nth, panel in enumerate(chart.sides):
        x = left + cell * (nth % across)
        y = round(unit * (HEADLINE_HEIGHT + 0.2 + _LEGEND_ROW * (nth // across)))
        strip = Image.new("RGB", (sample * UPSCALE, side * UPSCALE), theme.inks["paper"])
        middle = side * UPSCALE / 2
        _draw_line(ImageDraw.Draw(strip), theme, panel, nth, [(0, middle), (sample * UPSCALE, middle)])
        image.paste(strip.reduce(UPSCALE), (x, y - side // 2))
        piece = piece_image(theme, panel, glyphs[panel.glyph].shape, side)
        image.paste(piece, (x + sample + round(unit * 0.08), y - side // 2))
        at = x + sample + side + round(unit * 0.18)
        number = f"{round(100 * chart.points[-1][nth])}%"
        size = round(unit * 0.3)
        taken = fonts.width(number, size, bold=True) + unit * 0.25
        name, fitted = fonts.fit(
            say(panel.name), x + cell - at - taken, size, min_size=round(unit * 0.2), bold=True
        )
        fonts.write(image, (at, y), name, fitted, theme.inks["text"], bold=True)
        end = at + fonts.width(name, fitted, bold=True) + unit * 0.14
        fonts.write(image, (end, y), number, size, theme.inks["faint"], bold=True)
