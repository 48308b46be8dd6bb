"""The artwork of a map: its author's picture, which pixel belongs to whom, and where links cross water.

Bytes are only decoded here, once for all themes. A file that is damaged, or of another size than its map,
counts as missing. Which area a pixel belongs to, by its author's mask or by discs, is a greyscale image: the
number of the area, from 1, and 0 for no area.

A line over water goes from shore to shore between neighbours that don't touch. Two areas touch if they lie
side by side along a visible stretch, or are parted by no more than a drawn line. Everything is measured on a
small copy of the mask, so that a mask of any size takes the same time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from math import hypot
from typing import TypeAlias

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from games.engine.scene import Link, Map, Spot
from render.geometry import Layout
from render.geometry_map import disc_radius, layout, on_board, without_bytes
from render.thread_safe_cache import Cache

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


_COPY_WIDTH = 560
"""Width of the copy that is measured, in pixels; a smaller mask isn't resized."""
_MAX_LINE, _MIN_BORDER = 0.0075, 0.009
"""Maximum width of a drawn line between areas that touch, measured along rows or columns, and the minimum
length of their border; in widths of the map."""
_SHORE_POINTS, _REFINED_LINES = 48, 12
"""How many points of each shore are compared, and how many of the best pairs are refined."""
_LAND_COST, _ASIDE_COST = 3.0, 0.3
"""Extra cost of a line over foreign land, as a multiple of its length; and the cost of each pixel between its
middle and the point halfway between both areas."""
_MIN_WRAP, _MAX_WRAP_SHARE = 0.4, 0.5
"""Minimum length of a line that may go around the world instead, in widths of the map; and the share of that
length below which the way around must stay."""
_MIN_TO_RIM = 0.03
"""Minimum length of a line to a rim, in widths of the map."""

Pixels: TypeAlias = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Crossing:
    """A link as lines in units of the map: one, or two to the rims if it goes around the world."""

    ends: tuple[str, str]
    lines: tuple[tuple[Spot, Spot], ...]
    directed: bool
    wraps: bool


_crossings: Cache[Map, tuple[Crossing, ...]] = Cache(24)


def crossings(board: Map, mask: Callable[[], Image.Image]) -> tuple[Crossing, ...]:
    """Return the crossings of a map, computed once. `mask` returns its mask, 255 for no area."""
    key = replace(without_bytes(board), window=None)
    return _crossings.get(key, lambda: tuple(_all_crossings(board, mask())))


def _all_crossings(board: Map, mask: Image.Image) -> list[Crossing]:
    wide = min(_COPY_WIDTH, mask.width)
    scale = mask.width / wide
    size = (wide, max(1, round(mask.height / scale)))
    numbers = mask.point([*range(_NO_AREA), 0]).resize(size, Image.Resampling.NEAREST)
    number = {area.name: nth for nth, area in enumerate(board.areas, 1)}
    touch, shores = _touching(numbers), _shores(numbers)
    found = []
    for link in board.links:
        one, other = (number[end] for end in link.ends)
        if (min(one, other), max(one, other)) in touch or one not in shores or other not in shores:
            continue
        (x0, y0), (x1, y1) = (board.areas[nth - 1].at for nth in (one, other))
        spots = ((x0 / scale, y0 / scale), (x1 / scale, y1 / scale))
        found.append(_link_crossing(link, (one, other), spots, shores, numbers, scale))
    return found


def _touching(numbers: Image.Image) -> frozenset[tuple[int, int]]:
    """Return the pairs of areas that touch, the smaller number first."""
    gap, shared = max(1, round(numbers.width * _MAX_LINE)), max(3, round(numbers.width * _MIN_BORDER))
    padded = Image.new("L", (numbers.width + gap + 1, numbers.height))  # keeps rows apart
    padded.paste(numbers, (0, 0))
    data = padded.tobytes()
    counts: dict[tuple[int, int], int] = {}
    for step in range(1, gap + 2):  # across a line of `step` - 1 pixels
        for away in (step, step * padded.width):
            along: Counter[tuple[int, int]] = Counter()
            for (one, other), count in Counter(zip(data, data[away:], strict=False)).items():
                if one and other and one != other:
                    along[min(one, other), max(one, other)] += count
            for pair, count in along.items():
                counts[pair] = max(counts.get(pair, 0), count)
    return frozenset(pair for pair, count in counts.items() if count >= shared)


