"""The board of Focus and what can stand on it: 52 spaces in a fixed order, and every pile as one sign.

A board is a text of 52 signs, one a space, each standing for one of the 1365 piles of up to five pieces
in four colours. Such a text is copied, compared and hashed by the interpreter itself, so that repeated
positions are found exactly and fast. Nothing outside this folder sees the signs.
"""

from __future__ import annotations

from itertools import product
from typing import Final

from games.engine import grid

MISSING: Final = frozenset(("a1", "b1", "g1", "h1", "a2", "h2", "a7", "h7", "a8", "b8", "g8", "h8"))
"""The three squares that each corner lacks."""
SPACES: Final = grid.squares(8, 8, MISSING)
"""The 52 spaces, rank by rank from the bottom: the order of a board's signs and of all lists."""
INDEX: Final = {space: index for index, space in enumerate(SPACES)}
TALLEST: Final = 5
"""No pile is higher; what exceeds it leaves from the bottom."""
COLOURS: Final = "RGBY"
COLOUR_KEYS: Final = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}


def _all_piles() -> list[str]:
    # Piles of the colours of the smaller games come first: the interpreter keeps the first 256 signs ready.
    every = ["".join(p) for height in range(TALLEST + 1) for p in product(COLOURS, repeat=height)]
    return sorted(every, key=lambda pile: (max(map(COLOURS.index, pile), default=0), len(pile), pile))


PILE: Final[dict[str, str]] = {chr(code): pile for code, pile in enumerate(_all_piles())}
"""Sign to pile; a pile is its colours from the bottom to the top, `RRG`."""
SIGN: Final[dict[str, str]] = {pile: sign for sign, pile in PILE.items()}
EMPTY: Final = SIGN[""]
HEIGHT_UNDER: Final[dict[str, dict[str, int]]] = {
    colour: {sign: len(pile) for sign, pile in PILE.items() if pile.endswith(colour)} for colour in COLOURS
}
"""For each colour the signs of the piles that it controls, with their heights."""
BITS: Final = tuple(1 << index for index in range(len(SPACES)))
"""A set of spaces is a number with a bit for each of them, by index."""
_PART: Final = 13
_MASK: Final = (1 << _PART) - 1


class _Members(dict[int, tuple[int, ...]]):
    """The indices in a quarter of the board by the bits of that quarter, worked out when first asked."""

    def __init__(self, first: int) -> None:
        super().__init__()
        self._first = first

    def __missing__(self, bits: int) -> tuple[int, ...]:
        found = tuple(self._first + n for n in range(_PART) if bits >> n & 1)
        self[bits] = found
        return found


_LOW, _MID, _HIGH, _TOP = map(_Members, range(0, len(SPACES), _PART))


def members(bits: int) -> tuple[int, ...]:
    """The indices in a set of spaces, ascending."""
    return (
        _LOW[bits & _MASK]
        + _MID[bits >> _PART & _MASK]
        + _HIGH[bits >> 2 * _PART & _MASK]
        + _TOP[bits >> 3 * _PART]
    )


def controlled(board: str, colour: str) -> int:
    """The set of spaces on which a colour is on top."""
    own = HEIGHT_UNDER[colour]
    return sum(bit for bit, sign in zip(BITS, board, strict=True) if sign in own)


def between(source: str, target: str) -> int:
    """The number of steps of the straight line between two spaces; 0 where there is none.

    Every file and rank is one unbroken run of spaces, so that a line never leaves the board.
    """
    if source not in INDEX or target not in INDEX:
        return 0
    (from_file, from_rank), (to_file, to_rank) = grid.coordinates(source), grid.coordinates(target)
    files, ranks = abs(from_file - to_file), abs(from_rank - to_rank)
    return files + ranks if not files or not ranks else 0


def from_piles(piles: dict[str, str]) -> str:
    """The board with these piles and nothing else. Raises KeyError for what is no space or no pile."""
    signs = [EMPTY] * len(SPACES)
    for space, pile in piles.items():
        signs[INDEX[space]] = SIGN[pile]
    return "".join(signs)


def to_piles(board: str) -> dict[str, str]:
    """The piles of a board by space, in the order of the spaces."""
    return {space: PILE[sign] for space, sign in zip(SPACES, board, strict=True) if sign != EMPTY}
