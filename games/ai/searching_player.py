"""A player that searches: it turns the view into a search state, and thinks as its level says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from games.ai.alpha_beta import AlphaBeta
from games.ai.best_reply import BestReply
from games.ai.careful import CarefulPlayer
from games.ai.playouts import Playouts
from games.ai.thinking import Eyes, Thought, eyes_of
from games.ai.win_shares import proves, share_error, share_of_value
from games.engine.dice import Dice
from games.engine.game import AnyGame, Expectation, Seat
from games.engine.search import Budget, Level, SearchState, Stop

_CAREFUL: Final = CarefulPlayer()
"""Plays where the game has neither a search state nor a usual action, such as a first choice in secret."""


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
        """Return the same as `decide`, with what the seat may expect; None where it can't tell."""
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
