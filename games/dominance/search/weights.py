"""What the evaluation of Dominance looks at, for the men of one side, and its weights.

`dominium tune dominance` fits the weights, and with `--odds` the odds; with `--write` it puts the numbers
here. What the features stand for is in docs/computers.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Final

from games.dominance.board import Board, iter_bits

WEIGHTS: Final = {
    "left": 100,
    "in_play": 10,
    "first_four": 20,
    "first_two": 37,
    "guarded": 5,
    "near_spawns": 8,
    "reach": 4,
}
ODDS_SCALE: Final = 240.0
"""Evaluation that multiplies the odds of winning by e."""
SPREAD: Final = 20.0
"""Standard deviation of values from those found with ten times the work."""


FEATURES: Final = ("left", "in_play", "first_four", "first_two", "guarded", "near_spawns", "reach")
"""The features in order: the first is the unit, the first four follow from numbers of pieces alone."""
PLACES: Final = FEATURES[4:]
"""The features of places."""


def count_pieces(pool: int, size: int) -> tuple[int, ...]:
    """Return the features of the numbers of pieces in the pool and in play."""
    return (pool + size, size, min(4, size), min(2, size))


class Features:
    """The features of a board."""

    def __init__(self, board: Board) -> None:
        self._board = board
        near = board.neighbours
        self.distances = {bit: self._distances(bit) for bit in iter_bits(board.spaces)}
        """By space: the number of steps to each."""
        self._near_spawns = 0
        for bit in iter_bits(board.spawns):
            self._near_spawns |= near[bit]

    def _distances(self, bit: int) -> dict[int, int]:
        """Return the number of steps to each space."""
        found, front, steps = {bit: 0}, bit, 0
        while front:
            steps += 1
            ahead = 0
            for one in iter_bits(front):
                ahead |= self._board.neighbours[one]
            front = ahead & ~sum(found)
            found |= dict.fromkeys(iter_bits(front), steps)
        return found

    def count(self, men: int, guarded: int, reach: int) -> tuple[int, ...]:
        """Return the features of places, given what the men dominate and what a move can make them."""
        return (
            (guarded & ~men).bit_count(),
            (men & self._near_spawns).bit_count(),
            (reach & ~men).bit_count(),
        )


def value(weights: Sequence[int], counts: Sequence[int]) -> int:
    """Return the sum of features by their weights."""
    return sum(map(mul, weights, counts))