def _shores(numbers: Image.Image) -> Mapping[int, Pixels]:
    """Return the outermost pixels of each area."""
    most, least = numbers.filter(ImageFilter.MaxFilter(3)), numbers.filter(ImageFilter.MinFilter(3))
    edge = ImageChops.difference(most, least).tobytes()
    found: dict[int, Pixels] = {}
    wide = numbers.width
    for at, number in enumerate(numbers.tobytes()):
        if number and edge[at]:
            found.setdefault(number, []).append((at % wide, at // wide))
    return found


def _link_crossing(
    link: Link,
    pair: tuple[int, int],
    spots: tuple[Spot, Spot],
    shores: Mapping[int, Pixels],
    numbers: Image.Image,
    scale: float,
) -> Crossing:
    one, other = (shores[number] for number in pair)
    middle = tuple((a + b) / 2 for a, b in zip(*spots, strict=True))
    (x0, y0), (x1, y1) = _shortest_line(one, other, pair, (middle[0], middle[1]), numbers)
    wide, length = numbers.width, hypot(x1 - x0, y1 - y0)
    west, east = (one, other) if x0 < x1 else (other, one)
    left, right = min(west), max(east)
    if length > wide * _MIN_WRAP and left[0] + wide - right[0] < length * _MAX_WRAP_SHARE:
        height = (left[1] + right[1]) / 2
        stubs = [_line_to_rim(left, 0, wide, height), _line_to_rim(right, wide, wide, height)]
        ordered = stubs if west is one else stubs[::-1]
        return Crossing(link.ends, tuple(_scaled(line, scale) for line in ordered), link.directed, True)
    return Crossing(link.ends, (_scaled(((x0, y0), (x1, y1)), scale),), link.directed, False)


def _line_to_rim(shore: tuple[int, int], rim: int, width: int, height: float) -> tuple[Spot, Spot]:
    """Return a line from a shore to the rim at x = `rim`, long enough to be seen and never steep."""
    x, y = shore
    away = max(abs(x - rim), round(width * _MIN_TO_RIM))
    x = away if rim == 0 else rim - away
    aside = min(max(height - y, -away / 2), away / 2)
    return (x, y), (rim - 0.5, y + aside)


def _scaled(line: tuple[Spot, Spot], scale: float) -> tuple[Spot, Spot]:
    (x0, y0), (x1, y1) = line
    return ((x0 + 0.5) * scale, (y0 + 0.5) * scale), ((x1 + 0.5) * scale, (y1 + 0.5) * scale)


def _shortest_line(
    one: Pixels, other: Pixels, pair: tuple[int, int], middle: Spot, numbers: Image.Image
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the ends of a short line between two shores that avoids foreign land where it can."""
    few, fewer = one[:: len(one) // _SHORE_POINTS + 1], other[:: len(other) // _SHORE_POINTS + 1]

    def worth(start: tuple[int, int], end: tuple[int, int]) -> float:
        aside = hypot((start[0] + end[0]) / 2 - middle[0], (start[1] + end[1]) / 2 - middle[1])
        return hypot(start[0] - end[0], start[1] - end[1]) + aside * _ASIDE_COST

    tried = sorted((worth(start, end), start, end) for start in few for end in fewer)
    chosen = [tried[nth] for nth in range(0, min(len(tried), 8 * _REFINED_LINES), 8)]
    best = float("inf")
    ends = chosen[0][1], chosen[0][2]
    for _, near, _ in chosen:
        end = _nearest(other, near)
        start = _nearest(one, end)
        cost = worth(start, end) * _land_factor(start, end, pair, numbers)
        if cost < best:
            best, ends = cost, (start, end)
    return ends


def _nearest(among: Sequence[tuple[int, int]], to: tuple[int, int]) -> tuple[int, int]:
    return min(among, key=lambda spot: ((spot[0] - to[0]) ** 2 + (spot[1] - to[1]) ** 2, spot))


def _land_factor(
    start: tuple[int, int], end: tuple[int, int], pair: tuple[int, int], numbers: Image.Image
) -> float:
    """Return the factor by which foreign land makes a line dearer; 1 over water alone."""
    (x0, y0), (x1, y1) = start, end
    steps = max(1, abs(x1 - x0), abs(y1 - y0))
    spots = ((round(x0 + (x1 - x0) * k / steps), round(y0 + (y1 - y0) * k / steps)) for k in range(steps + 1))
    over = sum(numbers.getpixel(spot) not in (0, *pair) for spot in spots)
    return 1 + _LAND_COST * over / (steps + 1)


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
    numbers = from_discs(board, plan) if mask is None else from_mask(board, plan, mask)
    if picture is not None:
        size = (plan.board.width, plan.board.height)
        picture = crop_to_window(board, picture).resize(size, Image.Resampling.LANCZOS)
    return Artwork(
        key,
        plan,
        picture,
        mask is not None,
        numbers,
        dict(visible_boxes(board, numbers)),
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
