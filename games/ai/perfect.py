"""A player that takes an action of the highest exact value, or a random one where no values are known.

Ties are broken at random, and have to be: a game may allow play to circle for ever among positions of equal
value, and always taking the same best action might never leave that circle.
"""

from __future__ import annotations

from typing import Any, Final

from games.ai.random import RandomPlayer
from games.engine.dice import Dice
from games.engine.game import AnyGame, Expectation, Oracle, Seat
from games.engine.search import Stop

TIE_TOLERANCE: Final = 1e-6
"""Largest loss, as a probability, with which an action still counts as a best one: tables are rounded."""
QUICK: Final = 2.0
"""Seconds that are more than enough for a player that only looks up values."""


def expected(oracle: Oracle, view: Any, seat: Seat) -> Expectation | None:
    """Return what the seat to act may expect by an oracle's values; None where they aren't known."""
    values = oracle.appraise(view, seat)
    return Expectation(max(value for _, value in values), 0.0) if values else None


class PerfectPlayer:
    """Choose by an oracle's values."""

    seconds = QUICK
    """Time after which a decision should be stopped."""

    def __init__(self, oracle: Oracle, *, exact: bool = True) -> None:
        """`exact` says whether the values are more than an estimate."""
        self._oracle, self._exact = oracle, exact

    def weigh(
        self, game: AnyGame, view: Any, seat: Seat, dice: Dice, stop: Stop | None = None
    ) -> tuple[Any, Expectation | None]:
        """Return the same as `choose`, with what the seat may expect by exact values."""
        return self.choose(game, view, seat, dice), expected(
            self._oracle, view, seat
        ) if self._exact else None

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
        """Return one of the best actions. Raises ValueError if there are none."""
        values = self._oracle.appraise(view, seat)
        if not values:
            return RandomPlayer().choose(game, view, seat, dice)
        most = max(value for _, value in values)
        return dice.pick(tuple(action for action, value in values if value >= most - TIE_TOLERANCE))
