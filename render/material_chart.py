"""What counts in a match over its turns, such as countries: a line for each seat.

Lines differ by colour, by dashes, and by the pieces that lie on them. Point n is the position after n turns.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

from PIL import Image, ImageDraw

from games.engine.lookback import MaterialChart
from games.engine.message import Msg
from render.chart_frame import draw_axes, flag_image, flag_size, paste_flag, write_headline
from render.chart_lines import plot, plot_points, plot_room, write_legend
from render.geometry import FULL_UNIT, Box
from render.glyphs import interned_glyphs
from render.palette import to_palette
from render.png import encode
from render.themes import Theme, theme_of

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
    _check(chart)
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
    _draw_flags(image, chart, look, room, most)
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


def _check(chart: MaterialChart) -> None:
    if not chart.points:
        raise ValueError("a chart needs a point")
    for n, point in enumerate(chart.points):
        if len(point) != len(chart.seats) or not all(isfinite(value) and value >= 0 for value in point):
            raise ValueError(f"point {n} isn't a number for each of {len(chart.seats)} seats: {point}")
    for at, seat in chart.flags:
        if at not in range(len(chart.points)) or seat not in range(len(chart.seats)):
            raise ValueError(f"a flag off the chart: seat {seat} at point {at}")


def _draw_flags(image: Image.Image, chart: MaterialChart, theme: Theme, room: Box, most: float) -> None:
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
