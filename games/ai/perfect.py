"""The perfect player: takes what is worth most by exact values; where none are known, anything."""

from __future__ import annotations

from typing import Any

from games.ai.random import RandomPlayer
from games.engine.dice import Dice
from games.engine.game import AnyGame, Oracle, Seat


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
        return dice.pick(tuple(action for action, value in values if value == most))
