"""What a computer player is: something that chooses an action from a View, with dice of its own.

The dice of a match are never touched: a computer's randomness must not shift what chance draws.
"""

from __future__ import annotations

from typing import Any, Protocol

from games.engine.dice import Dice
from games.engine.game import AnyGame, Seat


class Player(Protocol):
    """A way to play every game. Players hold no state between two choices."""

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
        """An action that the seat, which is to act, may take. ValueError if the view offers none."""
        ...
