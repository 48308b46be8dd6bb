"""The worth of a position and of its moves by imagined continuations, for games that have no search.

All moves that are compared meet the same dice, and in what is played on, the same hidden cards. Few are
compared: those that are asked about, what the game's strongest computer would do, and those that look best
right after they were played. The best of them is chosen by other continuations than those that measure what
another one loses (`paired_samples`); in these, a computer plays the first turns as it plays matches.
"""

from __future__ import annotations

from math import hypot, sqrt
from typing import Any, Final

from games.ai.one_ply_values import tempting_actions
from games.ai.paired_samples import TEST, Gap, PairedSamples
from games.ai.players import RandomPlayer
from games.ai.thinking import after_chance
from games.ai.valued import Appraisal, Question, Rated
from games.ai.win_shares import unproved
from games.engine.dice import Dice
from games.engine.game import InterruptiblePlayer
from games.engine.search import Stop
from games.engine.search import shares as final_shares

SAMPLES: Final = 24
"""Continuations imagined of each move to choose the best one."""
_LEAST: Final = 6
"""The same with little effort."""
_TEMPTING: Final = 2
"""Moves that look best at first sight."""
_FULL_TEST: Final = 4.0
"""Down to an effort of one over this, losses are tested with as many samples: few moves stand out."""
ROUNDS: Final = 2
"""Rounds that a computer plays in the continuations which test and measure a loss, the seat's own turns first
and last: plain plans go on better after some moves than after others, whatever their number."""
DOUBT: Final = 0.03
"""Standard deviation by which a loss measured so differs from what is lost at the end."""
_LEAST_SHARE: Final = 0.001
"""Smallest share of a seat, as long as nothing is decided."""


def appraise_by_imagining(question: Question, state: Any, dice: Dice, stop: Stop | None) -> Appraisal:
    """Return what the seat to act may expect in a state that agrees with its view."""
    seat, first = question.seat, max(_LEAST, round(SAMPLES * question.effort))
    sampler = _Continuations(question, state, dice.word(), stop)
    moves = _candidates(question, dice, stop)
    test = max(_LEAST, round(TEST * min(1.0, _FULL_TEST * question.effort)))
    samples = PairedSamples(sampler.imagined, sampler.played_on, first, test, DOUBT)
    found = samples.measure(moves, question.also)
    rated = {action: sampler.rated(action, found.samples[action], found.gaps.get(action)) for action in moves}
    asked = [rated[action] for action in question.also]
    best = max(
        (rated[found.best], *asked), key=lambda each: (each.shares[seat], each.action in question.also)
    )
    return Appraisal(seat, best, ((seat, best.action),), tuple(asked))


def _candidates(question: Question, dice: Dice, stop: Stop | None) -> tuple[Any, ...]:
    """Return the moves to compare, each once."""
    game, view, seat = question.game, question.view, question.seat
    found = dict.fromkeys(question.also)
    computers = list(game.computers().values()) if question.consults else []
    if computers and isinstance(strongest := computers[-1], InterruptiblePlayer):
        found[strongest.decide(game, view, seat, dice, stop)] = None
    tempting = tempting_actions(game, view, seat, _TEMPTING, dice, question.effort)
    return tuple(found | dict.fromkeys(tempting))


class _Continuations:
    """Continuations of the moves of one position, each made once."""

    def __init__(self, question: Question, state: Any, seed: int, stop: Stop | None) -> None:
        self._question, self._state, self._seed, self._stop = question, state, seed, stop
        self._after: dict[Any, Any] = {}
        self._known: dict[tuple[Any, int], tuple[float, ...]] = {}
        computers = dict(question.game.computers())
        self._player = computers.get(question.level) or next(reversed(computers.values()), RandomPlayer())

    def imagined(self, action: Any, n: int) -> float | None:
        """Return the seat's share by one continuation; None once it is stopped, unless that's the first."""
        return self._share(action, n, 0)

    def played_on(self, action: Any, n: int) -> float | None:
        """Return the same by a continuation of which a computer plays the first turns."""
        return self._share(action, n, ROUNDS * len(self._question.teams) - 1)

    def _share(self, action: Any, n: int, turns: int) -> float | None:
        shares = self._known.get((action, n))
        if shares is None:
            if n and self._stop is not None and self._stop():
                return None
            shares = self._known[action, n] = self._continued(action, n, turns)
        return shares[self._question.seat]

    def _continued(self, action: Any, n: int, turns: int) -> tuple[float, ...]:
        question, game, mover = self._question, self._question.game, self._question.seat
        dice = Dice(b"imagined", f"{self._seed}", n, "")
        if turns:  # what is hidden matters to those who play on
            state = game.apply(game.guess(question.view, mover, dice), mover, action).state
        else:
            if action not in self._after:
                self._after[action] = game.apply(self._state, mover, action).state
            state = self._after[action]
        while True:
            state = after_chance(game, state, dice)
            outcome = game.outcome(state)
            if outcome:
                return final_shares(outcome.ranks, question.teams)
            if mover not in game.to_act(state):
                mover, turns = min(game.to_act(state)), turns - 1
            if turns <= 0:
                return game.imagine(state, question.seat, dice, self._stop)
            choice = self._player.choose(game, game.view(state, mover), mover, dice)
            state = game.apply(state, mover, choice).state

    def rated(self, action: Any, numbers: range, behind: Gap | None) -> Rated:
        """Return what an action leads to, on average over some continuations."""
        question, seat = self._question, self._question.seat
        found = [self._known[action, n] for n in numbers if (action, n) in self._known]
        found = found or [shares for (each, _), shares in self._known.items() if each == action]
        means = tuple(sum(each[at] for each in found) / len(found) for at in range(len(question.teams)))
        means = unproved(means, seat, question.teams)
        own = means[seat]
        variance = sum((each[seat] - own) ** 2 for each in found) / max(1, len(found) - 1)
        model = question.game.imagined_spread * 4.0 * own * (1.0 - own)
        error = max(_LEAST_SHARE, hypot(model, sqrt(variance / len(found))))
        return Rated(action, means, error, behind=behind)
