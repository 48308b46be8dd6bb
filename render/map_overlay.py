"""The layer between the land of a map and its labels: leaders, links over water, names of continents.

Everything has a halo in the colour of the paper, so that it is legible on any artwork. The layer is drawn
once for a board and then copied.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from games.engine.scene import Spot
from render import fonts
from render.area_labels import AreaLabels
from render.map_areas import DASH, DASH_GAP, DOT_RADIUS, LINK_WIDTH, UPSCALE, arrowhead
from render.map_shapes import dashes
from render.palette import to_palette
from render.themes import theme_of
from render.zone_names import LINE_STEP, PlacedName

_OPAQUE = 255
_HALO_WIDTH, _LEADER_WIDTH, _END_RADIUS = 0.06, 0.075, 0.12
"""Width of the halo and of a leader, and radius of a leader's end, in cells of the layout."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """An image in the palette of its theme, its mask, and its upper left corner."""

    image: Image.Image
    mask: Image.Image
    at: tuple[int, int]


@dataclass(frozen=True, slots=True)
class DashedLink:
    """A link over water, in pixels of the picture."""

    lines: tuple[tuple[Spot, Spot], ...]
    directed: bool


def draw_overlay(
    size: tuple[int, int],
    frame: tuple[int, int, int, int],
    cell: int,
    theme: str,
    labels: AreaLabels,
    links: Iterable[DashedLink],
    names: Sequence[PlacedName],
) -> Overlay | None:
    """Return the overlay of a picture of `size`, clipped to `frame`; None if it is empty."""
    ink, halo = (Image.new("L", (size[0] * UPSCALE, size[1] * UPSCALE)) for _ in range(2))
    pens = ImageDraw.Draw(ink), ImageDraw.Draw(halo)
    measure = cell * UPSCALE
    for link in links:
        for line in link.lines:
            for dash in dashes(
                tuple((x * UPSCALE, y * UPSCALE) for x, y in line), measure * DASH, measure * DASH_GAP
            ):
                _line(pens, dash, measure * LINK_WIDTH, measure * _HALO_WIDTH)
        ends = link.lines[0] if len(link.lines) == 1 else [line[0] for line in link.lines]
        for spot in ends:
            _disc(pens, spot, measure * DOT_RADIUS, measure * _HALO_WIDTH)
        if link.directed and len(link.lines) == 1:
            for pen in pens:
                pen.polygon(
                    [(x * UPSCALE, y * UPSCALE) for x, y in arrowhead(*link.lines[0], cell)], fill=_OPAQUE
                )
    for label in labels.by_area.values():
        if label.leader:
            leader = [(x * UPSCALE, y * UPSCALE) for x, y in (label.pill_centre, label.anchor)]
            _line(pens, leader, measure * _LEADER_WIDTH, measure * _HALO_WIDTH)
            _disc(pens, label.anchor, measure * _END_RADIUS, measure * _HALO_WIDTH)
    small, shown = ink.reduce(UPSCALE), halo.reduce(UPSCALE).point([0] * 96 + [_OPAQUE] * 160)
    for name in names:
        _write(small, shown, name)
    shown.paste(0, (0, 0), _outside(size, frame))
    box = shown.getbbox()
    if box is None:
        return None
    look = theme_of(theme)
    image = Image.new("RGB", size, look.inks["paper"])
    image.paste(look.drawn_line, (0, 0), small)
    return Overlay(to_palette(image.crop(box), theme), shown.crop(box).convert("1"), box[:2])


def _outside(size: tuple[int, int], frame: tuple[int, int, int, int]) -> Image.Image:
    mask = Image.new("L", size, _OPAQUE)
    mask.paste(0, frame)
    return mask


def _line(
    pens: tuple[ImageDraw.ImageDraw, ImageDraw.ImageDraw], line: Sequence[Spot], wide: float, more: float
) -> None:
    for pen, width in zip(pens, (wide, wide + 2 * more), strict=True):
        pen.line(list(line), fill=_OPAQUE, width=max(UPSCALE, round(width)))


def _disc(
    pens: tuple[ImageDraw.ImageDraw, ImageDraw.ImageDraw], at: Spot, radius: float, more: float
) -> None:
    x, y = at[0] * UPSCALE, at[1] * UPSCALE
    for pen, r in zip(pens, (radius, radius + more), strict=True):
        pen.ellipse((x - r, y - r, x + r, y + r), fill=_OPAQUE)


def _write(ink: Image.Image, halo: Image.Image, name: PlacedName) -> None:
    """Write a name into both masks, line by line, with a halo of an eighth of the font size."""
    for nth, line in enumerate(map(fonts.legible, name.lines)):
        font = fonts.font(line, name.letters, bold=True)
        at = (name.at[0], name.at[1] + (nth - (len(name.lines) - 1) / 2) * name.letters * LINE_STEP)
        wide = max(1, round(name.letters / 8))
        ImageDraw.Draw(halo).text(
            at, line, font=font, fill=_OPAQUE, anchor="mm", stroke_width=wide, stroke_fill=_OPAQUE
        )
        ImageDraw.Draw(ink).text(at, line, font=font, fill=_OPAQUE, anchor="mm")
