"""Drawings of maps as arcs: a border is one line that two countries share, so that they touch exactly there.

An arc is named after the country whose coast it is (`ala`), or after the two that meet there (`ala nwt`). The
arcs of a country are joined at their end points into closed outlines. Coasts and borders are written coarsely
and get small bends here, by integer arithmetic: the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import hypot
from typing import Final, TypeAlias

from games.domination.maps.atlas import Atlas, Continent
from games.engine.message import Msg
from games.engine.scene import Area, Ground, Ink, Link, Map, Spot, Zone

Line: TypeAlias = tuple[Spot, ...]

INKS: Final[tuple[Ink, ...]] = ("yellow", "orange", "blue", "red", "green", "purple", "black")
"""The tints of continents, used in this order and repeated."""
_MIN_BENT_LENGTH: Final = 9.0
"""Maximum length of a segment without bends, in units of the map."""
_MAX_BEND: Final = 0.17
"""Maximum displacement of a segment's middle, as a fraction of its length."""
_MAX_DEPTH: Final = 3


@dataclass(frozen=True)
class Drawing:
    """The appearance of a map, besides what is in its atlas."""

    arcs: Mapping[str, str]
    """Points as `x,y x,y`; arcs of one name are separated by `/`. A closed one is an island."""
    links: Mapping[str, str]
    """Links over water, `ala kam` to points as above; `around` in front if it crosses the map's edge."""
    labels: tuple[Spot, ...]
    """Position of each continent's name."""

    @cached_property
    def lines(self) -> tuple[tuple[tuple[str, ...], Line], ...]:
        """All bent arcs with the codes of their countries. Raises ValueError like `points`."""
        return tuple(
            (tuple(name.split()), bend(points(text)))
            for name, texts in self.arcs.items()
            for text in texts.split("/")
        )

    def outlines(self, code: str) -> tuple[Line, ...]:
        """Return the closed outlines of a country. Raises ValueError if its arcs don't close."""
        return closed_outlines(code, [line for names, line in self.lines if code in names])


def points(text: str) -> Line:
    """Parse `x,y x,y`. Raises ValueError for anything else, and for fewer than two points."""
    line = tuple((float(x), float(y)) for x, y in (pair.split(",") for pair in text.split()))
    if len(line) < 2:
        raise ValueError(f"a line needs two points: {text!r}")
    return line


def closed_outlines(code: str, lines: Iterable[Line]) -> tuple[Line, ...]:
    """Join lines into closed outlines, first point not repeated. Raises ValueError, naming `code`."""
    left = list(lines)
    found: list[Line] = []
    while left:
        ring = left.pop(0)
        while ring[0] != ring[-1]:
            nth = next((n for n, line in enumerate(left) if ring[-1] in (line[0], line[-1])), None)
            if nth is None:
                raise ValueError(f"{code} isn't closed: nothing goes on at {ring[-1]}")
            line = left.pop(nth)
            ring += line[1:] if line[0] == ring[-1] else line[-2::-1]
        found.append(ring[:-1])
    return tuple(found)


def bend(line: Line) -> Line:
    """Return a line with small bends between its unchanged points."""
    found = [line[0]]
    for one, other in pairwise(line):
        found += _between(one, other, _MAX_DEPTH)
        found.append(other)
    return tuple(found)


def _between(one: Spot, other: Spot, depth: int) -> list[Spot]:
    """Return points between two: their middle moved aside, then recursively those of both halves."""
    (x0, y0), (x1, y1) = one, other
    length = hypot(x1 - x0, y1 - y0)
    if depth == 0 or length <= _MIN_BENT_LENGTH:
        return []
    chance = (int(x0 * 7 + x1 * 13) * 73856093 ^ int(y0 * 5 + y1 * 11) * 19349663) % 1009 / 504 - 1
    aside = _MAX_BEND * chance
    middle = (round((x0 + x1) / 2 - (y1 - y0) * aside, 1), round((y0 + y1) / 2 + (x1 - x0) * aside, 1))
    return [*_between(one, middle, depth - 1), middle, *_between(middle, other, depth - 1)]


def board(
    atlas: Atlas,
    drawing: Drawing | None,
    name: Callable[[Continent], Msg],
    seats: int = 6,
    title: Callable[[Continent], Msg] | None = None,
) -> Map:
    """Return an atlas as a board; without a drawing, discs and lines. Raises like `closed_outlines`.

    `name` is what the map shows of a continent, `title` its name alone if that differs.
    """
    codes = [country.code for country in atlas.countries]
    areas = tuple(
        Area(
            country.code,
            (float(country.at[0]), float(country.at[1])),
            () if drawing is None else drawing.outlines(country.code),
            country.name,
        )
        for country in atlas.countries
    )
    zones = tuple(
        Zone(
            INKS[nth % len(INKS)],
            frozenset(codes[at] for at in atlas.countries_of[nth]),
            name(continent),
            None if drawing is None else drawing.labels[nth],
            None if title is None else title(continent),
        )
        for nth, continent in enumerate(atlas.continents)
    )
    links = _straight(atlas) if drawing is None else tuple(_links(drawing))
    ground = Ground(atlas.ground) if atlas.ground and drawing is None else None
    return Map(atlas.size, areas, links, zones, seats, ground=ground)


def _links(drawing: Drawing) -> Iterable[Link]:
    for ends, text in drawing.links.items():
        one, other = ends.split()
        around = text.startswith("around ")
        yield Link((one, other), points(text.removeprefix("around ")), around)


def _straight(atlas: Atlas) -> tuple[Link, ...]:
    """Return all borders as straight links, one-way borders as directed ones."""
    found: list[Link] = []
    for a, others in enumerate(atlas.borders):
        for b in others:
            both = a in atlas.borders[b]
            if a != b and (a < b or not both):
                ends = (atlas.countries[a].code, atlas.countries[b].code)
                found.append(Link(ends, directed=not both))
    return tuple(found)
