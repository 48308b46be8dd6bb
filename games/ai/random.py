"""The random player: each legal action is as likely as any other."""

from __future__ import annotations

from itertools import islice
from typing import Any

from games.engine.dice import Dice
from games.engine.game import AnyGame, Seat

MOST = 4096
"""Actions looked at. Set-ups of large games have millions, of which a sample is as random."""


class RandomPlayer:
    """Chooses without looking."""

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
        """One of the first MOST legal actions. Raises ValueError if there is none."""
        actions = tuple(islice(game.actions(view, seat), MOST))
        if not actions:
            raise ValueError(f"seat {seat} of {game.key} has nothing to choose from")
        return dice.pick(actions)
