"""The win-probability curve of a match: the first seat's share lies below the line, the other seat's above.

Point n is the position after n turns. A mistake lies between two points: that stretch of the line is marked,
and a flag beside it shows the seat's glyph and the number of the turn.
"""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image, ImageDraw

from games.engine.message import Msg
from games.engine.scene import Glyph, Panel, WinChart
from render import fonts
from render.colour import contrast
from render.geometry import FULL_UNIT, HEADLINE_HEIGHT, Box
from render.glyphs import interned_glyphs
from render.palette import to_palette
from render.pieces import draw_flat, fill_glyph
from render.png import encode
from render.themes import Theme, theme_of

WIDTH, HEIGHT = 11.52, 6.6
"""Width and height of the picture, in units."""
_UPSCALE = 3
_LEFT, _TOP, _RIGHT, _FOOT = 0.98, 1.62, 0.34, 0.62
"""Margins of the plot, in units."""
_TICK_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500)
_MAX_TICKS = 10


def draw_win_chart(curve: WinChart, say: Callable[[Msg], str], *, theme: str = "classic") -> bytes:
    """Return the chart of a curve as PNG; equal curves in one language give equal bytes.

    Raises ValueError for no points, a point outside of 0 to 1, a flag off the curve or of a seat that isn't
    shown, and an unknown theme.
    """
    _check(curve)
    look = theme_of(theme)
    unit = FULL_UNIT
    size = (round(unit * WIDTH), round(unit * HEIGHT))
    left, top = round(unit * _LEFT), round(unit * _TOP)
    room = Box(left, top, size[0] - left - round(unit * _RIGHT), size[1] - top - round(unit * _FOOT))
    points = curve.points if len(curve.points) > 1 else curve.points * 2
    image = Image.new("RGB", size, look.inks["paper"])
    line = [(room.width * n / (len(points) - 1), room.height * (1 - point)) for n, point in enumerate(points)]
    image.paste(_plot(curve, look, room, line), (room.x, room.y))
    _draw_axes(image, look, room, len(points) - 1)
    _draw_flags(image, curve, look, room, line)
    _write_header(image, curve, say, look)
    return encode(to_palette(image, theme))


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


def _plot(curve: WinChart, theme: Theme, room: Box, line: list[tuple[float, float]]) -> Image.Image:
    """Return the plot: the two areas with their glyphs, the line between them, and its marked parts."""
    wide, high = room.width * _UPSCALE, room.height * _UPSCALE
    fine = [(x * _UPSCALE, y * _UPSCALE) for x, y in line]
    first, second = curve.seats
    image = Image.new("RGB", (wide, high), theme.inks[second.ink])
    mask = Image.new("1", (wide, high))
    ImageDraw.Draw(mask).polygon([*fine, (wide, high), (0, high)], fill=1)
    image.paste(_seat_fill(theme, first, (wide, high)), (0, 0), mask)
    pen = ImageDraw.Draw(image)
    thick = FULL_UNIT * _UPSCALE
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
    _draw_glyphs(image, curve, theme, fine)
    pen.rectangle((0, 0, wide - 1, high - 1), outline=theme.inks["faint"], width=round(thick * 0.03))
    for width, colour in ((0.12, theme.inks["paper"]), (0.055, theme.inks["text"])):
        pen.line(fine, fill=colour, width=round(thick * width), joint="curve")
    for at, _ in curve.flags:
        if at + 1 < len(fine):
            for width, colour in ((0.2, theme.inks["paper"]), (0.13, theme.inks["mark"])):
                pen.line(fine[at : at + 2], fill=colour, width=round(thick * width))
    x, y = fine[-1]
    for radius, colour in ((0.14, theme.inks["paper"]), (0.1, theme.inks["text"])):
        reach = thick * radius
        pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=colour)
    return image.reduce(_UPSCALE)


