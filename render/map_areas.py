"""The pieces that a map picture is drawn from: areas in their owner's tint, borders, links and attack arrows.

An area also carries its owner's pattern in the themes that have patterns.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, hypot

from PIL import Image, ImageDraw

from games.engine.scene import Ink, MarkKind, Spot
from render.colour import RGB, clearest
from render.map_shapes import AreaShape, Line, MapShapes, dashes
from render.themes import Theme, theme_of, to_palette

UPSCALE = 3
"""Factor by which maps are drawn larger and then reduced, for smooth edges."""
_BORDER_WIDTHS = {"coast": 0.05, "border": 0.034, "frontier": 0.095}
LINK_WIDTH, DASH, DASH_GAP, DOT_RADIUS = 0.085, 0.26, 0.17, 0.11
"""Of links: width, length of dashes and gaps, and radius of the ends, in cells of the layout."""
_OPAQUE = 255


def area_colour(theme: Theme, ink: Ink | None, zone: Ink | None) -> RGB:
    """Return the colour of an area: by its owner's ink, else by that of its zone."""
    if ink is not None:
        return theme.zone(ink)
    return theme.inks["space"] if zone is None else theme.empty_area(zone)


def draw_area(
    shapes: MapShapes,
    shape: AreaShape,
    theme: str,
    ink: Ink | None,
    zone: Ink | None,
    marks: frozenset[MarkKind],
) -> Image.Image:
    """Return the pixels of an area's bounding box; only those in its mask are valid."""
    look, cell = theme_of(theme), shapes.plan.cell
    left, top, right, bottom = shape.box
    size = ((right - left) * UPSCALE, (bottom - top) * UPSCALE)
    image = Image.new("RGB", size, area_colour(look, ink, zone))
    pen = ImageDraw.Draw(image)
    if look.patterns and ink is not None:
        draw_pattern(pen, ink, look.area_pattern(ink), (left * UPSCALE, top * UPSCALE), size, cell * UPSCALE)

    def near(line: Line) -> list[Spot]:
        return [((x - left) * UPSCALE, (y - top) * UPSCALE) for x, y in line]

    _draw_marks(pen, look, [near(outline) for outline in shape.outlines], marks, cell * UPSCALE)
    draw_borders(pen, look, [(kind, near(line)) for kind, line in shape.borders], cell * UPSCALE)
    for link in shapes.links:
        if link.over_water and link.near(shape.box, cell):
            draw_sea_link(pen, look, [near(line) for line in link.lines], cell * UPSCALE)
    return to_palette(image.reduce(UPSCALE), theme)


def draw_borders(
    pen: ImageDraw.ImageDraw, theme: Theme, lines: Iterable[tuple[str, list[Spot]]], cell: float
) -> None:
    """Draw the borders of areas, those between zones last."""
    for kind, line in sorted(lines, key=lambda one: _BORDER_WIDTHS[one[0]]):
        pen.line(line, fill=theme.drawn_line, width=max(1, round(cell * _BORDER_WIDTHS[kind])), joint="curve")


def draw_sea_link(pen: ImageDraw.ImageDraw, theme: Theme, lines: list[list[Spot]], cell: float) -> None:
    """Draw a link over water: a dashed line between two dots."""
    colour, radius = theme.drawn_line, cell * DOT_RADIUS
    for line in lines:
        for dash in dashes(tuple(line), cell * DASH, cell * DASH_GAP):
            pen.line(list(dash), fill=colour, width=round(cell * LINK_WIDTH))
    ends = [lines[0][0], lines[-1][-1]] if len(lines) == 1 else [line[0] for line in lines]
    for x, y in ends:
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)


def arrowhead(one: Spot, other: Spot, cell: float) -> tuple[Spot, Spot, Spot]:
    """Return the corners of the arrowhead in the middle of a one-way link."""
    (x0, y0), (x1, y1) = one, other
    length = hypot(x1 - x0, y1 - y0) or 1.0
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    dx, dy = (x1 - x0) / length * cell * 0.3, (y1 - y0) / length * cell * 0.3
    return (x + dx, y + dy), (x - dx - dy, y - dy + dx), (x - dx + dy, y - dy - dx)


def draw_land_link(
    pen: ImageDraw.ImageDraw, theme: Theme, lines: list[list[Spot]], cell: float, *, directed: bool
) -> None:
    """Draw a link between discs; a one-way link has an arrowhead in its middle."""
    for line in lines:
        pen.line(line, fill=theme.drawn_line, width=round(cell * LINK_WIDTH))
        if directed:
            pen.polygon(arrowhead(line[0], line[-1], cell), fill=theme.drawn_line)


