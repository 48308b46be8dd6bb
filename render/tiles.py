"""A tile is one place of the board with all that lies on it, ready to be copied.

A picture is a background with tiles laid on it. Tiles are kept by what they show, so that a game at rest
costs nothing and a running one draws only what it hasn't seen yet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from PIL import Image

from render import tile_die, tile_hex, tile_square
from render.cache import Cache
from render.geometry import Shape
from render.palette import flatten
from render.tile import Tile

_DRAW: Mapping[Shape, Callable[[Tile], Image.Image]] = MappingProxyType(
    {"square": tile_square.draw, "hex": tile_hex.draw, "die": tile_die.draw}
)
_tiles: Cache[Tile, Image.Image] = Cache(1500)
_nameless: Cache[Tile, Image.Image] = Cache(200)
_masks: Cache[tuple[int, int], Image.Image] = Cache(8)


def tile(what: Tile) -> Image.Image:
    """Return the image of a tile in the palette of its theme. It is shared: never draw on it."""
    return _tiles.get(what, partial(_make, what))


def lay(image: Image.Image, what: Tile, spot: tuple[int, int]) -> None:
    """Put a tile on a picture of the same palette, its upper left corner at `spot`."""
    if what.shape == "hex":
        mask = _masks.get((what.cell, what.high), partial(tile_hex.mask, what.cell, what.high))
        image.paste(tile(what), spot, mask)
    else:
        image.paste(tile(what), spot)


def _make(what: Tile) -> Image.Image:
    """Draw a tile; where places bear names, what lies on them is drawn once for all of them."""
    if not what.name:
        return flatten(_DRAW[what.shape](what), what.theme)
    plain = replace(what, name="")
    image = _nameless.get(plain, partial(_DRAW[what.shape], plain)).copy()
    tile_hex.write(image, what)
    return flatten(image, what.theme)
