"""Charts by their kind: what counts in a match, the shares of its sides, the rating of a person.

Lines differ by colour, by dashes, and by the pieces that lie on them. In a match point n is the position
after n turns; of ratings point 0 is the one before the first match that is shown, point n the one after n.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isclose, isfinite
from typing import Final

from PIL import Image, ImageDraw

from games.engine.lookback import MaterialChart, ShareChart, WinChart
from games.engine.message import Msg
from render.chart_frame import (
    FOOT,
    LEFT,
    PLOT_HEIGHT,
    RIGHT,
    UPSCALE,
    WIDTH,
    draw_axes,
    flag_image,
    flag_size,
    paste_flag,
    plot,
    plot_points,
    plot_room,
    thinned,
    write_headline,
    write_legend,
)
from render.geometry import FULL_UNIT, HEADLINE_HEIGHT, Box
from render.glyphs import interned_glyphs
from render.png import encode
from render.themes import Theme, theme_of, to_palette
from render.win_chart import draw_win_chart


def draw_share_chart(chart: ShareChart, say: Callable[[Msg], str], *, theme: str = "classic") -> bytes:
    """Return the chart as PNG; equal charts in one language give equal bytes.

    Raises ValueError for no points, points that aren't shares of the sides, a flag off the chart, and an
    unknown theme.
    """
    _check_shares(chart)
    look = theme_of(theme)
    size, room = plot_room(len(chart.sides))
    points = chart.points if len(chart.points) > 1 else chart.points * 2
    image = Image.new("RGB", size, look.inks["paper"])
    lines = [plot_points(room, [point[side] for point in points]) for side in range(len(chart.sides))]
    plotted = plot(look, room, chart.sides, chart.glyphs, lines, (0.25, 0.5, 0.75))
    image.paste(plotted, (room.x, room.y))
    draw_axes(image, look, room, len(points) - 1)
    _draw_share_flags(image, chart, look, room, len(points) - 1)
    write_headline(image, chart.headline, say, look)
    numbers = [f"{round(100 * share)}%" for share in chart.points[-1]]
    write_legend(image, look, chart.sides, chart.glyphs, numbers, say)
    return encode(to_palette(image, theme))


def _check_shares(chart: ShareChart) -> None:
    if not chart.points:
        raise ValueError("a chart needs a point")
    for n, point in enumerate(chart.points):
        whole = len(point) == len(chart.sides) and isclose(sum(point), 1.0, abs_tol=1e-3)
        if not whole or not all(0 <= share <= 1 for share in point):
            raise ValueError(f"point {n} isn't shares of {len(chart.sides)} sides: {point}")
    for at, side in chart.flags:
        if at not in range(len(chart.points)) or side not in range(len(chart.sides)):
            raise ValueError(f"a flag off the chart: side {side} at point {at}")


def _draw_share_flags(image: Image.Image, chart: ShareChart, theme: Theme, room: Box, turns: int) -> None:
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


_MOST_STEPS = 6
"""Maximum number of lines across the plot."""
_STEPS = (1, 2, 5)
_EDGE = 0.025
"""Part of the plot that is left free above and below."""


def draw_material_chart(chart: MaterialChart, say: Callable[[Msg], str], *, theme: str = "classic") -> bytes:
    """Return the chart as PNG; equal charts in one language give equal bytes.

    Raises ValueError for no points, points that aren't a number of at least 0 for each seat, a flag off the
    chart, and an unknown theme.
    """
    _check_counts(chart)
    look = theme_of(theme)
    size, room = plot_room(len(chart.seats))
    points = chart.points if len(chart.points) > 1 else chart.points * 2
    highest = max(1.0, *(value for point in points for value in point))
    step = step_for(highest)
    most = step * -(-highest // step)
    image = Image.new("RGB", size, look.inks["paper"])
    lines = [
        plot_points(room, [_height(point[seat], most) for point in points])
        for seat in range(len(chart.seats))
    ]
    heights = [(_height(n * step, most), str(n * step)) for n in range(round(most / step) + 1)]
    plotted = plot(look, room, chart.seats, chart.glyphs, lines, [height for height, _ in heights])
    image.paste(plotted, (room.x, room.y))
    draw_axes(image, look, room, len(points) - 1, heights)
    _draw_count_flags(image, chart, look, room, most)
    write_headline(image, chart.headline, say, look)
    numbers = [f"{n:g}" for n in chart.points[-1]]
    write_legend(image, look, chart.seats, chart.glyphs, numbers, say)
    return encode(to_palette(image, theme))


def step_for(most: float) -> int:
    """Return the distance of the lines across a plot whose highest value is `most`: 1, 2, 5, 10, 20 ..."""
    scale = 1
    while True:
        for step in _STEPS:
            if most <= step * scale * _MOST_STEPS:
                return step * scale
        scale *= 10


def _height(value: float, most: float) -> float:
    """Return the height of a value in the plot, from 0 to 1; lines at its edges are fully visible."""
    return _EDGE + (1 - 2 * _EDGE) * value / most


def _check_counts(chart: MaterialChart) -> None:
    if not chart.points:
        raise ValueError("a chart needs a point")
    for n, point in enumerate(chart.points):
        if len(point) != len(chart.seats) or not all(isfinite(value) and value >= 0 for value in point):
            raise ValueError(f"point {n} isn't a number for each of {len(chart.seats)} seats: {point}")
    for at, seat in chart.flags:
        if at not in range(len(chart.points)) or seat not in range(len(chart.seats)):
            raise ValueError(f"a flag off the chart: seat {seat} at point {at}")


def _draw_count_flags(image: Image.Image, chart: MaterialChart, theme: Theme, room: Box, most: float) -> None:
    """Mark each moment by a dot and a flag with the seat's piece and the number of the turn."""
    glyphs = interned_glyphs(chart.glyphs, (panel.glyph for panel in chart.seats))
    pen, turns = ImageDraw.Draw(image), max(1, len(chart.points) - 1)
    taken: list[tuple[int, int, int]] = []
    for at, seat in sorted(chart.flags):
        panel, text = chart.seats[seat], str(at)
        x = room.x + room.width * at / turns
        y = room.y + room.height * (1 - _height(chart.points[at][seat], most))
        wide, high = flag_size(text)
        left = min(max(round(x - wide / 2), room.x + 4), room.x + room.width - wide - 4)
        top = round(y - FULL_UNIT * 0.75) if y > room.y + FULL_UNIT else round(y + FULL_UNIT * 0.25)
        while any(abs(left - x0) < (wide + w0) / 2 + 4 and abs(top - y0) < high for x0, y0, w0 in taken):
            top -= high + 2
        top = max(top, room.y + 4)
        taken.append((left, top, wide))
        reach = FULL_UNIT * 0.09
        pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=theme.inks["mark"])
        shape = glyphs[panel.glyph].shape
        paste_flag(image, flag_image(theme, panel, shape, text, (wide, high)), (left, top))


