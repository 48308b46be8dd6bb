"""The perfect player: takes what is worth most by exact values; where none are known, anything.

Of actions that are as good as each other it takes any. That is more than manners: a game may let its winner
go round for ever among equally good positions, and only who tries all of them comes out at the end.
"""

from __future__ import annotations

from typing import Any, Final

from games.ai.random import RandomPlayer
from games.engine.dice import Dice
from games.engine.game import AnyGame, Oracle, Seat

EQUAL: Final = 1e-6
"""Actions within this of the best one are as good: tables are rounded."""


class PerfectPlayer:
    """Plays by an oracle."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
        """One of the best actions. Raises ValueError if there is none."""
        values = self._oracle.appraise(view, seat)
        if not values:
            return RandomPlayer().choose(game, view, seat, dice)
        most = max(value for _, value in values)
        return dice.pick(tuple(action for action, value in values if value >= most - EQUAL))
