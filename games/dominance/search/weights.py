"""The weights of the evaluation, in hundredths of a piece, and its odds.

`dominium tune dominance` fits the weights, and with `--odds` the odds; with `--write` it puts the numbers
here. What the features stand for is in docs/computers.md.
"""

from __future__ import annotations

from typing import Final

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
