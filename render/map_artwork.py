"""The artwork of a map, decoded once for all themes: its author's picture, and which pixel belongs to whom.

Bytes are only decoded here. A file that is damaged, or of another size than its map, counts as missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from io import BytesIO

from PIL import Image

from games.engine.scene import Map
from render import area_mask
from render.area_mask import PixelBox
from render.cache import Cache
from render.crossings import Crossing, crossings
from render.geometry import Layout
from render.geometry_map import layout, without_bytes

_MAX_SIDE = 4000
"""Maximum width and height of a picture or mask, in pixels."""


@dataclass(frozen=True)
class Artwork:
    """What all themes share of a map's artwork, in pixels of the board."""

    key: tuple[Map, int]
    """The board without bytes, and the unit."""
    plan: Layout
    picture: Image.Image | None
    """The part of the picture in the board's window."""
    masked: bool
    """Whether there is a mask; without one, areas are discs."""
    numbers: Image.Image
    """The area number of each pixel; 0 for no area."""
    boxes: Mapping[str, tuple[int, PixelBox]]
    """The number and the bounding box of each visible area."""
    crossings: tuple[Crossing, ...]
    """The lines between neighbours that don't touch; empty without a mask."""


_artworks: Cache[tuple[Map, int], Artwork | None] = Cache(6)


def artwork(board: Map, unit: int) -> Artwork | None:
    """Return the artwork of a board; None if it is missing or can't be read."""
    if board.ground is None or not board.ground.loaded:
        return None
    key = (without_bytes(board), unit)
    return _artworks.get(key, partial(_decoded, board, key))


def _decoded(board: Map, key: tuple[Map, int]) -> Artwork | None:
    if board.ground is None:
        return None
    picture = _read_image(board.ground.picture, "RGB", board.size)
    mask = _read_image(board.ground.mask, "L", board.size)
    if picture is None and mask is None:
        return None
    plan = layout(board, 0, key[1])
    numbers = area_mask.from_discs(board, plan) if mask is None else area_mask.from_mask(board, plan, mask)
    if picture is not None:
        size = (plan.board.width, plan.board.height)
        picture = area_mask.crop_to_window(board, picture).resize(size, Image.Resampling.LANCZOS)
    return Artwork(
        key,
        plan,
        picture,
        mask is not None,
        numbers,
        dict(area_mask.visible_boxes(board, numbers)),
        () if mask is None else crossings(board, lambda: mask),
    )


def _read_image(data: bytes, mode: str, size: tuple[int, int]) -> Image.Image | None:
    """Return the decoded image; None if it is missing, damaged or of another size than its map."""
    if not data:
        return None
    try:
        image = Image.open(BytesIO(data), formats=("PNG", "JPEG"))
        if image.size != size or max(size) > _MAX_SIDE:
            return None
        return image.convert(mode)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
