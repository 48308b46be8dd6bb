"""The computer players that know no game: at random, careful, perfect, fallible, searching."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from games.ai.alpha_beta import AlphaBeta
from games.ai.best_reply import BestReply
from games.ai.playouts import Playouts
from games.ai.thinking import Eyes, Thought, after_chance, eyes_of
from games.ai.win_shares import proves, share_error, share_of_value
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Expectation, Oracle, Seat
from games.engine.levels import Budget, Judgement, Level
from games.engine.search import SearchState, Stop


class RandomPlayer:
    """Choose uniformly at random."""

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
        """Return one of the legal actions. Raises ValueError if there are none."""
        action = game.pick(view, seat, dice.below)
        if action is None:
            raise ValueError(f"seat {seat} of {game.key} has nothing to choose from")
        return action


CHANCE_SAMPLES = 6
"""Number of random draws averaged to evaluate a move that is followed by chance."""


class CarefulPlayer:
    """Try every legal action, and take the best by the game's `evaluate`; ties are broken at random.

    Moves are tried on a state that is consistent with the view, and averaged over draws of chance; without
    one (`Game.guess`) it plays at random.
    """

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


TIE_TOLERANCE: Final = 1e-6
"""Largest loss, as a probability, with which an action still counts as a best one: tables are rounded."""
QUICK: Final = 2.0
"""Seconds that are more than enough for a player that only looks up values."""


def expected(oracle: Oracle, view: Any, seat: Seat) -> Expectation | None:
    """Return what the seat to act may expect by an oracle's values; None where they aren't known."""
    values = oracle.appraise(view, seat)
    return Expectation(max(value for _, value in values), 0.0) if values else None


class PerfectPlayer:
    """Choose by an oracle's values; at random where none are known.

    Ties are broken at random, and have to be: a game may allow play to circle for ever among positions of
    equal value, and always taking the same best action might never leave that circle.
    """

    seconds = QUICK
    """Time after which a decision should be stopped."""

    def __init__(self, oracle: Oracle, *, exact: bool = True) -> None:
        """`exact` is whether the values are more than an estimate."""
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


_WORDS: Final = 6
"""Uniform numbers that are added to one that is nearly normal."""
_DEVIATION: Final = (_WORDS / 12) ** 0.5
_PLAIN: Final = 0.2
"""Share of the error about actions that are what they look like."""
_HALF_HIDDEN: Final = 0.05
"""Difference between worth and looks, in win probability, at which half of the rest of the error is there."""
_CAREFUL: Final = CarefulPlayer()
"""Plays where no values are known, or no search state is to be had, such as at a first choice in secret."""


class FalliblePlayer:
    """Choose by an oracle's values, as far as the level sees them: it misjudges what is hard to see.

    For each action it draws whether it sees what the action is worth, or only how it looks at first sight;
    then it errs a little about either, and takes what seems best. So it prefers a plain gain to a quiet move
    that is worth more, and never plays what looks bad in every way. The dice are the player's own: the same
    dice give the same choice.
    """

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


@dataclass(frozen=True, slots=True)
class SearchingPlayer:
    """Play a level. Keeps nothing between decisions, and can be sent to another process."""

    level: Level

    @property
    def seconds(self) -> float:
        """Time after which a decision should be stopped."""
        return self.level.seconds

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
        """Return the action of the best move found. Raises ValueError if there is no action."""
        return self.decide(game, view, seat, dice)

    def weigh(
        self, game: AnyGame, view: Any, seat: Seat, dice: Dice, stop: Stop | None = None
    ) -> tuple[Any, Expectation | None]:
        """Return the same as `decide`, with what the seat may expect; None if unknown."""
        state = game.search_state(view, seat, dice)
        if state is None and (usual := game.default(view, seat)) is not None:
            return usual, None
        if state is None or state.turn != seat:
            return _CAREFUL.choose(game, view, seat, dice), None
        state.press()
        thought = think(state, self.level, dice, stop)
        action = state.action(thought.move)
        if len(set(state.teams)) != 2:
            return action, None
        share = share_of_value(thought.value, state.odds_scale)
        error = 0.0 if proves(thought.value) else share_error(share, state, thought.error)
        return action, Expectation(share, error)

    def decide(self, game: AnyGame, view: Any, seat: Seat, dice: Dice, stop: Stop | None = None) -> Any:
        """Return the same, asking `stop` from time to time whether to end the search early."""
        return self.weigh(game, view, seat, dice, stop)[0]


def budget_of(state: SearchState, level: Level) -> Budget:
    """Return the level's budget for the number of teams that play."""
    return level.two if len(set(state.teams)) == 2 else level.more


def think(state: SearchState, level: Level, dice: Dice, stop: Stop | None = None) -> Thought:
    """Return what a level finds for the seat to act; the state is left as it is."""
    eyes = eyes_of(level, dice)
    return search(state, budget_of(state, level), dice, eyes=eyes, slack=level.slack, stop=stop)


def search(
    state: SearchState,
    budget: Budget,
    dice: Dice,
    *,
    eyes: Eyes | None = None,
    slack: int = 0,
    stop: Stop | None = None,
    only: int | None = None,
) -> Thought:
    """Return what a budget's search finds for the seat to act, or the value of a move alone (`only`)."""
    match budget.method:
        case "alpha-beta":
            return AlphaBeta(state, budget, dice, eyes=eyes, slack=slack, stop=stop, only=only).think()
        case "best-reply":
            return BestReply(state, budget, dice, eyes=eyes, slack=slack, stop=stop, only=only).think()
        case "playouts":
            return Playouts(state, budget, dice, eyes=eyes, stop=stop, only=only).think()
