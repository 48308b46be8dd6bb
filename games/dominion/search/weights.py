"""The weights of the evaluation, in hundredths of a point as the game counts them at its end.

They lie between those points and what self-play found. `dominium tune dominion` fits the weights, and with
`--odds` the odds; with `--write` it puts the numbers here. What the features stand for is in
docs/computers.md.
"""

from __future__ import annotations

from typing import Final, Literal

Weight = Literal[
    "prince", "general", "admiral", "warrior", "assassin", "sergeant", "soldier", "recruit",
    "territory", "stronghold", "guard", "hunt_upper", "hunt_lower", "centre", "exposed", "way_home",
]  # fmt: skip

WEIGHTS: Final[dict[Weight, int]] = {
    "prince": 800,
    "general": 500,
    "admiral": 325,
    "warrior": 310,
    "assassin": 380,
    "sergeant": 250,
    "soldier": 150,
    "recruit": 70,
    "territory": 180,
    "stronghold": 15,
    "guard": 5,
    "hunt_upper": -8,
    "hunt_lower": -9,
    "centre": 1,
    "exposed": -2,
    "way_home": -8,
}
"""By feature; those of distances are costs."""
ODDS_SCALE: Final = 990.0
"""Evaluation that multiplies the odds of winning by e."""
SPREAD: Final = 100.0
"""Standard deviation of values from those found with ten times the work."""
FALL: Final = {"strict": 3000, "kind": 2000, "sure": WEIGHTS["prince"]}
"""Cost of an Emperor that has fallen while his Prince may still succeed him, by the kind of succession."""
BEATEN: Final = -5000
"""What a team counts that is out: less than any that still plays."""
TRADE: Final = (3000, 4000, 6000, 9000)
"""How much more a lead counts when less is left on the board, by how near the end by points is."""
BOTH: Final = 2500
"""Added to the material of both sides, so that the last pieces don't count for everything."""
RETURN: Final = 90
"""What a move costs that puts a side's pieces where they stood before, since one was taken."""
AHEAD: Final = 500
"""Lead from which a side hunts: with less, leaving its places is a risk that doesn't pay."""
CALM: Final = (12, 20, 30, 45)
"""Percentages of the turns without an event from which it presses more and more."""
PRESS: Final = 0.3
"""How much more its steps to the nearest enemy Emperor count then, for each of these."""
LATE: Final = (40, 60, 80)
"""Percentages of the rounds, or of the turns without an event, from which the end by points comes nearer."""
