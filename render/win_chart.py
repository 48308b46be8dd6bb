"""The win-probability curve of a match: the first seat's share lies below the line, the other seat's above.

Point n is the position after n turns. A mistake lies between two points: that stretch of the line is marked,
and a flag beside it shows the seat's glyph and the number of the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PIL import Image, ImageDraw

from games.engine.lookback import WinChart
from games.engine.message import Msg
from games.engine.scene import Panel
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
from render.colour import contrast
from render.geometry import FULL_UNIT, Box
from render.glyphs import interned_glyphs
from render.piled_pieces import fill_glyph
from render.png import encode
from render.themes import Theme, theme_of, to_palette

HEIGHT = 6.6
"""Height of the picture, in units."""
_TOP = 1.62
"""Margin above the plot, in units."""
_MOST_POINTS = 400
"""Maximum number of points that are drawn; those of longer matches are averaged."""
_BAND = 0.3
"""Share of the paper in the band of uncertainty."""


def draw_win_chart(curve: WinChart, say: Callable[[Msg], str], *, theme: str = "classic") -> bytes:
    """Return the chart of a curve as PNG; equal curves in one language give equal bytes.

    Raises ValueError for no points, a point outside of 0 to 1, a flag off the curve or of a seat that isn't
    shown, and an unknown theme.
    """
    _check(curve)
    look = theme_of(theme)
    unit = FULL_UNIT
    size = (round(unit * WIDTH), round(unit * HEIGHT))
    left, top = round(unit * LEFT), round(unit * _TOP)
    room = Box(left, top, size[0] - left - round(unit * RIGHT), size[1] - top - round(unit * FOOT))
    points = curve.points if len(curve.points) > 1 else curve.points * 2
    errors = curve.errors if len(curve.errors) == len(points) else (0.0,) * len(points)
    image = Image.new("RGB", size, look.inks["paper"])
    line = [(room.width * n / (len(points) - 1), room.height * (1 - point)) for n, point in enumerate(points)]
    shown = _on_plot(room, points)
    bounds = [
        _on_plot(room, [min(1.0, max(0.0, p + sign * e)) for p, e in zip(points, errors, strict=True)])
        for sign in (1, -1)
    ]
    band = [*bounds[0], *reversed(bounds[1])] if any(errors) else []
    image.paste(_plot(curve, look, room, line, shown, band), (room.x, room.y))
    draw_axes(image, look, room, len(points) - 1)
    _draw_flags(image, curve, look, room, line)
    _write_header(image, curve, say, look)
    return encode(to_palette(image, theme))


def _on_plot(room: Box, values: Sequence[float]) -> list[tuple[float, float]]:
    """Return a curve in pixels of the plot, thinned out where there are too many points."""
    return [(room.width * x, room.height * (1 - value)) for x, value in thinned(values, _MOST_POINTS)]


def _check(curve: WinChart) -> None:
    if not curve.points:
        raise ValueError("a curve needs a point")
    for n, point in enumerate(curve.points):
        if not 0 <= point <= 1:
            raise ValueError(f"point {n} isn't a probability: {point}")
    seats = {panel.seat for panel in curve.seats}
    for at, seat in curve.flags:
        if at not in range(len(curve.points)) or seat not in seats:
            raise ValueError(f"a flag off the curve or of an unknown seat: seat {seat} at point {at}")


def _plot(
    curve: WinChart,
    theme: Theme,
    room: Box,
    line: list[tuple[float, float]],
    shown: list[tuple[float, float]],
    band: list[tuple[float, float]],
) -> Image.Image:
    """Return the plot: the two areas with their glyphs, the line between them, and its marked parts.

    `line` has all points, of which `shown` are drawn; `band` is the outline of the uncertainty.
    """
    wide, high = room.width * UPSCALE, room.height * UPSCALE
    every, fine, edge = ([(x * UPSCALE, y * UPSCALE) for x, y in points] for points in (line, shown, band))
    first, second = curve.seats
    image = Image.new("RGB", (wide, high), theme.inks[second.ink])
    mask = Image.new("1", (wide, high))
    ImageDraw.Draw(mask).polygon([*fine, (wide, high), (0, high)], fill=1)
    image.paste(_seat_fill(theme, first, (wide, high)), (0, 0), mask)
    if edge:
        mask = Image.new("L", (wide, high))
        ImageDraw.Draw(mask).polygon(edge, fill=round(255 * _BAND))
        image.paste(theme.inks["paper"], (0, 0), mask)
    pen = ImageDraw.Draw(image)
    thick = FULL_UNIT * UPSCALE
    grid = max(
        (theme.inks["paper"], theme.inks["text"]),
        key=lambda colour: min(contrast(colour, theme.inks[panel.ink]) for panel in curve.seats),
    )
    for share in (0.25, 0.5, 0.75):
        y, half = high * share, thick * (0.02 if share == 0.5 else 0.008)
        step = thick * 0.2
        for k in range(int(wide / step) + 1):
            end = (k + (1 if share == 0.5 else 0.5)) * step
            pen.rectangle((k * step, y - half, end, y + half), fill=grid)
    _draw_glyphs(image, curve, theme, every)
    pen.rectangle((0, 0, wide - 1, high - 1), outline=theme.inks["faint"], width=round(thick * 0.03))
    for width, colour in ((0.12, theme.inks["paper"]), (0.055, theme.inks["text"])):
        pen.line(fine, fill=colour, width=round(thick * width), joint="curve")
    for at in (*curve.marks, *(at for at, _ in curve.flags)):
        if at + 1 < len(every):
            _mark_mistake(pen, theme, every[at], every[at + 1])
    x, y = fine[-1]
    for radius, colour in ((0.14, theme.inks["paper"]), (0.1, theme.inks["text"])):
        reach = thick * radius
        pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=colour)
    return image.reduce(UPSCALE)


def _mark_mistake(
    pen: ImageDraw.ImageDraw, theme: Theme, start: tuple[float, float], end: tuple[float, float]
) -> None:
    """Mark the stretch of the line between two points; in a long match it is hardly more than a dot."""
    thick = FULL_UNIT * UPSCALE
    for width, colour in ((0.2, theme.inks["paper"]), (0.13, theme.inks["mark"])):
        pen.line((start, end), fill=colour, width=round(thick * width))
        if end[0] - start[0] < thick * 0.2:
            for x, y in (start, end):
                reach = thick * width / 2
                pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=colour)


def _seat_fill(theme: Theme, panel: Panel, size: tuple[int, int]) -> Image.Image:
    """Return the fill of the first seat's area: plain, or striped in themes with patterns."""
    image = Image.new("RGB", size, theme.inks[panel.ink])
    if theme.patterns:
        pen = ImageDraw.Draw(image)
        step = FULL_UNIT * UPSCALE // 3
        for x in range(-size[1], size[0], step):
            pen.line(
                (x, size[1], x + size[1], 0),
                fill=theme.hatch(panel.ink),
                width=max(1, FULL_UNIT * UPSCALE // 60),
            )
    return image


def _draw_glyphs(image: Image.Image, curve: WinChart, theme: Theme, line: list[tuple[float, float]]) -> None:
    """Draw each seat's glyph where its area is broadest, if there is room."""
    side = FULL_UNIT * UPSCALE * 0.62
    glyphs = interned_glyphs(curve.glyphs, (panel.glyph for panel in curve.seats))
    flags = [line[at][0] for at, _ in curve.flags]
    inside = [(x, y) for x, y in line if side <= x <= image.width - side] or [line[len(line) // 2]]
    inside = [spot for spot in inside if all(abs(spot[0] - x) > 2 * side for x in flags)] or inside
    x, y = max(inside, key=lambda point: image.height - point[1])
    spots = [(x, (y + image.height) / 2, image.height - y)]
    x, y = max(inside, key=lambda point: point[1])
    spots.append((x, y / 2, y))
    for panel, (x, y, depth) in zip(curve.seats, spots, strict=True):
        if depth > side * 1.6:
            fill_glyph(image, glyphs[panel.glyph].shape, (x, y), (side, side), theme.glyph(panel.ink))


def _draw_flags(
    image: Image.Image, curve: WinChart, theme: Theme, room: Box, line: list[tuple[float, float]]
) -> None:
    """Draw a flag with the seat's glyph and the number of the turn beside each marked part of the line."""
    glyphs = interned_glyphs(curve.glyphs, (panel.glyph for panel in curve.seats))
    panels = {panel.seat: panel for panel in curve.seats}
    for at, seat in curve.flags:
        (x0, y0), (x1, y1) = line[at], line[min(at + 1, len(line) - 1)]
        text = str(at + 1)
        wide, high = flag_size(text)
        away = FULL_UNIT * 0.52 if panels[seat] is curve.seats[0] else -FULL_UNIT * 0.52
        x = min(max(round((x0 + x1) / 2 - wide / 2), 4), room.width - wide - 4)
        y = min(max(round((y0 + y1) / 2 - away - high / 2), 4), room.height - high - 4)
        plate = flag_image(theme, panels[seat], glyphs[panels[seat].glyph].shape, text, (wide, high))
        paste_flag(image, plate, (room.x + x, room.y + y))


def _write_header(image: Image.Image, curve: WinChart, say: Callable[[Msg], str], theme: Theme) -> None:
    """Write the headline, and below it each seat's piece, name and final chance."""
    write_headline(image, curve.headline, say, theme)
    share = round(100 * curve.points[-1])
    glyphs = interned_glyphs(curve.glyphs, (panel.glyph for panel in curve.seats))
    side, y = round(FULL_UNIT * 0.46), round(FULL_UNIT * 1.2)
    x = round(FULL_UNIT * LEFT)
    half = (image.width - x - round(FULL_UNIT * RIGHT)) // 2
    for panel, percent in zip(curve.seats, (share, 100 - share), strict=True):
        image.paste(piece_image(theme, panel, glyphs[panel.glyph].shape, side), (x, y - side // 2))
        at = x + side + round(FULL_UNIT * 0.12)
        number = f"{percent}%"
        taken = fonts.width(number, round(FULL_UNIT * 0.32), bold=True) + FULL_UNIT * 0.3
        name, size = fonts.fit(
            say(panel.name),
            x + half - at - taken,
            round(FULL_UNIT * 0.32),
            min_size=round(FULL_UNIT * 0.2),
            bold=True,
        )
        fonts.write(image, (at, y), name, size, theme.inks["text"], bold=True)
        end = at + fonts.width(name, size, bold=True) + FULL_UNIT * 0.16
        fonts.write(image, (end, y), number, round(FULL_UNIT * 0.32), theme.inks["faint"], bold=True)
        x += half
