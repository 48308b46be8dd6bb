"""A player that takes any legal action, each with equal probability."""

from __future__ import annotations

from itertools import islice
from typing import Any

from games.engine.dice import Dice
from games.engine.game import AnyGame, Seat

MAX_ACTIONS = 4096
"""Number of actions generated at most: a large game may have millions in one position."""


class RandomPlayer:
    """Choose uniformly at random."""

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
        """Return one of the first MAX_ACTIONS legal actions. Raises ValueError if there are none."""
        actions = tuple(islice(game.actions(view, seat), MAX_ACTIONS))
        if not actions:
            raise ValueError(f"seat {seat} of {game.key} has nothing to choose from")
        return dice.pick(actions)
