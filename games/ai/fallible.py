"""A player that misjudges its actions by chosen amounts, more so those that are hard to see.

For each action it draws whether it sees what the action is worth, or only how it looks at first sight;
then it errs a little about either, and takes what seems best. So it prefers a plain gain to a quiet move
that is worth more, and never plays what looks bad in every way. The dice are the player's own: the same
dice give the same choice.
"""

from __future__ import annotations

from typing import Any, Final

from games.ai.careful import CarefulPlayer
from games.ai.perfect import QUICK, expected
from games.engine.dice import Dice
from games.engine.game import AnyGame, Expectation, Oracle, Seat
from games.engine.judgement import Judgement
from games.engine.search import Stop

_WORDS: Final = 6
"""Uniform numbers that are added to one that is nearly normal."""
_DEVIATION: Final = (_WORDS / 12) ** 0.5
_PLAIN: Final = 0.2
"""Share of the error about actions that are what they look like."""
_HALF_HIDDEN: Final = 0.05
"""Difference between worth and looks, in win probability, at which half of the rest of the error is there."""
_CAREFUL: Final = CarefulPlayer()
"""Plays where nothing is known."""


class FalliblePlayer:
    """Choose by an oracle's values, as far as the level sees them."""

    def __init__(self, values: Oracle, looks: Oracle, judgement: Judgement) -> None:
        """`values` are what actions are worth, and `looks` what they seem to be worth at first sight."""
        self._values = values
        self._looks = looks
        self._judgement = judgement

    seconds = QUICK
    """Time after which a decision should be stopped."""

    def weigh(
        self, game: AnyGame, view: Any, seat: Seat, dice: Dice, stop: Stop | None = None
    ) -> tuple[Any, Expectation | None]:
        """Return the same as `choose`, with what the seat may expect; None if values are mere looks."""
        hope = expected(self._values, view, seat) if self._values is not self._looks else None
        return self.choose(game, view, seat, dice), hope

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
        """Return the action that seems best. Raises ValueError if there are none."""
        values, looks = self._values.appraise(view, seat), self._looks.appraise(view, seat)
        if not values or not looks:
            return _CAREFUL.choose(game, view, seat, dice)
        # Only differences between actions matter, and looks may be off for all of them alike.
        offset = sum(value for _, value in values) / len(values) - sum(look for _, look in looks) / len(looks)
        best: list[Any] = []
        most = float("-inf")
        for (action, value), (_, look) in zip(values, looks, strict=True):
            hidden = abs(value - look - offset)
            overlooked = dice.below(100) < self._judgement.oversight
            error = self._judgement.error * (_PLAIN + (1 - _PLAIN) * hidden / (hidden + _HALF_HIDDEN))
            felt = (look + offset if overlooked else value) + error * _normal(dice)
            if felt > most:
                best, most = [], felt
            if felt == most:
                best.append(action)
        return dice.pick(best)


def _normal(dice: Dice) -> float:
    """Return a number of mean 0 and standard deviation 1, at most about 4 in size."""
    total = sum(dice.word() for _ in range(_WORDS)) / 2**32
    return (total - _WORDS / 2) / _DEVIATION
