"""The careful player: looks one move ahead and takes what looks best, after average luck.

Moves are tried on a state that the view may be of; where the game can't name one, it takes any move.
"""

from __future__ import annotations

from typing import Any

from games.ai.random import RandomPlayer
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Seat

LUCKS = 6
"""Ways in which chance is tried for each move that needs it."""


class CarefulPlayer:
    """Tries every move once, and takes the best by the game's own judgement; ties are drawn."""

    _random = RandomPlayer()

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
        """The best of the legal actions. Raises ValueError if there is none."""
        best: list[Any] = []
        most = -2.0
        state = game.guess(view, seat)
        if state is None:
            return self._random.choose(game, view, seat, dice)
        for action in game.actions(view, seat):
            worth = self._worth(game, game.apply(state, seat, action).state, seat, dice)
            if worth > most:
                best, most = [], worth
            if worth == most:
                best.append(action)
        if not best:
            raise ValueError(f"seat {seat} of {game.key} has nothing to choose from")
        return dice.pick(best)

    def _worth(self, game: AnyGame, state: Any, seat: Seat, dice: Dice) -> float:
        if CHANCE not in game.to_act(state):
            return game.evaluate(game.view(state, seat), seat)
        return sum(self._after_luck(game, state, seat, dice) for _ in range(LUCKS)) / LUCKS

    def _after_luck(self, game: AnyGame, state: Any, seat: Seat, dice: Dice) -> float:
        while CHANCE in game.to_act(state):
            state = game.apply(state, CHANCE, game.draw(state, dice)).state
        return game.evaluate(game.view(state, seat), seat)
