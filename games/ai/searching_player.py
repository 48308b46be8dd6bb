"""A player that searches: it turns the view into a search state, and thinks as its level says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from games.ai.alpha_beta import AlphaBeta
from games.ai.best_reply import BestReply
from games.ai.careful import CarefulPlayer
from games.ai.playouts import Playouts
from games.ai.thinking import Stop, Thought, eyes_of
from games.engine.dice import Dice
from games.engine.game import AnyGame, Seat
from games.engine.search import Budget, Level, SearchState

_CAREFUL: Final = CarefulPlayer()
"""Plays where the game has no search state."""


@dataclass(frozen=True, slots=True)
class SearchingPlayer:
    """Play a level. Keeps nothing between decisions, and can be sent to another process."""

    level: Level

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
        """Return the action of the best move found. Raises ValueError if there is no action."""
        return self.decide(game, view, seat, dice)

    def decide(self, game: AnyGame, view: Any, seat: Seat, dice: Dice, stop: Stop | None = None) -> Any:
        """Return the same, asking `stop` from time to time whether to end the search early."""
        state = game.search_state(view, seat, dice)
        if state is None or state.turn != seat:
            return _CAREFUL.choose(game, view, seat, dice)
        return state.action(think(state, self.level, dice, stop).move)


def budget_of(state: SearchState, level: Level) -> Budget:
    """Return the level's budget for the number of teams that play."""
    return level.two if len(set(state.teams)) == 2 else level.more


def think(state: SearchState, level: Level, dice: Dice, stop: Stop | None = None) -> Thought:
    """Return what a level finds for the seat to act; the state is left as it is."""
    budget = budget_of(state, level)
    eyes = eyes_of(level, dice)
    match budget.method:
        case "alpha-beta":
            return AlphaBeta(state, budget, dice, eyes=eyes, slack=level.slack, stop=stop).think()
        case "best-reply":
            return BestReply(state, budget, dice, eyes=eyes, slack=level.slack, stop=stop).think()
        case "playouts":
            return Playouts(state, budget, dice, eyes=eyes, stop=stop).think()
