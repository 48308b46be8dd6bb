"""A player that takes an action of the highest exact value, or a random one where no values are known.

Ties are broken at random, and have to be: a game may allow play to circle for ever among positions of equal
value, and always taking the same best action might never leave that circle.
"""

from __future__ import annotations

from typing import Any, Final

from games.ai.random import RandomPlayer
from games.engine.dice import Dice
from games.engine.game import AnyGame, Oracle, Seat

TIE_TOLERANCE: Final = 1e-6
"""Largest loss, as a probability, with which an action still counts as a best one: tables are rounded."""


class PerfectPlayer:
    """Choose by an oracle's values."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
        """Return one of the best actions. Raises ValueError if there are none."""
        values = self._oracle.appraise(view, seat)
        if not values:
            return RandomPlayer().choose(game, view, seat, dice)
        most = max(value for _, value in values)
        return dice.pick(tuple(action for action, value in values if value >= most - TIE_TOLERANCE))
