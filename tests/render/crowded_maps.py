"""Random crowded maps: a mask, a picture that compresses badly, points, borders and continents.

Land is cut into cells around random points, as most conquest maps are. On `islands` no two areas touch, and
on `rims` armies stand as near to the edges as possible. The same name gives the same map.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial
from io import BytesIO
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from games.engine.message import msg
from games.engine.scene import Area, Ground, Ink, Link, Map, Mark, Scene, Spot, Token, Zone
from render.geometry import FULL_UNIT
from render.geometry_map import without_bytes
from render.map_annotations import MapAnnotations, map_annotations
from render.map_artwork import artwork
from tests.render.boards import GLYPHS, WORDS
from tests.render.maps import SEATS, map_scene

Field = NDArray[np.float64]
Numbers = NDArray[np.int64]
NOBODY: Final = 255
_MIN_BORDER: Final = 20
"""Minimum length of a visible border, in pixels."""
WORDS["zone"] = "{name} {value}"
_ZONES: Final = (
    "North America", "Europe", "Asia", "South America", "Africa", "Oceania", "The Far Islands",
    "Hinterland", "Mountains", "Steppe", "Great Lakes", "Orient",
)  # fmt: skip
_LETTERS: Final = "abcdefghijklmnoprstuvwyz"
_TINTS: Final[tuple[Ink, ...]] = ("yellow", "orange", "blue", "red", "green", "purple", "black")


@dataclass(frozen=True)
class Recipe:
    """What a random map is made from."""

    areas: int
    zones: int
    size: tuple[int, int]
    seed: int
    sea: float = 0.42
    """Approximate share of water."""
    line: int = 2
    """Width of the drawn lines between areas, in pixels."""
    islands: bool = False
    rims: bool = False
    noise: float = 40.0
    """Variation of the picture's shades, in grey levels."""


RECIPES: Final = {
    "classic": Recipe(42, 6, (680, 440), 1),
    "fifty": Recipe(50, 6, (900, 560), 2, line=1),
    "wide": Recipe(75, 9, (1000, 600), 3, line=3),
    "islands": Recipe(75, 8, (1000, 700), 4, islands=True),
    "rims": Recipe(48, 5, (900, 600), 5, sea=0.0, rims=True, noise=25.0),
    "crowd": Recipe(180, 12, (1100, 800), 6, sea=0.25, line=1, noise=60.0),
    "archipelago": Recipe(180, 12, (1200, 800), 7, islands=True, noise=60.0),
    "photo": Recipe(60, 6, (1600, 1000), 8, sea=0.3, line=0, noise=110.0),
}


@dataclass(frozen=True)
class CrowdedMap:
    """A random map, and what is known about it."""

    board: Map
    touching: frozenset[frozenset[str]]
    """The linked areas with a long border between them, along a drawn line."""
    apart: frozenset[frozenset[str]]
    """The linked areas with a visible gap between them."""
    mask: Image.Image


def _smooth(random: np.random.Generator, size: tuple[int, int], cell: int) -> Field:
    """Return noise from 0 to 1 with hills of about `cell` pixels."""
    wide, high = size[0] // cell + 3, size[1] // cell + 3
    few = Image.fromarray(random.integers(0, 256, (high, wide)).astype(np.uint8))
    whole = few.resize((wide * cell, high * cell), Image.Resampling.BICUBIC)
    return np.asarray(whole.crop((cell, cell, cell + size[0], cell + size[1])), dtype=np.float64) / 255


