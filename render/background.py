"""What doesn't change during a match: paper, the board's shape, its coordinates."""

from __future__ import annotations

from PIL import Image, ImageDraw

from games.engine.scene import Board
from render import fonts
from render.cache import Cache
from render.geometry import Layout, layout
from render.palette import flatten
from render.pieces import FINE
from render.themes import theme_of
from render.tiles import Tile, tile

_backgrounds: Cache[tuple[Board, int, int, str], Image.Image] = Cache(16)


def background(board: Board, turns: int, unit: int, theme: str) -> Image.Image:
    """Return the empty board in the palette of `theme`. It is shared: copy it before drawing."""
    return _backgrounds.get((board, turns, unit, theme), lambda: _draw(layout(board, turns, unit), theme))


def _draw(plan: Layout, key: str) -> Image.Image:
    theme = theme_of(key)
    image = Image.new("RGB", (plan.width, plan.height), theme.inks["paper"])
    image.paste(theme.inks["board"], (0, 0), _table(plan))
    size = round(min(plan.unit * 0.3, plan.cell * 0.62))
    for label in plan.labels:
        fonts.put(image, (label.x, label.y), label.text, size, theme.inks["faint"], bold=True, anchor="mm")
    flat = flatten(image, key)
    empty = tile(Tile(key, plan.cell))
    for place in plan.places.values():
        flat.paste(empty, place)
    return flat


def _table(plan: Layout) -> Image.Image:
    """Return the mask of the board: every place with a margin around it, so that missing corners stay out."""
    fine = 2 if plan.width > 1500 else FINE // 2
    mask = Image.new("L", (plan.width * fine, plan.height * fine))
    draw = ImageDraw.Draw(mask)
    more = plan.unit * 0.11
    spots = set(plan.places.values())
    for x, y in spots:
        for right, down in ((0, 0), (plan.cell, 0), (0, plan.cell)):
            if (x + right, y + down) in spots:
                box = (x - more, y - more, x + right + plan.cell + more, y + down + plan.cell + more)
                draw.rounded_rectangle([edge * fine for edge in box], more * 1.6 * fine, fill=255)
    return mask.reduce(fine)
