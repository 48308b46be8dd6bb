"""The board of Focus as a string: 52 spaces in a fixed order, a character for every possible pile; set-ups.

Each character stands for one of the 1365 piles of up to five pieces in four colours. The interpreter copies,
compares and hashes such strings itself, so that repeated positions are found exactly and fast. Nothing
outside this package sees the characters.

Set-ups are the colours in order of play, the first boards, and the limits, by number of players.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Final

from games.engine import grid
from games.engine.game import Setup
from games.engine.scene import Grid

MISSING: Final = frozenset(("a1", "b1", "g1", "h1", "a2", "h2", "a7", "h7", "a8", "b8", "g8", "h8"))
"""The three squares that each corner lacks."""
SPACES: Final = grid.squares(8, 8, MISSING)
"""The 52 spaces, rank by rank from the bottom: the order of a board's characters and of all lists."""
INDEX: Final = {space: index for index, space in enumerate(SPACES)}
MAX_HEIGHT: Final = 5
"""Maximum height of a pile, in pieces; more leave from its bottom."""
COLOURS: Final = "RGBY"
COLOUR_KEYS: Final = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}


def _all_piles() -> list[str]:
    # Piles of the two-player colours come first: the interpreter caches the first 256 characters.
    every = ["".join(p) for height in range(MAX_HEIGHT + 1) for p in product(COLOURS, repeat=height)]
    return sorted(every, key=lambda pile: (max(map(COLOURS.index, pile), default=0), len(pile), pile))


PILE: Final[dict[str, str]] = {chr(code): pile for code, pile in enumerate(_all_piles())}
"""Character to pile; a pile is its colours from the bottom to the top, `RRG`."""
CHAR: Final[dict[str, str]] = {pile: char for char, pile in PILE.items()}
"""Pile to character."""
EMPTY: Final = CHAR[""]
CONTROLLED_HEIGHTS: Final[dict[str, dict[str, int]]] = {
    colour: {char: len(pile) for char, pile in PILE.items() if pile.endswith(colour)} for colour in COLOURS
}
"""For each colour the characters of the piles that it controls, with their heights."""
BITS: Final = tuple(1 << index for index in range(len(SPACES)))
"""The bit of each space, by index: a set of spaces is an integer."""
_PART: Final = 13
_MASK: Final = (1 << _PART) - 1


@cache
def _quarter(first: int, bits: int) -> tuple[int, ...]:
    return tuple(first + n for n in range(_PART) if bits >> n & 1)


def indices(bits: int) -> tuple[int, ...]:
    """Return the indices in a set of spaces, ascending; looked up by quarters of the board."""
    return (
        _quarter(0, bits & _MASK)
        + _quarter(_PART, bits >> _PART & _MASK)
        + _quarter(2 * _PART, bits >> 2 * _PART & _MASK)
        + _quarter(3 * _PART, bits >> 3 * _PART)
    )


def controlled(board: str, colour: str) -> int:
    """Return the set of spaces whose top piece has a colour."""
    own = CONTROLLED_HEIGHTS[colour]
    return sum(bit for bit, char in zip(BITS, board, strict=True) if char in own)


def straight_distance(source: str, target: str) -> int:
    """Return the number of steps in a straight line between two spaces; 0 if there is none.

    Every file and rank is an unbroken run of spaces, so that no line leaves the board.
    """
    if source not in INDEX or target not in INDEX:
        return 0
    (from_file, from_rank), (to_file, to_rank) = grid.coordinates(source), grid.coordinates(target)
    files, ranks = abs(from_file - to_file), abs(from_rank - to_rank)
    return files + ranks if not files or not ranks else 0


def from_piles(piles: dict[str, str]) -> str:
    """Return the board with exactly these piles. Raises KeyError for an unknown space or pile."""
    chars = [EMPTY] * len(SPACES)
    for space, pile in piles.items():
        chars[INDEX[space]] = CHAR[pile]
    return "".join(chars)


def to_piles(board: str) -> dict[str, str]:
    """Return the piles of a board by space, in the order of the spaces."""
    return {space: PILE[char] for space, char in zip(SPACES, board, strict=True) if char != EMPTY}


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
