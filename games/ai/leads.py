"""Which move leads in a position, and by how much: a puzzle's has to be better than all with another idea.

Where a game has exact values, they judge alone, and elsewhere a search does. Games that have neither but
imagine continuations are judged by samples: some drop the moves that are clearly behind, others choose the
best of the rest, and only fresh ones measure by how much it leads each of them. Chance in the measuring makes
one of several rivals look better than it is, never the best move, so a lead is rather too small than too
large; and it is certain only if it exceeds the margin by two standard errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.ai.alpha_beta import AlphaBeta
from games.ai.imagined_values import Continuations
from games.ai.levels import Levels
from games.ai.paired_samples import Mean, mean_of
from games.ai.valued import Question
from games.ai.win_shares import share_of_value
from games.engine.dice import Dice
from games.engine.game import AnyGame, Oracle, Seat
from games.engine.puzzle_choice import PuzzleChoice
from games.engine.search import Budget, SearchState

_MARGIN: Final = 0.2
"""Share of the match by which the best move has to lead, by searches."""
_EXACT_MARGIN: Final = 0.1
"""The same by exact values."""
_IMAGINED_MARGIN: Final = 0.03
"""The same by continuations, of one decision among the many of a turn."""
_ERRORS: Final = 2.0
"""Standard errors by which a lead by continuations has to exceed its margin to be certain."""
_CONTINUATION: Final = 200
"""Moves that count as much work as one continuation of each compared move."""
_SCREENED: Final = 8
"""Part of the continuations by which moves are screened: one of this many."""
_LEAST: Final = 2
"""Minimum number of continuations of a move."""
_COMPARED: Final = 5
"""Maximum number of moves that are compared after screening."""


@dataclass(frozen=True, slots=True)
class Lead:
    """The best move of a position, the best one with another idea, and what that gives away."""

    best: Any
    rival: Any
    share: float
    """The share of the match that the best move leads to."""
    margin: float
    wanted: float
    """The margin of a puzzle."""
    error: float = 0.0
    """Standard error of the margin, if it was found by samples."""

    @property
    def clear(self) -> bool:
        """Whether the margin is as large as that of a puzzle."""
        return self.margin >= self.wanted

    @property
    def certain(self) -> bool:
        """Whether it is, and not by chance."""
        return self.margin - _ERRORS * self.error >= self.wanted


def lead_in(
    game: AnyGame, view: Any, seat: Seat, teams: Sequence[int], levels: Levels, work: int, dice: Dice
) -> Lead | None:
    """Return which move leads in a position, and by how much, with so much work; None if that is unknown."""
    if len(set(teams)) != 2:
        return None
    oracle = levels.oracle(game.key)
    if oracle is not None and (exact := _exact_lead(game, view, seat, oracle)) is not None:
        return exact
    state = game.search_state(view, seat, dice)
    if state is not None and state.turn == seat:
        return _searched_lead(state, work, dice)
    choice = game.puzzle_choice(view, seat)
    if choice is None or not game.imagined_spread:
        return None
    return _imagined_lead(Question(game, view, seat, tuple(teams)), choice, work, dice)


def _exact_lead(game: AnyGame, view: Any, seat: Seat, oracle: Oracle) -> Lead | None:
    ideas: dict[Any, tuple[float, Any]] = {}
    for action, value in oracle.appraise(view, seat) or ():
        idea = game.idea(action)
        if idea not in ideas or ideas[idea][0] < value:
            ideas[idea] = value, action
    if len(ideas) < 2:
        return None
    first, *others = sorted(ideas.values(), key=lambda pair: -pair[0])
    margin = first[0] - others[0][0]
    return Lead(first[1], others[0][1], first[0], margin, _EXACT_MARGIN)


def _searched_lead(state: SearchState, work: int, dice: Dice) -> Lead | None:
    if len(state.moves()) < 2:
        return None
    budget = Budget("alpha-beta", work)
    first = AlphaBeta(state, budget, dice).think()
    second = AlphaBeta(state, budget, dice, without=first.move).think()
    ours, theirs = (share_of_value(each.value, state.odds_scale) for each in (first, second))
    margin = ours - theirs
    return Lead(state.action(first.move), state.action(second.move), ours, margin, _MARGIN)


def standing_out(game: AnyGame, view: Any, seat: Seat, moves: Sequence[Any]) -> float:
    """Return by how much the effects of one of some moves outweigh those of all with another idea."""
    ideas: dict[Any, float] = {}
    for move in moves:
        idea, weight = (
            game.idea(move),
            sum(each.weight * each.amount for each in game.effects(view, seat, move)),
        )
        ideas[idea] = max(weight, ideas.get(idea, weight))
    first, second, *_ = *sorted(ideas.values(), reverse=True), 0.0, 0.0
    return first - second if len(ideas) > 1 else 0.0


# --- by continuations ------------------------------------------------------------------------------------


def _imagined_lead(question: Question, choice: PuzzleChoice, work: int, dice: Dice) -> Lead | None:
    known = question.game.guess(question.view, question.seat)
    if known is None:
        return None
    sampler, samples = Continuations(question, known, dice.word(), None, choice.rest), work // _CONTINUATION
    moves, drawn = _screened(question.game, choice.moves, sampler, max(_LEAST, samples // _SCREENED))
    if len(moves) < 2:
        return None
    samples = max(_LEAST, samples)

    def values(move: Any) -> list[float]:
        found = (sampler.imagined(move, n) for n in range(drawn, drawn + samples))
        return [value for value in found if value is not None]

    means = {move: mean_of(values(move)).value for move in moves}
    best, second, *_ = sorted(moves, key=lambda move: -means[move])
    if means[best] - means[second] < _IMAGINED_MARGIN:
        return Lead(best, second, means[best], means[best] - means[second], _IMAGINED_MARGIN)
    drawn += samples
    shares, leads = {move: values(move) for move in moves}, dict[Any, Mean]()
    for move in moves:
        if move != best:
            pairs = zip(shares[best], shares[move], strict=True)
            leads[move] = mean_of([ours - theirs for ours, theirs in pairs])
    rival = min(leads, key=lambda move: leads[move].value - _ERRORS * leads[move].error)
    lead = leads[rival]
    return Lead(best, rival, mean_of(shares[best]).value, lead.value, _IMAGINED_MARGIN, lead.error)


def _screened(
    game: AnyGame, moves: Sequence[Any], sampler: Continuations, samples: int
) -> tuple[list[Any], int]:
    """Return the moves of different ideas that a few continuations don't drop, and how many dice were used.

    The worse half is dropped again and again; each idea goes on with that of its orders which did best.
    """
    sums, drawn, left = dict[Any, float](), 0, list(moves)
    while len(left) > 1:
        for move in left:
            found = (sampler.imagined(move, n) or 0.0 for n in range(drawn, drawn + samples))
            sums[move] = sums.get(move, 0.0) + sum(found)
        drawn += samples
        ideas: dict[Any, Any] = {}
        for move in sorted(left, key=lambda move: -sums[move]):
            ideas.setdefault(game.idea(move), move)
        left = list(ideas.values())[: max(_COMPARED, len(ideas) // 2)]
        if len(left) <= _COMPARED:
            break
    return left, drawn
