"""The worth of a position and of its moves one ply deep, and the moves that look best at first sight.

Each legal action is tried on a state that agrees with the view, and what follows is evaluated as it is,
averaged over draws of chance. The values are rough, as their error shows.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import hypot, sqrt
from typing import Any, Final

from games.ai.thinking import after_chance
from games.ai.valued import Appraisal, Question, Rated
from games.ai.win_shares import shares_of_evaluations, unproved
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Seat
from games.engine.search import Stop
from games.engine.search import shares as final_shares

_SKETCH: Final = 6
"""Draws of chance averaged to find the most promising actions."""
_SAMPLES: Final = 32
"""Draws averaged for the values that are returned."""
_FINALISTS: Final = 4
"""How many of the most promising actions get these."""
_SPREAD: Final = 0.6
"""Standard deviation of a static evaluation from the truth, as a part of its range: an estimate."""
_MOST_ACTIONS: Final = 300
"""Maximum number of actions that are tried with full effort, evenly spread over all."""
_LEAST_ACTIONS: Final = 40
"""The same with little effort."""


def appraise_one_ply(question: Question, dice: Dice, stop: Stop | None = None) -> Appraisal:
    """Return the best of all actions by evaluation. Without a state to try them on, only the shares."""
    game, seat, view = question.game, question.seat, question.view
    state = game.guess(view, seat)
    if state is None:
        values = [game.evaluate(view, Seat(each)) for each in range(len(question.teams))]
        return Appraisal(
            seat, None, (), (None,) * len(question.also), shares_of_evaluations(values, question.teams)
        )
    actions = list(game.actions(view, seat))
    most = max(_LEAST_ACTIONS, round(_MOST_ACTIONS * question.effort))
    step = -(-len(actions) // most)
    promising: list[tuple[float, int]] = []
    for at, action in enumerate(actions[::step]):
        if promising and stop is not None and stop():
            break
        rated = _try(question, state, action, dice, _SKETCH)
        promising.append((rated.shares[seat], -at * step))
    promising.sort(reverse=True)
    chosen = [actions[-at] for _, at in promising[:_FINALISTS]]
    chosen += [action for action in question.also if action not in chosen]
    values_of = {action: _try(question, state, action, dice, _SAMPLES) for action in chosen}
    asked = frozenset(question.also)
    best = max(values_of.values(), key=lambda rated: (rated.shares[seat], rated.action in asked))
    return Appraisal(seat, best, ((seat, best.action),), tuple(values_of[action] for action in question.also))


def try_actions(question: Question, actions: Sequence[Any], dice: Dice) -> tuple[Rated | None, ...]:
    """Return the value of each of some legal actions; None if there is no state to try them on."""
    state = question.game.guess(question.view, question.seat)
    if state is None:
        return (None,) * len(actions)
    return tuple(_try(question, state, action, dice, _SAMPLES) for action in actions)


def _try(question: Question, state: Any, action: Any, dice: Dice, samples: int) -> Rated:
    """Return what an action leads to, averaged over chance."""
    game, seat, teams = question.game, question.seat, question.teams
    after = game.apply(state, seat, action).state
    if CHANCE not in game.to_act(after):
        shares, exact = _glance(question, after)
        if exact and not game.hidden:
            return Rated(action, shares, 0.0, exact=True)
        shares = unproved(shares, seat, teams)
        return Rated(action, shares, _static_error(shares[seat]))
    found = [_glance(question, after_chance(game, after, dice))[0] for _ in range(samples)]
    means = tuple(sum(each[at] for each in found) / samples for at in range(len(teams)))
    means = unproved(means, seat, teams)
    variance = sum((each[seat] - means[seat]) ** 2 for each in found) / max(1, samples - 1)
    return Rated(action, means, hypot(_static_error(means[seat]), sqrt(variance / samples)))


def _glance(question: Question, state: Any) -> tuple[tuple[float, ...], bool]:
    """Return the shares by evaluation, or by the result if there is one, and whether there is one."""
    game, teams = question.game, question.teams
    outcome = game.outcome(state)
    if outcome is not None:
        return final_shares(outcome.ranks, teams), True
    values = [game.evaluate(game.view(state, Seat(each)), Seat(each)) for each in range(len(teams))]
    return shares_of_evaluations(values, teams), False


def _static_error(share: float) -> float:
    """Return the error of a share by evaluation: widest where nothing is decided."""
    return max(0.001, _SPREAD * 2.0 * share * (1.0 - share))


_MOST_TEMPTING: Final = 300
"""Maximum number of actions that are tried, evenly spread over all."""
_LEAST_TEMPTING: Final = 40
"""The same with little effort."""


def tempting_actions(
    game: AnyGame, view: Any, seat: Seat, most: int, dice: Dice, effort: float = 1.0
) -> tuple[Any, ...]:
    """Return up to `most` legal actions of a seat with different ideas, the one that looks best first.

    Draws of chance are made with `dice`. `effort` is a factor for how many actions are tried. Empty where the
    seat knows no state to try actions on.
    """
    state = game.guess(view, seat)
    if state is None or most < 1:
        return ()
    actions = list(game.actions(view, seat))
    found: list[tuple[float, int]] = []
    tried = max(_LEAST_TEMPTING, round(_MOST_TEMPTING * effort))
    for at in range(0, len(actions), -(-len(actions) // tried)):
        after = after_chance(game, game.apply(state, seat, actions[at]).state, dice)
        found.append((game.evaluate(game.view(after, seat), seat), -at))
    best: dict[Hashable, Any] = {}
    for _, at in sorted(found, reverse=True):
        best.setdefault(game.idea(actions[-at]), actions[-at])
        if len(best) == most:
            break
    return tuple(best.values())
