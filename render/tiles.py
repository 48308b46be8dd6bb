"""Images of tiles, ready to be copied.

A picture is an empty board (`empty_board`) with tiles pasted on it. Tiles are cached by what they show, so
that only places that look new are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from PIL import Image

from render import tile_die, tile_hex, tile_square
from render.geometry import TileShape
from render.themes import to_palette
from render.thread_safe_cache import Cache
from render.tile import Tile

_DRAW: Mapping[TileShape, Callable[[Tile], Image.Image]] = MappingProxyType(
    {"square": tile_square.draw, "hex": tile_hex.draw, "die": tile_die.draw}
)
_tiles: Cache[Tile, Image.Image] = Cache(1500)
_nameless: Cache[Tile, Image.Image] = Cache(200)
_masks: Cache[tuple[int, int], Image.Image] = Cache(8)


def tile_image(tile: Tile) -> Image.Image:
    """Return the image of a tile in the palette of its theme. It is shared: never draw on it."""
    return _tiles.get(tile, partial(_make, tile))


def paste_tile(image: Image.Image, tile: Tile, spot: tuple[int, int]) -> None:
    """Paste a tile on a picture of the same palette, with its upper left corner at `spot`."""
    if tile.shape == "hex":
        mask = _masks.get((tile.cell, tile.height), partial(tile_hex.mask, tile.cell, tile.height))
        image.paste(tile_image(tile), spot, mask)
    else:
        image.paste(tile_image(tile), spot)


def _make(tile: Tile) -> Image.Image:
    """Draw a tile; what lies on places with names is drawn once for all names."""
    if not tile.name:
        return to_palette(_DRAW[tile.shape](tile), tile.theme)
    plain = replace(tile, name="")
    image = _nameless.get(plain, partial(_DRAW[tile.shape], plain)).copy()
    tile_hex.write_name(image, tile)
    return to_palette(image, tile.theme)
