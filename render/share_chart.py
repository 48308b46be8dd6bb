"""The shares of three or more sides of a match over its turns: a line for each.

Lines differ by colour, by dashes, and by the pieces that lie on them. Point n is the position after n turns.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isclose

from PIL import Image, ImageDraw

from games.engine.lookback import ShareChart
from games.engine.message import Msg
from render.chart_frame import draw_axes, flag_image, flag_size, paste_flag, write_headline
from render.chart_lines import plot, plot_points, plot_room, write_legend
from render.geometry import FULL_UNIT, Box
from render.glyphs import interned_glyphs
from render.palette import to_palette
from render.png import encode
from render.themes import Theme, theme_of


def draw_share_chart(chart: ShareChart, say: Callable[[Msg], str], *, theme: str = "classic") -> bytes:
    """Return the chart as PNG; equal charts in one language give equal bytes.

    Raises ValueError for no points, points that aren't shares of the sides, a flag off the chart, and an
    unknown theme.
    """
    _check(chart)
    look = theme_of(theme)
    size, room = plot_room(len(chart.sides))
    points = chart.points if len(chart.points) > 1 else chart.points * 2
    image = Image.new("RGB", size, look.inks["paper"])
    lines = [plot_points(room, [point[side] for point in points]) for side in range(len(chart.sides))]
    plotted = plot(look, room, chart.sides, chart.glyphs, lines, (0.25, 0.5, 0.75))
    image.paste(plotted, (room.x, room.y))
    draw_axes(image, look, room, len(points) - 1)
    _draw_flags(image, chart, look, room, len(points) - 1)
    write_headline(image, chart.headline, say, look)
    numbers = [f"{round(100 * share)}%" for share in chart.points[-1]]
    write_legend(image, look, chart.sides, chart.glyphs, numbers, say)
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
