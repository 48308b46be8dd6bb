"""The worth of a position and of its moves by imagined continuations, for games that have no search.

All moves that are compared meet the same dice. Few are compared: those that are asked about, what the game's
strongest computer would do, and those that look best right after they were played.
"""

from __future__ import annotations

from math import hypot, sqrt
from typing import Any, Final

from games.ai.chance import after_chance
from games.ai.first_sight import tempting_actions
from games.ai.valued import Appraisal, Question, Rated
from games.ai.win_shares import unproved
from games.engine.dice import Dice
from games.engine.game import InterruptiblePlayer
from games.engine.search import Stop
from games.engine.search import shares as final_shares

SAMPLES: Final = 24
"""Continuations imagined for each move."""
_LEAST: Final = 6
"""The same with little effort."""
_TEMPTING: Final = 2
"""Moves that look best at first sight."""
_LEAST_SHARE: Final = 0.001
"""Smallest share of a seat, as long as nothing is decided."""


def appraise_by_imagining(question: Question, state: Any, dice: Dice, stop: Stop | None) -> Appraisal:
    """Return what the seat to act may expect in a state that agrees with its view."""
    seat = question.seat
    seed = dice.word()
    samples = max(_LEAST, round(SAMPLES * question.effort))
    rated = {
        action: _imagined(question, state, action, seed, samples, stop)
        for action in _candidates(question, dice, stop)
    }
    asked = frozenset(question.also)
    best = max(rated.values(), key=lambda each: (each.shares[seat], each.action in asked))
    return Appraisal(seat, best, ((seat, best.action),), tuple(rated[action] for action in question.also))


def _candidates(question: Question, dice: Dice, stop: Stop | None) -> tuple[Any, ...]:
    """Return the moves to compare, each once."""
    game, view, seat = question.game, question.view, question.seat
    found = dict.fromkeys(question.also)
    computers = list(game.computers().values()) if question.consults else []
    if computers and isinstance(strongest := computers[-1], InterruptiblePlayer):
        found[strongest.decide(game, view, seat, dice, stop)] = None
    tempting = tempting_actions(game, view, seat, _TEMPTING, dice, question.effort)
    return tuple(found | dict.fromkeys(tempting))


def _imagined(
    question: Question, state: Any, action: Any, seed: int, samples: int, stop: Stop | None
) -> Rated:
    """Return what an action leads to, on average over imagined continuations."""
    game, seat, teams = question.game, question.seat, question.teams
    after, found = game.apply(state, seat, action).state, list[tuple[float, ...]]()
    for n in range(samples):
        if found and stop is not None and stop():
            break
        dice = Dice(b"imagined", f"{seed}", n, "")
        drawn = after_chance(game, after, dice)
        outcome = game.outcome(drawn)
        found.append(final_shares(outcome.ranks, teams) if outcome else game.imagine(drawn, seat, dice, stop))
    means = tuple(sum(each[at] for each in found) / len(found) for at in range(len(teams)))
    means = unproved(means, seat, teams)
    own = means[seat]
    variance = sum((each[seat] - own) ** 2 for each in found) / max(1, len(found) - 1)
    model = game.imagined_spread * 4.0 * own * (1.0 - own)
    return Rated(action, means, max(_LEAST_SHARE, hypot(model, sqrt(variance / len(found)))))
