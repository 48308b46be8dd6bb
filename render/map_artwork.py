"""What a map's author drew, measured once for all themes: its picture, and which pixel is whose.

Bytes are read here and nowhere else; whatever is damaged, or of another size than its map, isn't there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO

from PIL import Image

from games.engine.scene import Map
from render import area_mask
from render.area_mask import PixelBox
from render.cache import Cache
from render.crossings import Crossing, crossings
from render.geometry import Layout
from render.layouts import layout

_MAX_SIDE = 4000


@dataclass(frozen=True)
class Artwork:
    """What all themes share of a map's drawing, in pixels of the board."""

    key: tuple[Map, int]
    """The board without bytes, and the unit."""
    plan: Layout
    picture: Image.Image | None
    """The part of the picture that is looked at."""
    masked: bool
    """Whether there is a mask; else areas are discs."""
    numbers: Image.Image
    """Which area each pixel is of, 0 for none."""
    boxes: Mapping[str, tuple[int, PixelBox]]
    """The number of each area that is seen, and where it lies."""
    crossings: tuple[Crossing, ...]
    """The neighbours that don't touch, where a mask says so."""


_artworks: Cache[tuple[Map, int], Artwork | None] = Cache(6)


def without_bytes(board: Map) -> Map:
    """Return an equal board that holds no bytes, to be kept as a key."""
    ground = board.ground
    return board if ground is None else replace(board, ground=replace(ground, picture=b"", mask=b""))


def artwork(board: Map, unit: int) -> Artwork | None:
    """Return what a map's author drew; None if that isn't there, or can't be read."""
    if board.ground is None or not board.ground.there:
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
    """Return a picture; None for none, and for what is damaged or of another size than its map."""
    if not data:
        return None
    try:
        image = Image.open(BytesIO(data), formats=("PNG", "JPEG"))
        if image.size != size or max(size) > _MAX_SIDE:
            return None
        return image.convert(mode)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
