"""The set-ups of Focus: colours in order of play, first boards, and limits by number of players."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Final

from games.engine.game import Setup
from games.engine.scene import Grid
from games.focus.board import MISSING, SPACES, from_piles

GRID: Final = Grid(8, 8, MISSING)
SEAT_COLOURS: Final = {2: "RG", 3: "RGB", 4: "GBYR"}
"""Colours by seat in order of play, which is clockwise: of four, Green sits at the bottom, Blue left."""
PIECES: Final = {2: 18, 3: 13, 4: 13}
"""Number of pieces of each colour; with three players the 13th starts beside the board."""
QUIET_TURNS: Final = 30
"""Number of turns per seat without a capture that make a draw (house rule: the booklet has no draws)."""

FAST_CAPTURES_EACH: Final = {2: 6, 3: 3, 4: 2}
"""Number of captures from each opponent that wins a fast game, by number of players."""
FAST_TOTAL: Final = 10
"""Total of captures and reserve pieces that also wins a fast game, with three or four players."""


def first_piles(seats: int) -> dict[str, str]:
    """Return the piles on the board before the first turn, by space."""
    if seats == 4:
        return {space: _four(*_file_and_row(space)) for space in SPACES}
    inner = (space for space in SPACES if space[0] in "bcdefg" and space[1] in "234567")
    return {space: _inner(seats, *_file_and_row(space)) for space in inner}


def _file_and_row(space: str) -> tuple[int, int]:
    # Counted from the top left, as in the booklet's pictures.
    return ord(space[0]) - ord("a"), 8 - int(space[1])


def _inner(seats: int, file: int, row: int) -> str:
    pair = (file - 1) // 2
    return "RG"[(row - 1 + pair) % 2] if seats == 2 else "RGB"[(pair - row + 1) % 3]


def _four(file: int, row: int) -> str:
    # The two players next to each quarter share it, in alternate lines.
    if row < 4:
        return "BY"[row % 2] if file < 4 else "RY"[file % 2]
    return "GB"[file % 2] if file < 4 else "GR"[row % 2]


@dataclass(frozen=True)
class Variant:
    """A variant of the game with derived data; `get_variant` makes them."""

    seats: int
    fast: bool
    partners: bool
    colours: str = field(compare=False, repr=False)
    """The colour letters of the seats."""
    seat_of: dict[str, int] = field(compare=False, repr=False)
    teams: tuple[int, ...] = field(compare=False, repr=False)
    board: str = field(compare=False, repr=False)
    setup: Setup = field(compare=False, repr=False)
    quiet_limit: int = field(compare=False, repr=False)
    order_after: tuple[tuple[int, ...], ...] = field(compare=False, repr=False)
    """By seat: all seats in order of play after its turn, itself the last."""
    others: tuple[tuple[int, ...], ...] = field(compare=False, repr=False)
    """By seat: all other seats in order of play after its turn."""


def pair_teams(seats: int, partners: bool) -> tuple[int, ...]:
    """Return the team of each seat: partners sit opposite, green and yellow against blue and red."""
    return tuple(seat % 2 for seat in range(seats)) if partners else tuple(range(seats))


@cache
def get_variant(seats: int, fast: bool, partners: bool) -> Variant:
    """Return the variant. Raises ValueError for a combination that the game doesn't support."""
    if seats not in SEAT_COLOURS or (partners and (fast or seats != 4)):
        raise ValueError(f"Focus is not played with {seats} seats, fast={fast}, partners={partners}")
    colours, teams = SEAT_COLOURS[seats], pair_teams(seats, partners)
    order_after = tuple(tuple((seat + n) % seats for n in range(1, seats + 1)) for seat in range(seats))
    return Variant(
        seats,
        fast,
        partners,
        colours=colours,
        seat_of={colour: seat for seat, colour in enumerate(colours)},
        teams=teams,
        board=from_piles(first_piles(seats)),
        setup=Setup(seats, teams, {"fast": fast, "partners": partners}),
        quiet_limit=QUIET_TURNS * seats,
        order_after=order_after,
        others=tuple(order[:-1] for order in order_after),
    )