def _seat_fill(theme: Theme, panel: Panel, size: tuple[int, int]) -> Image.Image:
    """Return the fill of the first seat's area: plain, or striped in themes with patterns."""
    image = Image.new("RGB", size, theme.inks[panel.ink])
    if theme.patterns:
        pen = ImageDraw.Draw(image)
        step = FULL_UNIT * _UPSCALE // 3
        for x in range(-size[1], size[0], step):
            pen.line(
                (x, size[1], x + size[1], 0),
                fill=theme.hatch(panel.ink),
                width=max(1, FULL_UNIT * _UPSCALE // 60),
            )
    return image


def _draw_glyphs(image: Image.Image, curve: WinChart, theme: Theme, line: list[tuple[float, float]]) -> None:
    """Draw each seat's glyph where its area is broadest, if there is room."""
    side = FULL_UNIT * _UPSCALE * 0.62
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


def _draw_axes(image: Image.Image, theme: Theme, room: Box, turns: int) -> None:
    """Write percentages to the left and numbers of turns below."""
    size, colour = round(FULL_UNIT * 0.27), theme.inks["faint"]
    for percent in (0, 25, 50, 75, 100):
        y = room.y + room.height * (100 - percent) / 100
        fonts.write(image, (room.x - FULL_UNIT * 0.1, y), f"{percent}%", size, colour, bold=True, anchor="rm")
    step = next((step for step in _TICK_STEPS if turns / step <= _MAX_TICKS), turns)
    pen = ImageDraw.Draw(image)
    foot = room.y + room.height
    for turn in range(0, turns + 1, step):
        x = room.x + room.width * turn / turns
        pen.line((x, foot, x, foot + FULL_UNIT * 0.1), fill=colour, width=2)
        fonts.write(image, (x, foot + FULL_UNIT * 0.3), str(turn), size, colour, bold=True, anchor="mm")


def _draw_flags(
    image: Image.Image, curve: WinChart, theme: Theme, room: Box, line: list[tuple[float, float]]
) -> None:
    """Draw a flag with the seat's glyph and the number of the turn beside each marked part of the line."""
    glyphs = interned_glyphs(curve.glyphs, (panel.glyph for panel in curve.seats))
    panels = {panel.seat: panel for panel in curve.seats}
    for at, seat in curve.flags:
        (x0, y0), (x1, y1) = line[at], line[min(at + 1, len(line) - 1)]
        text = str(at + 1)
        wide = round(FULL_UNIT * 0.66 + fonts.width(text, round(FULL_UNIT * 0.28), bold=True))
        high = round(FULL_UNIT * 0.5)
        away = FULL_UNIT * 0.52 if panels[seat] is curve.seats[0] else -FULL_UNIT * 0.52
        x = min(max(round((x0 + x1) / 2 - wide / 2), 4), room.width - wide - 4)
        y = min(max(round((y0 + y1) / 2 - away - high / 2), 4), room.height - high - 4)
        plate = _flag_image(theme, panels[seat], glyphs[panels[seat].glyph].shape, text, (wide, high))
        mask = Image.new("L", (wide * _UPSCALE, high * _UPSCALE))
        ImageDraw.Draw(mask).rounded_rectangle(
            (0, 0, wide * _UPSCALE - 1, high * _UPSCALE - 1), high * _UPSCALE / 2, fill=255
        )
        image.paste(plate, (room.x + x, room.y + y), mask.reduce(_UPSCALE))


def _flag_image(theme: Theme, panel: Panel, glyph: Glyph, text: str, size: tuple[int, int]) -> Image.Image:
    wide, high = size
    large = Image.new("RGB", (wide * _UPSCALE, high * _UPSCALE), theme.active_card)
    ImageDraw.Draw(large).rounded_rectangle(
        (0, 0, wide * _UPSCALE - 1, high * _UPSCALE - 1),
        high * _UPSCALE / 2,
        outline=theme.inks["mark"],
        width=round(FULL_UNIT * 0.05 * _UPSCALE),
    )
    middle = high * _UPSCALE / 2
    draw_flat(large, theme, panel.ink, glyph, (middle, middle), high * _UPSCALE * 0.74)
    small = large.reduce(_UPSCALE)
    fonts.write(small, (high * 0.98, high / 2), text, round(FULL_UNIT * 0.28), theme.inks["text"], bold=True)
    return small


def _write_header(image: Image.Image, curve: WinChart, say: Callable[[Msg], str], theme: Theme) -> None:
    """Write the headline, and below it each seat's piece, name and final chance."""
    margin = round(FULL_UNIT * 0.2)
    inner = image.width - 2 * margin
    text, size = fonts.fit(
        say(curve.headline), inner, round(FULL_UNIT * 0.38), min_size=round(FULL_UNIT * 0.24), bold=True
    )
    fonts.write(image, (margin, FULL_UNIT * HEADLINE_HEIGHT / 2), text, size, theme.inks["text"], bold=True)
    share = round(100 * curve.points[-1])
    glyphs = interned_glyphs(curve.glyphs, (panel.glyph for panel in curve.seats))
    side, y = round(FULL_UNIT * 0.46), round(FULL_UNIT * 1.2)
    x = round(FULL_UNIT * _LEFT)
    half = (image.width - x - round(FULL_UNIT * _RIGHT)) // 2
    for panel, percent in zip(curve.seats, (share, 100 - share), strict=True):
        large = Image.new("RGB", (side * _UPSCALE, side * _UPSCALE), theme.inks["paper"])
        middle = side * _UPSCALE / 2
        draw_flat(
            large, theme, panel.ink, glyphs[panel.glyph].shape, (middle, middle), side * _UPSCALE * 0.96
        )
        image.paste(large.reduce(_UPSCALE), (x, y - side // 2))
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
