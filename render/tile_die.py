"""The tile of a die in a line: upright like a domino, the glyph of the face above its pips; or a lost die."""

from __future__ import annotations

from PIL import Image, ImageDraw

from games.engine.scene import Glyph, Ink
from render.colour import RGB
from render.piled_pieces import RIM_PATTERNS, UPSCALE, fill_glyph
from render.themes import Theme, theme_of
from render.tile import Tile
from render.tile_marks import capture_cross, guard_corners

_PIP_ROWS = {1: (1,), 2: (2,), 3: (3,), 4: (2, 2), 5: (3, 2), 6: (3, 3)}
"""The number of pips in each row, for faces one to six."""


def draw(tile: Tile) -> Image.Image:
    """Return the tile in full colour."""
    theme = theme_of(tile.theme)
    wide, high = tile.cell * UPSCALE, tile.height * UPSCALE
    image = Image.new("RGB", (wide, high), theme.inks["board"])
    pen = ImageDraw.Draw(image)
    marks, mark = tile.marks, theme.inks["mark"]
    box = (wide * 0.02, wide * 0.02, wide * 0.98 - 1, high - wide * 0.02 - 1)
    radius = wide * 0.15
    inner, within = (box, radius) if marks.isdisjoint(("to", "from")) else _frame(pen, mark, wide, high)
    pen.rounded_rectangle(inner, within, fill=theme.inks["space" if tile.discs else "paper"])
    if not tile.discs:
        _empty_place(pen, theme, wide, high)
    if tile.discs:
        glyph, ink = tile.discs[-1]
        _die(image, theme, glyph.shape, ink, tile.pips, (wide, high))
    if "legal" in marks:
        for x, left in ((box[0], 1), (box[2], -1)):
            pen.polygon(((x, box[1]), (x + left * wide * 0.26, box[1]), (x, box[1] + wide * 0.26)), fill=mark)
            pen.polygon(((x, box[3]), (x + left * wide * 0.26, box[3]), (x, box[3] - wide * 0.26)), fill=mark)
    if "hint" in marks:
        for inset in (0.02, 0.085):
            pen.rounded_rectangle(
                (wide * inset, wide * inset, wide * (1 - inset) - 1, high - wide * inset - 1),
                radius,
                outline=mark,
                width=round(wide * 0.035),
            )
    guard_corners(image, theme, tile.guards)
    if "captured" in marks:
        if tile.discs:
            capture_cross(pen, theme, (wide * 0.17, wide * 0.17), wide)
        else:
            capture_cross(pen, theme, (wide * 0.5, high * 0.5), wide * 2.2)
    return image.reduce(UPSCALE)


def _frame(
    pen: ImageDraw.ImageDraw, colour: RGB, wide: int, high: int
) -> tuple[tuple[float, float, float, float], float]:
    """Frame a place where something happened; return the box within the frame and its corner radius."""
    pen.rounded_rectangle((0, 0, wide - 1, high - 1), wide * 0.15, fill=colour)
    inner = wide * 0.05
    return (inner, inner, wide - 1 - inner, high - 1 - inner), wide * 0.15


def _empty_place(pen: ImageDraw.ImageDraw, theme: Theme, wide: int, high: int) -> None:
    """Draw the place of a lost die, with a dashed outline."""
    near, thick, long = wide * 0.1, wide * 0.03, wide * 0.13
    colour = theme.inks["faint"]
    for size, other, upright in ((wide, high, False), (high, wide, True)):
        count = round((size - 2 * near) / long / 2) * 2 + 1
        step = (size - 2 * near) / count
        for k in range(0, count, 2):
            start = near + k * step
            for edge in (near, other - near - thick):
                box = (start, edge, start + step, edge + thick)
                pen.rectangle((box[1], box[0], box[3], box[2]) if upright else box, fill=colour)


def _die(image: Image.Image, theme: Theme, glyph: Glyph, ink: Ink, pips: int, size: tuple[int, int]) -> None:
    wide, high = size
    pen = ImageDraw.Draw(image)
    line, radius = wide * 0.02, wide * 0.13
    near, far, top, foot = wide * 0.09, wide * 0.91 - 1, wide * 0.09, high - wide * 0.09 - 1
    rim = wide * 0.09
    pen.rounded_rectangle(
        (near - line, top - line, far + line, foot + line), radius + line, fill=theme.outline(ink)
    )
    pen.rounded_rectangle((near, top, far, foot), radius, fill=theme.rim(ink))
    if theme.patterns:
        low, reach = foot - rim * 0.08, far - near - 2 * radius
        for spot in RIM_PATTERNS[ink]:
            pen.polygon(
                [(near + radius + x * reach, low - y * rim * 0.84) for x, y in spot], fill=theme.hatch(ink)
            )
    pen.rounded_rectangle((near, top, far, foot - rim + line), radius, fill=theme.outline(ink))
    pen.rounded_rectangle((near, top, far, foot - rim), radius, fill=theme.inks[ink])
    colour = theme.glyph(ink)
    face = far - near
    middle = (near + far) / 2
    fill_glyph(image, glyph, (middle, top + face * 0.5), (face * 0.8, face * 0.8), colour)
    if pips:
        edge = top + face * 0.98
        pen.rectangle((near + face * 0.14, edge, far - face * 0.14, edge + wide * 0.015), fill=colour)
        _pips(pen, pips, (middle, (edge + foot - rim) / 2), face, colour)


def _pips(
    pen: ImageDraw.ImageDraw, count: int, middle: tuple[float, float], face: float, colour: RGB
) -> None:
    """Draw pips in at most two rows, larger the fewer there are in a row."""
    rows = _PIP_ROWS.get(count, ((count + 1) // 2, count // 2))
    step = min(face * 0.26, face * 0.8 / max(rows))
    radius = step * 0.35
    for nth, length in enumerate(rows):
        y = middle[1] + (nth - (len(rows) - 1) / 2) * min(step, face * 0.25)
        for k in range(length):
            x = middle[0] + (k - (length - 1) / 2) * step
            pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)