def _draw_marks(
    pen: ImageDraw.ImageDraw,
    theme: Theme,
    outlines: list[list[Spot]],
    marks: frozenset[MarkKind],
    cell: float,
) -> None:
    """Outline an area on its inside: solid where something happened, dashed where it may."""
    colour = theme.inks["mark"]
    broad = 0.34 if marks & {"changed", "to", "captured"} else 0.2 if "from" in marks else 0.0
    for outline in outlines:
        closed = [*outline, outline[0]]
        if broad:
            pen.line(closed, fill=colour, width=round(cell * broad), joint="curve")
        elif marks & {"legal", "hint"}:
            wide = cell * (0.34 if "hint" in marks else 0.24)
            for dash in dashes(tuple(closed), cell * 0.42, cell * 0.26):
                pen.line(list(dash), fill=colour, width=round(wide), joint="curve")


def draw_pattern(
    pen: ImageDraw.ImageDraw, ink: Ink, colour: RGB, origin: Spot, size: tuple[int, int], cell: float
) -> None:
    """Draw the pattern of a seat, aligned with that on its other areas."""
    step, thick = cell * 0.36, max(1, round(cell * 0.055))
    wide, high = size
    x0, y0 = -(origin[0] % step), -(origin[1] % step)
    columns = [x0 + k * step for k in range(ceil(wide / step) + 2)]
    rows = [y0 + k * step for k in range(ceil(high / step) + 2)]
    if ink in ("green", "purple"):
        for x in columns:
            pen.line((x, 0, x, high), fill=colour, width=thick)
    if ink in ("blue", "purple"):
        for y in rows:
            pen.line((0, y, wide, y), fill=colour, width=thick)
    if ink in ("orange", "black"):
        slope = -((origin[0] + origin[1]) % step)
        for k in range(ceil((wide + high) / step) + 2):
            pen.line((slope + k * step, 0, slope + k * step - high, high), fill=colour, width=thick)
    if ink == "black":
        slope = -((origin[0] - origin[1]) % step)
        for k in range(-ceil(high / step) - 1, ceil(wide / step) + 2):
            pen.line((slope + k * step, 0, slope + k * step + high, high), fill=colour, width=thick)
    if ink == "yellow":
        for x in columns:
            for y in rows:
                pen.ellipse((x - thick, y - thick, x + thick, y + thick), fill=colour)


def draw_arrow(image: Image.Image, theme: str, line: tuple[Spot, Spot], ink: Ink, cell: int) -> None:
    """Draw the arrow of an attack along `line` (in pixels), with a light or dark rim that stands out."""
    look = theme_of(theme)
    (x0, y0), (x1, y1) = line
    length = hypot(x1 - x0, y1 - y0)
    if length < 1:
        return
    margin = cell
    left, top = round(min(x0, x1)) - margin, round(min(y0, y1)) - margin
    box = (
        max(0, left), max(0, top),
        min(image.width, round(max(x0, x1)) + margin), min(image.height, round(max(y0, y1)) + margin),
    )  # fmt: skip
    part = image.crop(box).convert("RGB")
    large = part.resize((part.width * UPSCALE, part.height * UPSCALE), Image.Resampling.NEAREST)
    drawn = Image.new("L", large.size)  # the rest of the box keeps its colours
    pens = ((ImageDraw.Draw(large), False), (ImageDraw.Draw(drawn), True))
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    face = look.inks[ink]
    for grow, colour in ((cell * 0.09, clearest(face, look.light, look.dark)), (0.0, face)):
        near, far, tip = -grow, length - cell * 0.62, length + grow * 1.6
        thin, thick, wide = cell * 0.09 + grow, cell * 0.19 + grow, cell * 0.45 + grow * 1.6
        shape = [(near, -thin), (far, -thick), (far - grow, -wide), (tip, 0.0)]
        shape += [(far - grow, wide), (far, thick), (near, thin)]
        corners = [
            ((x0 + dx * a - dy * b - box[0]) * UPSCALE, (y0 + dy * a + dx * b - box[1]) * UPSCALE)
            for a, b in shape
        ]
        for pen, covering in pens:
            pen.polygon(corners, fill=_OPAQUE if covering else colour)
    image.paste(
        to_palette(large.reduce(UPSCALE), theme), box[:2], drawn.reduce(UPSCALE).point([0] + [255] * 255)
    )
