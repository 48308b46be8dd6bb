"""What doesn't change during a match: paper, the board's shape, its coordinates and empty places."""

from __future__ import annotations

from PIL import Image, ImageDraw

from games.engine.scene import Board
from render import fonts, tile_hex
from render.cache import Cache
from render.geometry import Box, Layout
from render.layouts import Bare, bare, layout
from render.palette import flatten
from render.pieces import FINE
from render.themes import Theme, theme_of
from render.tile import Tile
from render.tiles import lay

_backgrounds: Cache[tuple[Bare, int, int, str], Image.Image] = Cache(16)


def background(board: Board, turns: int, unit: int, theme: str) -> Image.Image:
    """Return the empty board in the palette of `theme`. It is shared: copy it before drawing."""
    key = (bare(board), turns, unit, theme)
    return _backgrounds.get(key, lambda: _draw(layout(board, turns, unit), theme))


def empty(plan: Layout, theme: str, name: str) -> Tile:
    """Return a place of a board on which nothing lies and nothing happened."""
    return Tile(
        theme=theme,
        shape=plan.shape,
        cell=plan.cell,
        high=plan.high,
        special=name in plan.special,
        name=name if plan.shape == "hex" else "",
        flat=plan.flat,
        floor=plan.floors.get(name),
    )


def _draw(plan: Layout, key: str) -> Image.Image:
    theme = theme_of(key)
    image = Image.new("RGB", (plan.width, plan.height), theme.inks["paper"])
    if plan.gap is not None:
        _ground(image, plan, plan.gap, theme)
    image.paste(theme.inks["board"], (0, 0), _table(plan))
    size = round(min(plan.unit * 0.3, plan.cell * 0.62))
    for label in plan.labels:
        fonts.put(image, (label.x, label.y), label.text, size, theme.inks["faint"], bold=True, anchor="mm")
    flat = flatten(image, key)
    for name, spot in plan.places.items():
        lay(flat, empty(plan, key, name), spot)
    return flat


def _table(plan: Layout) -> Image.Image:
    """Return the mask of the board: every place with a margin around it, so that missing corners stay out."""
    fine = 2 if plan.width > 1500 else FINE // 2
    mask = Image.new("L", (plan.width * fine, plan.height * fine))
    draw = ImageDraw.Draw(mask)
    if plan.shape == "hex":
        _table_of_hexes(draw, plan, fine)
    else:
        _table_of_boxes(draw, plan, fine)
    return mask.reduce(fine)


def _table_of_boxes(draw: ImageDraw.ImageDraw, plan: Layout, fine: int) -> None:
    more = plan.unit * 0.11
    spots = set(plan.places.values())
    for x, y in spots:
        for right, down in ((0, 0), (plan.cell, 0), (0, plan.high)):
            if (x + right, y + down) in spots:
                box = (x - more, y - more, x + right + plan.cell + more, y + down + plan.high + more)
                draw.rounded_rectangle([edge * fine for edge in box], more * 1.6 * fine, fill=255)


def _table_of_hexes(draw: ImageDraw.ImageDraw, plan: Layout, fine: int) -> None:
    grown = -plan.unit * 0.13 / plan.cell
    points = tile_hex.corners(plan.cell, plan.high, grown)
    for x, y in plan.places.values():
        draw.polygon([((x + px) * fine, (y + py) * fine) for px, py in points], fill=255)


def _ground(image: Image.Image, plan: Layout, gap: Box, theme: Theme) -> None:
    """Draw the ground between two lines, with a furrow along either edge."""
    draw = ImageDraw.Draw(image)
    left, right, foot = gap.x + plan.unit // 10, gap.x + gap.width - plan.unit // 10, gap.y + gap.height
    framed = theme.inks["faint"] if theme.card == theme.inks["paper"] else None
    draw.rectangle((left, gap.y, right, foot), fill=theme.card, outline=framed)
