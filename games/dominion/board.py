"""The board of Dominion as data: 13 x 13 squares, four Territories, a circle, defensive lines, start points.

The printed figure is lost; this layout satisfies every sentence of the rules. Squares are numbers, rank by
rank from a1; a Territory is described once, in local coordinates, and rotated to the four sides.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from games.engine.grid import coordinates, name

SIZE: Final = 13
SQUARES: Final = range(SIZE * SIZE)
NAMES: Final = tuple(name(square % SIZE, square // SIZE) for square in SQUARES)
INDEX: Final = {text: square for square, text in enumerate(NAMES)}

NORTH, EAST, SOUTH, WEST = range(4)
SIDES: Final = ("north", "east", "south", "west")
"""Clockwise, the order of the turns."""
WIDTH: Final = 7
DEPTH: Final = 3
NO_SIDE: Final = 4
"""The Territory number of all neutral land."""


def territory_square(side: int, x: int, y: int) -> int:
    """Return the square x steps from the left and y from the back of a Territory, facing the centre."""
    file, rank = {
        NORTH: (9 - x, 12 - y),
        EAST: (12 - y, 3 + x),
        SOUTH: (3 + x, y),
        WEST: (y, 9 - x),
    }[side]
    return rank * SIZE + file


def distance(a: int, b: int) -> int:
    """Return the number of king's moves between two squares."""
    return max(abs(a % SIZE - b % SIZE), abs(a // SIZE - b // SIZE))


TERRITORIES: Final = tuple(
    frozenset(territory_square(side, x, y) for x in range(WIDTH) for y in range(DEPTH)) for side in range(4)
)
"""The 21 squares of each Territory, by side."""
TERRITORY_OF: Final = bytes(
    next((side for side in range(4) if square in TERRITORIES[side]), NO_SIDE) for square in SQUARES
)
"""The Territory of each square, NO_SIDE for neutral land."""
STRONGHOLDS: Final = tuple(tuple(territory_square(side, x, 1) for x in (1, 3, 5)) for side in range(4))
ALL_STRONGHOLDS: Final = frozenset(square for side in STRONGHOLDS for square in side)
"""All twelve strongholds."""
CIRCLE: Final = frozenset(
    square for square in SQUARES if (square % SIZE - 6) ** 2 + (square // SIZE - 6) ** 2 <= 10
)
CIRCLE_POINTS: Final = tuple(INDEX[f"{file}{rank}"] for rank in (5, 7, 9) for file in "egi")
"""The nine start points of Peasants in the circle."""
MARCHES: Final = {
    frozenset({SOUTH, WEST}): ("a3", "b2", "c1"),
    frozenset({SOUTH, EAST}): ("m3", "l2", "k1"),
    frozenset({NORTH, WEST}): ("a11", "b12", "c13"),
    frozenset({NORTH, EAST}): ("m11", "l12", "k13"),
}
"""The start points of each corner march, by the two Territories beside it."""


def start_points(sides: tuple[int, ...]) -> tuple[int, ...]:
    """Return the squares of the Peasants at the start: 9, 15 or 21, by the sides that have an army.

    With two armies the circle's; with three also the marches beside the empty Territory; with four all.
    """
    empty = set(range(4)).difference(sides)
    extra: list[int] = []
    for beside, march in MARCHES.items():
        if not empty or (len(empty) == 1 and empty & beside):
            extra += (INDEX[text] for text in march)
    return (*CIRCLE_POINTS, *extra)


START_ARMY: Final = (
    *(("E", 3, 0), ("G", 2, 1), ("P", 3, 1), ("A", 4, 1), ("S", 1, 1), ("S", 5, 1)),
    *(("S", x, 2) for x in range(1, 6)),
)
"""Letter and local coordinates of the eleven units of a team."""
DEFAULT_SERGEANTS: Final = tuple(
    (territory_square(side, 2, 2), territory_square(side, 4, 2)) for side in range(4)
)
"""The two squares by side whose Soldiers are promoted if a player doesn't choose."""

# --- steps and rays, worked out once -------------------------------------------------------------------


def _ray(square: int, step: tuple[int, int]) -> tuple[int, ...]:
    file, rank = coordinates(NAMES[square])
    met: list[int] = []
    while 0 <= (file := file + step[0]) < SIZE and 0 <= (rank := rank + step[1]) < SIZE:
        met.append(rank * SIZE + file)
    return tuple(met)


SquareLists: TypeAlias = tuple[tuple[int, ...], ...]
Rays: TypeAlias = tuple[SquareLists, ...]


def _rays(*steps: tuple[int, int]) -> Rays:
    return tuple(tuple(ray for step in steps if (ray := _ray(square, step))) for square in SQUARES)


def _next_to(rays: Rays) -> SquareLists:
    return tuple(tuple(ray[0] for ray in around) for around in rays)


ORTHOGONAL_RAYS: Final = _rays((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL_RAYS: Final = _rays((1, 1), (1, -1), (-1, -1), (-1, 1))
ALL_RAYS: Final[Rays] = tuple(a + b for a, b in zip(ORTHOGONAL_RAYS, DIAGONAL_RAYS, strict=True))
"""From each square the squares in every direction, nearest first; empty rays are left out."""

ORTHOGONAL_NEIGHBOURS: Final = _next_to(ORTHOGONAL_RAYS)
DIAGONAL_NEIGHBOURS: Final = _next_to(DIAGONAL_RAYS)
NEIGHBOURS: Final = _next_to(ALL_RAYS)
"""The neighbours of a square: orthogonal, diagonal, all."""
LEAPS: Final = _next_to(_rays((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)))

DEFENSIVE_LINES: Final = tuple(
    frozenset(
        frozenset((territory_square(side, x, 1), territory_square(side, x + dx, 1 + dy)))
        for x in (1, 3, 5)
        for dx in (-1, 1)
        for dy in (-1, 1)
    )
    for side in range(4)
)
"""The twelve defensive lines of each Territory: an X through each stronghold."""
LINE_STEPS: Final[SquareLists] = tuple(
    tuple(
        other
        for other in DIAGONAL_NEIGHBOURS[square]
        if TERRITORY_OF[square] != NO_SIDE
        and frozenset((square, other)) in DEFENSIVE_LINES[TERRITORY_OF[square]]
    )
    for square in SQUARES
)
"""Where a Soldier may walk along a line from each square, if its team controls that Territory."""


def _axes(square: int, steps: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    pairs = ((_ray(square, (dx, dy)), _ray(square, (-dx, -dy))) for dx, dy in steps)
    return tuple((ahead[0], behind[0]) for ahead, behind in pairs if ahead and behind)


OPPOSITE_NEIGHBOURS: Final = {
    "all": tuple(_axes(square, ((0, 1), (1, 0), (1, 1), (1, -1))) for square in SQUARES),
    "orth": tuple(_axes(square, ((0, 1), (1, 0))) for square in SQUARES),
}
"""The pairs of opposite neighbours of each square, along all four axes or only rank and file."""
STRADDLE_PARTNERS: Final = {
    key: tuple(
        tuple(
            (middle, ahead if behind == square else behind)
            for middle in NEIGHBOURS[square]
            for ahead, behind in axes[middle]
            if square in (ahead, behind)
        )
        for square in SQUARES
    )
    for key, axes in OPPOSITE_NEIGHBOURS.items()
}
"""For a straddler on each square: each square it may straddle, with the square on its other side."""
