"""A player that looks one move ahead and takes the best evaluation, averaged over chance.

Moves are tried on a state that is consistent with the view; without one (`Game.guess`) it plays at random.
"""

from __future__ import annotations

from typing import Any

from games.ai.chance import after_chance
from games.ai.random import RandomPlayer
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Seat

CHANCE_SAMPLES = 6
"""Number of random draws averaged to evaluate a move that is followed by chance."""


class CarefulPlayer:
    """Try every legal action, and take the best by the game's `evaluate`; ties are broken at random."""

    _random = RandomPlayer()

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
        """Return the best of the legal actions. Raises ValueError if there are none."""
        best: list[Any] = []
        most = -2.0
        state = game.guess(view, seat)
        if state is None:
            return self._random.choose(game, view, seat, dice)
        for action in game.actions(view, seat):
            value = self._value(game, game.apply(state, seat, action).state, seat, dice)
            if value > most:
                best, most = [], value
            if value == most:
                best.append(action)
        if not best:
            raise ValueError(f"seat {seat} of {game.key} has nothing to choose from")
        return dice.pick(best)

    def _value(self, game: AnyGame, state: Any, seat: Seat, dice: Dice) -> float:
        if CHANCE not in game.to_act(state):
            return game.evaluate(game.view(state, seat), seat)
        return sum(self._sample(game, state, seat, dice) for _ in range(CHANCE_SAMPLES)) / CHANCE_SAMPLES

    def _sample(self, game: AnyGame, state: Any, seat: Seat, dice: Dice) -> float:
        return game.evaluate(game.view(after_chance(game, state, dice), seat), seat)
