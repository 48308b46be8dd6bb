"""A player that takes any legal action, each with equal probability."""

from __future__ import annotations

from typing import Any

from games.engine.dice import Dice
from games.engine.game import AnyGame, Seat


class RandomPlayer:
    """Choose uniformly at random."""

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
        """Return one of the legal actions. Raises ValueError if there are none."""
        action = game.pick(view, seat, dice.below)
        if action is None:
            raise ValueError(f"seat {seat} of {game.key} has nothing to choose from")
        return action
