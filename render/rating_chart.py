"""A rating over the matches of a person: a line, and a band of one standard deviation around it.

Point 0 is the rating before the first match that is shown, point n the one after n of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Final

from PIL import Image, ImageDraw

from games.engine.message import Msg
from render.chart_frame import FOOT, LEFT, RIGHT, UPSCALE, WIDTH, draw_axes, thinned, write_headline
from render.chart_lines import PLOT_HEIGHT
from render.geometry import FULL_UNIT, HEADLINE_HEIGHT, Box
from render.palette import to_palette
from render.png import encode
from render.themes import Theme, theme_of

_MOST_POINTS: Final = 200
"""Maximum number of points that are drawn; those of more matches are averaged."""
_STEPS: Final = (50, 100, 200, 500, 1000, 2000)
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
    step = next((one for one in _STEPS if (high - low) / one <= _MOST_LINES), _STEPS[-1])
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
