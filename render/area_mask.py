"""Which area of a map each pixel belongs to: from its author's mask, or from discs where there is none.

The result is a greyscale image of the board: the number of the area, from 1, and 0 for no area.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from games.engine.scene import Map
from render.geometry import Layout
from render.geometry_map import disc_radius, on_board

PixelBox: TypeAlias = tuple[int, int, int, int]

_NO_AREA = 255
"""The value of a mask where there is no area."""


def crop_to_window(board: Map, image: Image.Image) -> Image.Image:
    """Return the part of an image of the whole map that lies in the board's window."""
    if board.window is None:
        return image
    left, top, right, bottom = board.window
    return image.crop((round(left), round(top), round(right), round(bottom)))


def from_mask(board: Map, plan: Layout, mask: Image.Image) -> Image.Image:
    """Return the area numbers from a mask, in the size of the board."""
    size = (plan.board.width, plan.board.height)
    part = crop_to_window(board, mask).point([*range(_NO_AREA), 0])
    if part.width >= size[0]:
        return part.resize(size, Image.Resampling.NEAREST)
    # Enlarging leaves staircases, which a vote among neighbours smooths.
    return part.resize(size, Image.Resampling.NEAREST).filter(ImageFilter.ModeFilter(5))


def from_discs(board: Map, plan: Layout) -> Image.Image:
    """Return the area numbers as a disc around the point of each area, in the size of the board."""
    numbers = Image.new("L", (plan.board.width, plan.board.height))
    pen, radius = ImageDraw.Draw(numbers), disc_radius(board, plan)
    for number, area in enumerate(board.areas, 1):
        x, y = on_board(board, plan, area.at)
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=number)
    return numbers


def bounding_boxes(numbers: Image.Image) -> Iterator[tuple[int, PixelBox]]:
    """Yield the number and the bounding box of each area, found in one pass over the rows."""
    wide, high = numbers.size
    data = numbers.tobytes()
    found: dict[int, list[int]] = {}
    for y in range(high):
        row = data[y * wide : (y + 1) * wide]
        for number in set(row) - {0}:
            left, right = row.index(number), row.rindex(number) + 1
            box = found.setdefault(number, [left, y, right, y + 1])
            box[0], box[2], box[3] = min(box[0], left), max(box[2], right), y + 1
    for number, (left, top, right, bottom) in sorted(found.items()):
        yield number, (left, top, right, bottom)


def visible_boxes(board: Map, numbers: Image.Image) -> Iterator[tuple[str, tuple[int, PixelBox]]]:
    """Yield the name, number and bounding box of each visible area."""
    shown = board.places
    for number, box in bounding_boxes(numbers):
        if number <= len(board.areas) and board.areas[number - 1].name in shown:
            yield board.areas[number - 1].name, (number, box)


def edges(numbers: Image.Image, *, between: bool) -> Image.Image:
    """Return a mask of the pixels where areas end; with `between`, only where another area begins."""
    mask = Image.new("L", numbers.size)
    for right, down in ((1, 0), (0, 1)):
        other = ImageChops.offset(numbers, right, down)
        differs = ImageChops.difference(numbers, other).point([0] + [255] * 255)
        if between:
            both = ImageChops.darker(numbers, other).point([0] + [255] * 255)
            differs = ImageChops.darker(differs, both)
        differs.paste(0, (0, 0, right or numbers.width, down or numbers.height))
        mask = ImageChops.lighter(mask, differs)
    return mask
