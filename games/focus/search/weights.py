"""The weights of the evaluation, in hundredths of a single piece on top of its own pile, and its odds.

`dominium tune focus` fits those of `WEIGHTS`, and with `--odds` the odds; with `--write` it puts the numbers
here. docs/measured.md shows how they were found.
"""

from __future__ import annotations

from typing import Final

WEIGHTS: Final = {
    "pile_1": -12,
    "pile_2": -24,
    "pile_3": 24,
    "pile_4": 102,
    "pile_5": 36,
    "own_piece": 120,
    "reserve": 456,
    "capture": 108,
}
"""By feature, for two in the usual game: see `Tables.features`. All are multiples of `tables.UNIT`."""
ODDS_SCALE: Final = 1020.0
"""Evaluation that multiplies the odds of winning by e."""
SPREAD: Final = 190.0
"""Standard deviation of values from those found with ten times the work."""

PILE: Final = (0, *(WEIGHTS[f"pile_{height}"] for height in range(1, 6)))
"""Value of a controlled pile by its height, besides the pieces of the controller's colour in it."""
OWN_PIECE: Final = WEIGHTS["own_piece"]
"""Value of each piece of the controller's own colour in a pile, the top one included."""
OTHER_PILE: Final = (0, 102, 138, 174, 204, 234)
"""The same as `PILE` with three or four seats, and in the fast game."""
OTHER_OWN_PIECE: Final = 6
"""The same as `OWN_PIECE` there."""
RESERVE: Final = {2: WEIGHTS["reserve"], 3: 180, 4: 180}
"""Value of a piece in reserve, by number of seats: it can go anywhere and can't be covered."""
WAITING: Final = 108
"""Value of a 13th piece that waits beside the board."""
CAPTURE: Final = {2: WEIGHTS["capture"], 3: 0, 4: 0}
"""Value of a captured piece, by number of seats: it never comes back."""
FAST_CAPTURE: Final = {2: 240, 3: 240, 4: 240}
"""Value of a captured piece in the fast game, by number of seats."""
FAST_RESERVE: Final = {2: 180, 3: 240, 4: 240}
"""Value of a piece in reserve in the fast game: with three or four seats it counts towards the ten."""
