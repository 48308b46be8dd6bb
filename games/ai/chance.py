"""Draw what chance decides, with dice of one's own, to see a position in which someone is to act."""

from __future__ import annotations

from typing import Any

from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame


def after_chance(game: AnyGame, state: Any, dice: Dice) -> Any:
    """Return the state once all draws that are due are made."""
    while CHANCE in game.to_act(state):
        state = game.apply(state, CHANCE, game.draw(state, dice)).state
    return state
