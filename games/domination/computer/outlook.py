"""What a position leads to: one imagined continuation, and each seat's chance to win after it."""

from __future__ import annotations

from typing import Final

from games.domination.computer.imagined_match import ImaginedMatch
from games.domination.computer.position_model import Strategy
from games.domination.rules import actions, battles, judge, turns
from games.domination.rules.position import State
from games.engine.dice import Dice
from games.engine.search import Stop

_TURNS: Final = 1
"""Turns that are imagined after the current one."""
_SHARPNESS: Final = {2: 1.0, 3: 0.35, 4: 0.25, 5: 0.2, 6: 0.2}
"""By the seats that still play, the exponent of their chances: with more of them a lead says less."""
_DOUBT: Final = 0.02
"""Chance that anything else happens."""
_STRATEGY: Final = Strategy()


def imagine(state: State, seat: int, dice: Dice, stop: Stop | None = None) -> tuple[float, ...]:
    """Return each seat's chance to win after the rest of this turn and some more, imagined with `dice`.

    A seat is to act, in its turn or in a vote. What is hidden from `seat` isn't used.
    """
    while state.position.phase == "move":
        _, high = battles.move_in_range(state.position)
        state = turns.play(state, state.position.turn, actions.move(high)).state
    position = state.position
    info = position.info
    winner = info.victor if position.phase == "vote" else -1
    if info.outcome is not None:
        winner = info.outcome.ranks.index(1)
    if winner >= 0:
        return tuple(float(each == winner) for each in range(info.law.seats))
    match = ImaginedMatch(judge.view(state, seat), seat, _STRATEGY, dice, stop)
    match.finish_turn()
    match.play_turns(_TURNS)
    living = len(position.living())
    powers = [share ** _SHARPNESS.get(living, 1.0) for share in match.shares()]
    whole, doubt = sum(powers), _DOUBT / info.law.seats
    return tuple((1.0 - _DOUBT) * power / whole + doubt for power in powers)
