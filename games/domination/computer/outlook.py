"""What a position leads to: one imagined continuation, and each seat's chance to win after it."""

from __future__ import annotations

from math import hypot, sqrt
from typing import Final

from games.domination.computer.imagined_match import ImaginedMatch
from games.domination.computer.position_model import Strategy
from games.domination.rules import actions, battles, judge, turns
from games.domination.rules.position import State, View
from games.engine.dice import Dice
from games.engine.game import Expectation
from games.engine.search import Stop

_TURNS: Final = 1
"""Turns that are imagined after the current one."""
_SHARPNESS: Final = {2: 1.0, 3: 0.35, 4: 0.25, 5: 0.2, 6: 0.2}
"""By the seats that still play, the exponent of their chances: with more of them a lead says less."""
_DOUBT: Final = 0.02
"""Chance that anything else happens."""
_STRATEGY: Final = Strategy()
SPREAD: Final = 0.18
"""A quarter of what chances of p are off by, for each p (1 - p): the difference from matches played on."""
_SAMPLES: Final = 8
"""Continuations imagined of a turn to say what may be expected."""


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


def expect(view: View, seat: int, dice: Dice, stop: Stop | None = None) -> Expectation | None:
    """Return what a seat may expect of the match at the beginning of its turn, against a single rival.

    None at other times, if stopped, and where missions or capitals may end the match: the imagined plans see
    too little of those.
    """
    position = view.position
    if position.phase != "place" or position.step != turns.FRESH or position.info.mode != "domination":
        return None
    if len(position.living()) != 2:
        return None
    found: list[float] = []
    for _ in range(_SAMPLES):
        match = ImaginedMatch(view, seat, _STRATEGY, dice, stop)
        match.finish_turn()
        match.play_turns(_TURNS)
        found.append(match.share())
    if stop is not None and stop():
        return None
    mean = sum(found) / _SAMPLES
    variance = sum((share - mean) ** 2 for share in found) / (_SAMPLES - 1)
    return Expectation(mean, hypot(4.0 * SPREAD * mean * (1.0 - mean), sqrt(variance / _SAMPLES)))