def draw_chart(
    chart: WinChart | ShareChart | MaterialChart, say: Callable[[Msg], str], *, theme: str = "classic"
) -> bytes:
    """Return a chart as PNG. Raises ValueError as the functions for each kind do."""
    if isinstance(chart, MaterialChart):
        return draw_material_chart(chart, say, theme=theme)
    if isinstance(chart, WinChart):
        return draw_win_chart(chart, say, theme=theme)
    return draw_share_chart(chart, say, theme=theme)


_MOST_POINTS: Final = 200
"""Maximum number of points that are drawn; those of more matches are averaged."""
_RATING_STEPS: Final = (50, 100, 200, 500, 1000, 2000)
"""Distances of the lines across the plot, in points of rating."""
_MOST_LINES: Final = 7


@dataclass(frozen=True, slots=True)
class RatingChart:
    """A rating in points with its uncertainty, before the first match and after each one."""

    points: tuple[tuple[float, float], ...]
    headline: Msg


def draw_rating_chart(chart: RatingChart, say: Callable[[Msg], str], *, theme: str = "classic") -> bytes:
    """Return the chart as PNG; equal charts in one language give equal bytes.

    Raises ValueError for fewer than two points, a point that is no number or an uncertainty below 0, and an
    unknown theme.
    """
    if len(chart.points) < 2 or not all(isfinite(mu) and 0 <= sigma < 1e6 for mu, sigma in chart.points):
        raise ValueError("a chart needs two ratings with their uncertainty")
    look, unit = theme_of(theme), FULL_UNIT
    low = min(mu - sigma for mu, sigma in chart.points)
    high = max(mu + sigma for mu, sigma in chart.points)
    step = next((one for one in _RATING_STEPS if (high - low) / one <= _MOST_LINES), _RATING_STEPS[-1])
    least, most = step * (low // step), step * -(-high // step)
    top, left = round(unit * HEADLINE_HEIGHT), round(unit * LEFT)
    wide = round(unit * WIDTH)
    room = Box(left, top, wide - left - round(unit * RIGHT), round(unit * PLOT_HEIGHT))
    image = Image.new("RGB", (wide, top + room.height + round(unit * FOOT)), look.inks["paper"])
    heights = [
        ((value - least) / (most - least), str(value)) for value in range(round(least), round(most) + 1, step)
    ]
    lines = [
        [(x, (value - least) / (most - least)) for x, value in thinned(values, _MOST_POINTS)]
        for values in (
            [mu for mu, _ in chart.points],
            [mu + sigma for mu, sigma in chart.points],
            [mu - sigma for mu, sigma in chart.points],
        )
    ]
    image.paste(_plot(look, room, lines, [height for height, _ in heights]), (room.x, room.y))
    draw_axes(image, look, room, len(chart.points) - 1, heights)
    write_headline(image, chart.headline, say, look)
    return encode(to_palette(image, theme))


def _plot(
    theme: Theme, room: Box, lines: list[list[tuple[float, float]]], heights: list[float]
) -> Image.Image:
    """Return the plot: the band under lines across it, and the rating over both."""
    wide, high, thick = room.width * UPSCALE, room.height * UPSCALE, FULL_UNIT * UPSCALE
    line, upper, lower = ([(x * wide, (1 - y) * high) for x, y in each] for each in lines)
    image = Image.new("RGB", (wide, high), theme.inks["space"])
    pen = ImageDraw.Draw(image)
    pen.polygon([*upper, *reversed(lower)], fill=theme.marked_space(1))
    for height in heights:
        y, half = high * (1 - height), thick * 0.008
        pen.rectangle((0, y - half, wide, y + half), fill=theme.inks["faint"])
    pen.rectangle((0, 0, wide - 1, high - 1), outline=theme.inks["faint"], width=round(thick * 0.03))
    for width, colour in ((0.12, theme.inks["space"]), (0.06, theme.inks["text"])):
        pen.line(line, fill=colour, width=round(thick * width), joint="curve")
    x, y = line[-1]
    reach = thick * 0.1
    pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=theme.inks["text"])
    return image.reduce(UPSCALE)