def _points(random: np.random.Generator, kind: Recipe, land: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return points of land, spread by a few tries each; the first ones on the rims if the recipe says so."""
    wide, high = kind.size
    found: list[tuple[int, int]] = []
    if kind.rims:
        count = kind.areas // 8
        for n in range(count):
            x, y = round((n + 0.5) / count * wide), round((n + 0.5) / count * high)
            found += [(x, 2), (x, high - 3), (2, y), (wide - 3, y)]
    ys, xs = np.nonzero(land)
    while len(found) < kind.areas:
        tries = random.integers(0, len(xs), 12)
        spots = [(int(xs[t]), int(ys[t])) for t in tries]
        best = max(spots, key=lambda s: min(((s[0] - x) ** 2 + (s[1] - y) ** 2 for x, y in found), default=0))
        found.append(best)
    return np.array(found)


def _cells(random: np.random.Generator, kind: Recipe) -> tuple[Numbers, NDArray[np.int64]]:
    """Return the number of each pixel's area, 0 for water, and the points."""
    wide, high = kind.size
    hills = 0.6 * _smooth(random, kind.size, 160) + 0.3 * _smooth(random, kind.size, 60)
    hills += 0.1 * _smooth(random, kind.size, 18)
    land = hills >= np.quantile(hills, kind.sea) if kind.sea else np.ones((high, wide), dtype=bool)
    if kind.islands:
        land = np.ones((high, wide), dtype=bool)
        land[:30], land[-30:], land[:, :30], land[:, -30:] = False, False, False, False
    points = _points(random, kind, land)
    rows, columns = np.mgrid[0:high, 0:wide]
    xs: Field = columns + 14 * (_smooth(random, kind.size, 22) - 0.5)
    ys: Field = rows + 14 * (_smooth(random, kind.size, 22) - 0.5)
    best, second = np.full((high, wide), np.inf), np.full((high, wide), np.inf)
    numbers = np.zeros((high, wide), dtype=np.int64)
    for n, (x, y) in enumerate(points, 1):
        away = (xs - x) ** 2 + (ys - y) ** 2
        numbers[away < best] = n
        np.minimum(second, np.maximum(best, away), out=second)
        np.minimum(best, away, out=best)
    best, second = np.sqrt(best), np.sqrt(second)
    numbers[~land] = 0
    if kind.islands:
        numbers[second - best < 22 + 16 * _smooth(random, kind.size, 40)] = 0
    for n, (x, y) in enumerate(points, 1):  # each area has land around its point
        spot = (slice(max(0, y - 5), y + 6), slice(max(0, x - 5), x + 6))
        numbers[spot] = np.where(numbers[spot] == 0, n, numbers[spot])
        numbers[y, x] = n
    return numbers, points


def _touching(numbers: Numbers) -> set[tuple[int, int]]:
    """Return the pairs of numbers with a visible border, the smaller first."""
    counts: dict[tuple[int, int], int] = {}
    for one, other in ((numbers[:, 1:], numbers[:, :-1]), (numbers[1:], numbers[:-1])):
        differs = (one != other) & (one > 0) & (other > 0)
        pairs, sizes = np.unique(
            np.sort(np.stack((one[differs], other[differs])), axis=0), axis=1, return_counts=True
        )
        for (a, b), size in zip(pairs.T.tolist(), sizes.tolist(), strict=True):
            counts[a, b] = counts.get((a, b), 0) + size
    return {pair for pair, size in counts.items() if size >= _MIN_BORDER}


def _lined(numbers: Numbers, thick: int) -> Numbers:
    """Return the numbers with lines of 0 between areas."""
    if thick == 0:
        return numbers
    edge = np.zeros(numbers.shape, dtype=bool)
    edge[:, 1:] |= numbers[:, 1:] != numbers[:, :-1]
    edge[1:] |= numbers[1:] != numbers[:-1]
    image = Image.fromarray(edge.astype(np.uint8) * 255)
    for _ in range((thick - 1) // 2):
        image = image.filter(ImageFilter.MaxFilter(3))
    return np.where(np.asarray(image) > 0, 0, numbers)


def _painted(
    random: np.random.Generator, kind: Recipe, numbers: Numbers, names: list[str], at: list[Spot]
) -> bytes:
    """Return a picture with relief, waves, drawn borders and printed names."""
    wide, high = kind.size
    zones = np.concatenate(([0], 1 + np.arange(kind.areas) * kind.zones // kind.areas))
    colours = random.integers(110, 230, (kind.zones + 1, 3))
    colours[0] = (120, 160, 205)
    image = colours[zones[numbers]].astype(np.float64)
    relief: Field = np.zeros((high, wide))
    for cell, share in ((50, 1.0), (16, 0.8), (5, 0.7)):
        relief += (_smooth(random, kind.size, cell) - 0.5) * share
    image += (relief * kind.noise)[:, :, None]
    image += (random.random((high, wide, 1)) - 0.5) * kind.noise * 0.4
    edge = np.zeros((high, wide), dtype=bool)
    edge[:, 1:] |= numbers[:, 1:] != numbers[:, :-1]
    edge[1:] |= numbers[1:] != numbers[:-1]
    image[edge] = (60, 50, 45)
    drawn = Image.fromarray(np.clip(image, 0, 255).astype(np.uint8))
    pen = ImageDraw.Draw(drawn)
    for name, (x, y) in zip(names, at, strict=True):
        pen.text((x - 14, y + 12), name, fill=(30, 25, 25))
    with BytesIO() as out:
        drawn.save(out, "PNG", compress_level=1)
        return out.getvalue()


@lru_cache(maxsize=16)
def crowded_map(name: str) -> CrowdedMap:
    """Return a map of `RECIPES`."""
    kind = RECIPES[name]
    random = np.random.default_rng(kind.seed)
    numbers, points = _cells(random, kind)
    order = np.argsort(points[:, 0] // (kind.size[0] // 4 + 1) * 10_000 + points[:, 1])
    table = np.zeros(kind.areas + 1, dtype=np.int64)
    table[order + 1] = np.arange(1, kind.areas + 1)
    numbers, points = table[numbers], points[order]
    codes = [_LETTERS[n % 24] + _LETTERS[n // 24 + 1] + _LETTERS[n * 7 % 24] for n in range(kind.areas)]
    at: list[Spot] = [(float(x), float(y)) for x, y in points]
    touching = set() if kind.islands else _touching(numbers)
    apart = {pair for pair in _over_water(at, touching) if _gap(numbers, *pair) > 0.013 * kind.size[0]}
    mask = _lined(numbers, kind.line)
    for n, (x, y) in enumerate(points, 1):
        mask[y, x] = n
    links = touching | _over_water(at, touching)
    zones = tuple(
        Zone(
            _TINTS[z % 7],
            frozenset(codes[n] for n in range(kind.areas) if n * kind.zones // kind.areas == z),
            msg("zone", name=_ZONES[z], value=z % 7 + 2),
        )
        for z in range(kind.zones)
    )
    picture = _painted(random, kind, numbers, [code.upper() for code in codes], at)
    grey = Image.fromarray(np.where(mask == 0, NOBODY, mask).astype(np.uint8))
    with BytesIO() as out:
        grey.save(out, "PNG", compress_level=1)
        ground = Ground(name, True, picture, out.getvalue())
    board = Map(
        kind.size,
        tuple(Area(code, spot, (), f"Land of {code.title()}") for code, spot in zip(codes, at, strict=True)),
        tuple(Link((codes[a - 1], codes[b - 1])) for a, b in sorted(links)),
        zones,
        ground=ground,
    )
    side, gap = (
        frozenset(frozenset((codes[a - 1], codes[b - 1])) for a, b in of) for of in (touching, apart)
    )
    return CrowdedMap(board, side, gap, grey)


def _gap(numbers: Numbers, one: int, other: int) -> float:
    """Return the distance between two areas, in pixels."""
    first, second = (np.argwhere(numbers == number) for number in (one, other))
    first, second = first[:: len(first) // 400 + 1], second[:: len(second) // 400 + 1]
    return float(np.sqrt(((first[:, None] - second[None]) ** 2).sum(axis=2).min()))


def _over_water(at: list[Spot], touching: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return more neighbours: areas with the nearest one that they don't touch, and a link around."""
    found: set[tuple[int, int]] = set()
    gaps = {
        (a, b): (at[a - 1][0] - at[b - 1][0]) ** 2 + (at[a - 1][1] - at[b - 1][1]) ** 2
        for a, b in combinations(range(1, len(at) + 1), 2)
        if (a, b) not in touching
    }
    joined = {n for pair in touching for n in pair}
    for n in range(1, len(at) + 1):
        if n not in joined or n % 4 == 0:
            found.add(min((pair for pair in gaps if n in pair), key=lambda pair: (gaps[pair], pair)))
    west, east = (
        min(range(len(at)), key=lambda n: at[n][0]) + 1,
        max(range(len(at)), key=lambda n: at[n][0]) + 1,
    )
    found.add((min(west, east), max(west, east)))
    return found


def crowded_scene(name: str, *, counts: int = 99, held: bool = True, marks: tuple[Mark, ...] = ()) -> Scene:
    """Return a scene on a map of `RECIPES`: every area held by one of six seats, by up to `counts`."""
    board = crowded_map(name).board
    of = map_scene({}, board, marks=marks, seats=6)
    tokens = tuple(
        Token(area.name, glyph, ink, code, count=1 + n * 37 % counts)
        for n, area in enumerate(board.areas)
        for code, ink, glyph in (SEATS[n * 5 % 6 if n % 3 else n % 6],)
    )
    return Scene(board, tokens if held else (), of.panels, of.headline, marks, glyphs=GLYPHS)


@lru_cache(16)
def annotations_of(board: Map, unit: int = FULL_UNIT) -> MapAnnotations:
    """Annotate a map once for all tests of it."""
    return annotated(board, unit)


def annotated(board: Map, unit: int = FULL_UNIT) -> MapAnnotations:
    own = replace(board, ground=None) if artwork(board, unit) is None else without_bytes(board)
    return map_annotations(own, unit, partial(artwork, board))
