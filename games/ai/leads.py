"""Which move leads in a position, and by how much: a puzzle's has to be better than all with another idea.

Where a game has exact values, they judge alone, be they of the match or of a task within a turn; elsewhere a
search does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.ai.alpha_beta import AlphaBeta
from games.ai.levels import Levels
from games.ai.win_shares import share_of_value
from games.engine.dice import Dice
from games.engine.game import AnyGame, Seat
from games.engine.search import Budget, SearchState

_MARGIN: Final = 0.2
"""Share of the match by which the best move has to lead, by searches."""
_EXACT_MARGIN: Final = 0.1
"""The same by exact values."""


@dataclass(frozen=True, slots=True)
class Lead:
    """The best move of a position, the best one with another idea, and what that gives away."""

    best: Any
    rival: Any
    share: float
    """The share of the match that the best move leads to."""
    margin: float
    clear: bool
    """Whether the margin is as large as that of a puzzle."""


def lead_in(
    game: AnyGame, view: Any, seat: Seat, teams: Sequence[int], levels: Levels, work: int, dice: Dice
) -> Lead | None:
    """Return which move leads in a position, and by how much, with so much work; None if that is unknown."""
    if len(set(teams)) != 2:
        return None
    oracle = levels.oracle(game.key)
    if oracle is not None and (exact := _leading(game, oracle.appraise(view, seat) or ())) is not None:
        return exact
    state = game.search_state(view, seat, dice)
    if state is not None and state.turn == seat:
        return _searched_lead(state, work, dice)
    choice = game.puzzle_choice(view, seat)
    if choice is None:
        return None
    return _leading(game, ((action, choice.chance(action)) for action in choice.moves))


def _leading(game: AnyGame, values: Iterable[tuple[Any, float]]) -> Lead | None:
    """Return the lead by exact values; None if there is only one idea."""
    ideas: dict[Any, tuple[float, Any]] = {}
    for action, value in values:
        idea = game.idea(action)
        if idea not in ideas or ideas[idea][0] < value:
            ideas[idea] = value, action
    if len(ideas) < 2:
        return None
    first, *others = sorted(ideas.values(), key=lambda pair: -pair[0])
    margin = first[0] - others[0][0]
    return Lead(first[1], others[0][1], first[0], margin, margin >= _EXACT_MARGIN)


def _searched_lead(state: SearchState, work: int, dice: Dice) -> Lead | None:
    if len(state.moves()) < 2:
        return None
    budget = Budget("alpha-beta", work)
    first = AlphaBeta(state, budget, dice).think()
    second = AlphaBeta(state, budget, dice, without=first.move).think()
    ours, theirs = (share_of_value(each.value, state.odds_scale) for each in (first, second))
    margin = ours - theirs
    return Lead(state.action(first.move), state.action(second.move), ours, margin, margin >= _MARGIN)
