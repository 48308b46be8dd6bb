"""The board without pieces, which stays the same during a match: its ground, coordinates and empty places."""

from __future__ import annotations

from collections.abc import Hashable

from PIL import Image, ImageDraw

from render import fonts, tile_hex
from render.geometry import Box, Layout
from render.piled_pieces import UPSCALE
from render.themes import Theme, theme_of, to_palette
from render.thread_safe_cache import Cache
from render.tile import Tile
from render.tiles import paste_tile

_boards: Cache[tuple[Hashable, int, str], Image.Image] = Cache(16)


def empty_board(key: Hashable, plan: Layout, theme: str) -> Image.Image:
    """Return the empty board in the palette of `theme`. It is shared: copy it before drawing on it.

    `key` and the unit decide the layout.
    """
    return _boards.get((key, plan.unit, theme), lambda: _draw(plan, theme))


def empty_tile(plan: Layout, theme: str, name: str) -> Tile:
    """Return the tile of a place without pieces and marks."""
    return Tile(
        theme=theme,
        shape=plan.shape,
        cell=plan.cell,
        height=plan.tile_height,
        special=name in plan.special,
        name=name if plan.shape == "hex" else "",
        top_view=plan.top_view,
        base=plan.bases.get(name),
    )


def _draw(plan: Layout, key: str) -> Image.Image:
    theme = theme_of(key)
    image = Image.new("RGB", (plan.width, plan.height), theme.inks["paper"])
    if plan.gap is not None:
        _draw_gap(image, plan, plan.gap, theme)
    image.paste(theme.inks["board"], (0, 0), _board_mask(plan))
    size = round(min(plan.unit * 0.3, plan.cell * 0.62))
    for label in plan.labels:
        fonts.write(image, (label.x, label.y), label.text, size, theme.inks["faint"], bold=True, anchor="mm")
    flat = to_palette(image, key)
    for name, spot in plan.places.items():
        paste_tile(flat, empty_tile(plan, key, name), spot)
    return flat


def _board_mask(plan: Layout) -> Image.Image:
    """Return the mask of the board: each place with a margin around it, so that missing corners stay free."""
    upscale = 2 if plan.width > 1500 else UPSCALE // 2
    mask = Image.new("L", (plan.width * upscale, plan.height * upscale))
    draw = ImageDraw.Draw(mask)
    if plan.shape == "hex":
        _mask_hexes(draw, plan, upscale)
    else:
        _mask_squares(draw, plan, upscale)
    return mask.reduce(upscale)


def _mask_squares(draw: ImageDraw.ImageDraw, plan: Layout, upscale: int) -> None:
    more = plan.unit * 0.11
    spots = set(plan.places.values())
    for x, y in spots:
        for right, down in ((0, 0), (plan.cell, 0), (0, plan.tile_height)):
            if (x + right, y + down) in spots:
                box = (x - more, y - more, x + right + plan.cell + more, y + down + plan.tile_height + more)
                draw.rounded_rectangle([edge * upscale for edge in box], more * 1.6 * upscale, fill=255)


def _mask_hexes(draw: ImageDraw.ImageDraw, plan: Layout, upscale: int) -> None:
    grown = -plan.unit * 0.13 / plan.cell
    points = tile_hex.corners(plan.cell, plan.tile_height, grown)
    for x, y in plan.places.values():
        draw.polygon([((x + px) * upscale, (y + py) * upscale) for px, py in points], fill=255)


def _draw_gap(image: Image.Image, plan: Layout, gap: Box, theme: Theme) -> None:
    """Draw the gap between two lines of dice as a card, framed where the card has the colour of the paper."""
    draw = ImageDraw.Draw(image)
    left, right, foot = gap.x + plan.unit // 10, gap.x + gap.width - plan.unit // 10, gap.y + gap.height
    framed = theme.inks["faint"] if theme.card == theme.inks["paper"] else None
    draw.rectangle((left, gap.y, right, foot), fill=theme.card, outline=framed)
