"""The weights of the evaluation, in hundredths of a piece, as `python -m solve.dominance_weights` finds them.

What they stand for is in docs/computers.md.
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
