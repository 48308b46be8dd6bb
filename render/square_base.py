"""The bases of squares: what is drawn below their pieces and never moves, such as tints, borders and lines.

A base holds its own part of everything that crosses the square, so that a tile is drawn without neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from games.engine import grid
from games.engine.scene import Grid, Ink

Segment = tuple[float, float, float, float]
"""A line from (x, y) to (x, y), in squares from the upper left corner of its square."""

_SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Top, right, bottom, left."""


@dataclass(frozen=True, slots=True)
class SquareBase:
    """The base of one square."""

    tint: Ink | None = None
    border: tuple[bool, bool, bool, bool] = (False, False, False, False)
    """Whether the zone ends at the top, right, bottom and left."""
    lines: tuple[Segment, ...] = ()
    fort: bool = False
    start: bool = False


def check_grid(board: Grid) -> None:
    """Raise ValueError for parts off the board, zones that overlap, and lines between non-neighbours."""
    whole = frozenset(grid.squares(board.files, board.ranks, board.missing))
    ends = frozenset(place for edge in board.edges for place in edge)
    zoned: set[str] = set()
    for what, places in (
        ("a zone", frozenset[str]().union(*(zone.places for zone in board.zones))),
        ("a line", ends),
        ("a fort", board.forts),
        ("a start", board.starts),
    ):
        if nowhere := places - whole:
            raise ValueError(f"{what} lies off the board: {min(nowhere)}")
    for zone in board.zones:
        if twice := zoned & zone.places:
            raise ValueError(f"two zones have {min(twice)}")
        zoned |= zone.places
    for one, other in sorted(board.edges):
        (f0, r0), (f1, r1) = grid.coordinates(one), grid.coordinates(other)
        if max(abs(f0 - f1), abs(r0 - r1)) != 1:
            raise ValueError(f"a line joins places that aren't neighbours: {one} and {other}")


def square_bases(board: Grid, spots: Mapping[str, tuple[int, int]]) -> Mapping[str, SquareBase]:
    """Return the base of each visible square; `spots` are their columns and rows as seen.

    A board without zones, lines, forts and starts has none.
    """
    if not (board.zones or board.edges or board.forts or board.starts):
        return MappingProxyType({})
    at = {spot: name for name, spot in spots.items()}
    zone_of = {name: nth for nth, zone in enumerate(board.zones) for name in zone.places}
    lines = _lines(board, spots)
    found: dict[str, SquareBase] = {}
    for name, (x, y) in spots.items():
        zone = zone_of.get(name)
        top, right, bottom, left = (
            zone is not None
            and (there := at.get((x + dx, y + dy))) is not None
            and zone_of.get(there) != zone
            for dx, dy in _SIDES
        )
        found[name] = SquareBase(
            None if zone is None else board.zones[zone].ink,
            (top, right, bottom, left),
            tuple(sorted(lines.get((x, y), ()))),
            name in board.forts,
            name in board.starts,
        )
    return MappingProxyType(found)


def _lines(board: Grid, spots: Mapping[str, tuple[int, int]]) -> dict[tuple[int, int], list[Segment]]:
    """Return the lines in each square; a line past the corner of a square is drawn there too."""
    found: dict[tuple[int, int], list[Segment]] = {}
    for one, other in board.edges:
        if one not in spots or other not in spots:
            continue
        (x0, y0), (x1, y1) = sorted((spots[one], spots[other]))
        for x in {x0, x1}:
            for y in {y0, y1}:
                segment = (x0 - x + 0.5, y0 - y + 0.5, x1 - x + 0.5, y1 - y + 0.5)
                found.setdefault((x, y), []).append(segment)
    return found
