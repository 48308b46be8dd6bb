"""Which pixel of a map is whose: from the mask that its author drew, or from discs where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from games.engine.scene import Map
from render.geometry import Layout
from render.geometry_map import disc
from render.tile_area import FINE, link_over

Box: TypeAlias = tuple[int, int, int, int]

_NOBODY = 255
"""What a mask has where no area is."""
_NEAR = 3
"""How far apart, in pixels of an image half as wide, two areas may lie that touch."""


def window(board: Map, image: Image.Image) -> Image.Image:
    if board.window is None:
        return image
    left, top, right, bottom = board.window
    return image.crop((round(left), round(top), round(right), round(bottom)))


def seen(board: Map, size: tuple[int, int], mask: Image.Image) -> Image.Image:
    """Return the part of a mask that is looked at, no larger than it is drawn, with 0 for no area."""
    part = window(board, mask).point([*range(_NOBODY), 0])
    return part if part.width <= size[0] else part.resize(size, Image.Resampling.NEAREST)


def numbered(board: Map, plan: Layout, mask: Image.Image) -> Image.Image:
    """Return the mask in the size of the board, with 0 for no area."""
    size = (plan.board.width, plan.board.height)
    part = seen(board, size, mask)
    if part.width == size[0]:
        return part.resize(size, Image.Resampling.NEAREST)
    # Enlarged pixels have stairs, which most of their neighbours outvote.
    return part.resize(size, Image.Resampling.NEAREST).filter(ImageFilter.ModeFilter(5))


def discs(board: Map, plan: Layout) -> Image.Image:
    numbers = Image.new("L", (plan.board.width, plan.board.height))
    pen, radius = ImageDraw.Draw(numbers), disc(board, plan)
    left, top = (0.0, 0.0) if board.window is None else board.window[:2]
    for number, area in enumerate(board.areas, 1):
        x, y = (area.at[0] - left) * plan.scale, (area.at[1] - top) * plan.scale
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=number)
    return numbers


def places(numbers: Image.Image) -> Iterator[tuple[int, Box]]:
    """Yield where each area lies: found in one pass over the rows that have it."""
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


def boxes_of(board: Map, numbers: Image.Image) -> Iterator[tuple[str, tuple[int, Box]]]:
    """Yield each area that is shown with its number, and where it lies."""
    shown = board.places
    for number, box in places(numbers):
        if number <= len(board.areas) and board.areas[number - 1].name in shown:
            yield board.areas[number - 1].name, (number, box)


def edges(numbers: Image.Image, *, between: bool) -> Image.Image:
    """Return where areas end; with `between` only where another one begins."""
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


def _touching(numbers: Image.Image) -> set[tuple[int, int]]:
    """Return the pairs of areas that lie side by side, the smaller number first."""
    small = numbers.resize((numbers.width // 2, numbers.height // 2), Image.Resampling.NEAREST)
    data = small.tobytes()
    found: set[tuple[int, int]] = set()
    for step in range(1, _NEAR + 1):
        found.update(zip(data, data[step:], strict=False))
        found.update(zip(data, data[step * small.width :], strict=False))
    return {(min(pair), max(pair)) for pair in found}


def links(board: Map, plan: Layout, numbers: Image.Image) -> Image.Image:
    """Return where the ways lead of neighbours that don't touch: dashed, from coast to coast."""
    number = {area.name: nth for nth, area in enumerate(board.areas, 1)}
    spots = {area.name: area.at for area in board.areas}
    left, top = (0.0, 0.0) if board.window is None else board.window[:2]
    touching, cell = _touching(numbers), plan.cell * FINE
    mask = Image.new("L", (numbers.width * FINE, numbers.height * FINE))
    pen = ImageDraw.Draw(mask)
    for link in board.links:
        one, other = (number[end] for end in link.ends)
        if (min(one, other), max(one, other)) in touching:
            continue
        (x0, y0), (x1, y1) = (
            ((spots[end][0] - left) * plan.scale, (spots[end][1] - top) * plan.scale) for end in link.ends
        )
        steps = max(1, round(max(abs(x1 - x0), abs(y1 - y0))))
        way = [(x0 + (x1 - x0) * at / steps, y0 + (y1 - y0) * at / steps) for at in range(steps + 1)]
        of = [_at(numbers, spot) for spot in way]
        start = max((at for at, value in enumerate(of) if value == one), default=0)
        end = next((at for at, value in enumerate(of) if value == other and at > start), steps)
        shore = [(x * FINE, y * FINE) for x, y in (way[start], way[end])]
        link_over(pen, shore, cell, directed=link.directed)
    return mask.reduce(FINE).point([0] * 96 + [255] * 160)


def _at(numbers: Image.Image, spot: tuple[float, float]) -> int:
    x, y = round(spot[0]), round(spot[1])
    inside = 0 <= x < numbers.width and 0 <= y < numbers.height
    value = numbers.getpixel((x, y)) if inside else 0
    return value if isinstance(value, int) else 0
