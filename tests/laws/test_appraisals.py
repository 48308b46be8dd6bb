"""The laws of appraisals, for every game and setup: shares add up to 1, and no move beats the best."""

from __future__ import annotations

from math import isclose

import pytest

from games.ai.appraisal import Appraisal, Question, appraise
from games.ai.players_by_level import Levels
from games.engine.dice import Dice
from tests.laws.courses import Case, course, parameters


@pytest.mark.parametrize("case", parameters())
def test_shares_add_up_and_no_move_is_better_than_the_best(case: Case) -> None:
    game, teams = case.game, case.setup.teams
    for stop in course(case, "random").some(2):
        match = stop.match
        seat = min(match.to_act)
        view = game.view(match.state, seat)
        dice = Dice(b"law", str(case), match.seq, "")
        played = dice.pick(list(game.actions(view, seat)))
        question = Question(game, view, seat, teams, (played,), effort=0.01)
        found = appraise(question, Levels(), dice)
        judge(found, question)
        state = game.guess(view, seat)
        for mover, action in found.line:
            assert state is not None
            assert game.refuse(state, mover, action) is None
            state = game.apply(state, mover, action).state


def judge(found: Appraisal, question: Question) -> None:
    """Check one appraisal."""
    teams = question.teams
    rated = [each for each in (found.best, *found.also) if each is not None]
    for shares in (found.shares, *(each.shares for each in rated)):
        assert isclose(sum(dict(zip(teams, shares, strict=True)).values()), 1.0, abs_tol=1e-9)
        assert all(0.0 <= share <= 1.0 for share in shares)
        assert len({*zip(teams, shares, strict=True)}) == len(set(teams))
    for each in rated:
        assert each.shares[question.seat] <= found.value
        assert (each.error == 0.0) == each.exact
    if found.best is not None:
        assert found.line[0] == (question.seat, found.best.action)
