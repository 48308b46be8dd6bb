"""Static evaluation of a position for a seat: dice, kings, capitals and readiness for battle.

Where a roll is due the value is the mean over the six faces, so that a player that always moves to the
best evaluation also knows when to roll.

`Estimate` is an oracle that knows nothing better. Computers use it where no table can be read, and it
stands for what an action looks like at first sight.
"""

from __future__ import annotations

from functools import cache
from math import exp
from typing import Final

from games.two_domains import facts, rules
from games.two_domains.actions import ROLLS
from games.two_domains.domain import domain
from games.two_domains.rules import State
from games.two_domains.value_table import PositionValues

_DIE: Final = 1.0
_KING: Final = 0.7
_TURMOIL: Final = -0.5
"""Cost of each king beyond the first."""
_CAPITAL: Final = 0.35
_DISSONANCE: Final = -0.5
_FRONT: Final = 0.6
_RESERVE: Final = 0.3
"""Value of an army that isn't at the Front."""
_CITIZEN: Final = 0.04
_ODDS: Final = 1.5
"""Log-odds of winning that a die more is worth: fitted to exact values of positions that occur in play."""
_SINGLE: Final = -1.5
"""Cost of Kingly Endurance: no turns, and a single battle may end the game."""


@cache
def domain_value(dice: str) -> float:
    """Return the value of a domain on its own, in dice."""
    own = domain(dice)
    if own.civil_war or not own.size:
        return -5.0
    if own.size == 1:
        return _DIE + _SINGLE
    value = _DIE * own.size
    if own.kings:
        value += _KING if own.kings == 1 else _TURMOIL * (own.kings - 1)
    if own.capitals:
        value += _CAPITAL if own.capitals == 1 else _DISSONANCE * (own.capitals - 1)
    if own.vigilant:
        value += _FRONT
    elif "6" in dice:
        value += _RESERVE
    return value + _CITIZEN * sum(int(face) for face in dice if face in "2345")


def evaluate(view: State, seat: int) -> float:
    """Return the value from -1.0 (lost) to 1.0 (won); 0.0 is a draw or an even position."""
    if view.outcome is not None:
        if view.ended in facts.DRAWS:
            return 0.0
        return 1.0 if view.outcome.ranks[seat] == 1 else -1.0
    if view.roll and view.roll != "first":
        after = (rules.play(view, view.turn, roll).state for roll in ROLLS)
        return sum(evaluate(each, seat) for each in after) / len(ROLLS)
    balance = (domain_value(view.domains[seat]) - domain_value(view.domains[1 - seat])) / 10
    return max(-0.99, min(0.99, balance))


class Estimate(PositionValues):
    """An oracle that estimates the value of every position from the two domains."""

    def mover_value(self, mine: str, theirs: str) -> float:
        """Return an estimate of the mover's probability of winning."""
        return 1.0 / (1.0 + exp(_ODDS * (domain_value(theirs) - domain_value(mine))))
