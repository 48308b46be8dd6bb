"""The board of Focus as a string: 52 spaces in a fixed order, and one character for every possible pile.

Each character stands for one of the 1365 piles of up to five pieces in four colours. The interpreter copies,
compares and hashes such strings itself, so that repeated positions are found exactly and fast. Nothing
outside this package sees the characters.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final

from games.engine import grid

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
