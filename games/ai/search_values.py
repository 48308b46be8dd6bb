"""The worth of a position and of its moves by search, with the work of a level."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from games.ai.one_ply_values import try_actions
from games.ai.players import budget_of, search
from games.ai.playouts import share_of
from games.ai.thinking import Thought
from games.ai.valued import MAX_LINE, Appraisal, Question, Rated
from games.ai.win_shares import (
    beaten,
    is_mixed,
    odds_ratio,
    proves,
    share_error,
    share_of_value,
    spread_shares,
)
from games.engine.dice import Dice
from games.engine.levels import Budget, Level
from games.engine.search import SearchState, Stop

_FOLLOW: Final = 8
"""Part of the work with which a line is continued that the search itself ended early, as a divisor."""
_MIXED_ERROR: Final = 0.15
"""Added to the error of an average over dice, some of which decide the match: an estimate."""


def appraise_by_search(
    question: Question, state: SearchState, level: Level, dice: Dice, stop: Stop | None
) -> Appraisal:
    """Return what a search finds in a state whose turn is the question's seat."""
    return _Searcher(question, state, level, dice, stop).appraise()


class _Searcher:
    """One appraisal."""

    def __init__(
        self, question: Question, state: SearchState, level: Level, dice: Dice, stop: Stop | None
    ) -> None:
        self._question = question
        self._state = state
        self._budget = budget_of(state, level).scaled(question.effort)
        self._dice = dice
        self._stop = stop
        game, seats = question.game, range(len(state.teams))
        out = beaten(game, question.view, seats)
        self._weights = [
            0.0 if seat in out else odds_ratio(state.evaluate(seat), state.odds_scale) for seat in seats
        ]
        teams = {team for seat, team in enumerate(state.teams) if seat not in out}
        self._sides = max(2, len(teams | {state.teams[question.seat]}))

    def appraise(self) -> Appraisal:
        question = self._question
        found = self._search(self._budget)
        moves = [self._move_of(action) for action in question.also]
        others = {move for move in moves if move is not None and move != found.move}
        if others or not found.work:  # an only move isn't thought about, unless alone
            found = self._search(self._budget, found.move)
        asked = {move: self._search(self._capped(found), move) for move in sorted(others)}
        least = min(asked.values(), key=lambda each: each.depth, default=found)
        if least.depth < found.depth and not proves(found.value):  # compare like with like
            found = self._search(self._capped(least), found.move)
        best = max((*asked.values(), found), key=lambda each: (each.value, each.move in others))
        asked[found.move] = found
        also = tuple(
            self._unlisted(action) if move is None else self._rated(asked[move])
            for move, action in zip(moves, question.also, strict=True)
        )
        top, line = self._rated(best), self._line(best)
        better = [each for each in also if each is not None and self._own(each) > self._own(top)]
        if better:
            top = max(better, key=self._own)
            line = ((question.seat, top.action),)
        return Appraisal(question.seat, top, line, also)

    def _own(self, rated: Rated) -> float:
        return rated.shares[self._question.seat]

    def _search(self, budget: Budget, only: int | None = None) -> Thought:
        return search(self._state, budget, self._dice, stop=self._stop, only=only)

    def _capped(self, other: Thought) -> Budget:
        """Return the budget, looking no further than another search did, unless that saw the end."""
        limited = other.depth and not proves(other.value) and self._budget.method != "playouts"
        return replace(self._budget, depth=other.depth) if limited else self._budget

    def _move_of(self, action: Any) -> int | None:
        """Return the state's number of an action; None if the state leaves the action out."""
        try:
            return self._state.find(action)
        except ValueError:
            return None

    def _unlisted(self, action: Any) -> Rated | None:
        """Return the value of an action that the search doesn't look at."""
        return try_actions(self._question, (action,), self._dice)[0]

    def _rated(self, thought: Thought) -> Rated:
        state, value = self._state, thought.value
        playouts = self._budget.method == "playouts"
        own = share_of(value, self._sides, state.odds_scale) if playouts else self._share(value)
        certain = proves(value) and not self._question.game.hidden and state.complete and not thought.error
        certain = certain and (self._budget.method != "best-reply" or thought.depth <= 1)
        error = 0.0
        if not certain:
            own = max(0.001, min(0.999, own))
            error = max(0.001, share_error(own, state, thought.error))
            error += _MIXED_ERROR if is_mixed(value) else 0.0
        shares = spread_shares(own, self._question.seat, state.teams, self._weights)
        return Rated(state.action(thought.move), shares, error, exact=certain)

    def _share(self, value: int) -> float:
        """Return the share of the seat's team; with more than two, what it gains the others lose equally."""
        state, seat = self._state, self._question.seat
        if self._sides == 2 or proves(value) or is_mixed(value):
            return share_of_value(value, state.odds_scale)
        gain = value - state.evaluate(seat)
        own = odds_ratio(value, state.odds_scale)
        less = odds_ratio(-gain / (self._sides - 1), state.odds_scale)
        rivals = {
            team: weight
            for team, weight in zip(state.teams, self._weights, strict=True)
            if team != state.teams[seat]
        }
        return own / (own + less * sum(rivals.values()))

    def _line(self, thought: Thought) -> tuple[tuple[Any, Any], ...]:
        """Return the moves of a search's line, continued by smaller searches if it is short."""
        state, line = self._state.copy(), list[tuple[Any, Any]]()
        ahead = list(thought.line)
        budget = replace(self._budget, work=max(1, self._budget.work // _FOLLOW))
        while state.turn >= 0 and len(line) < MAX_LINE:
            if not ahead:
                ahead = [search(state, budget, self._dice, stop=self._stop).move]
            move = ahead.pop(0)
            line.append((state.turn, state.action(move)))
            state.make(move)
        return tuple(line)
