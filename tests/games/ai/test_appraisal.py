"""Appraisals: exact where the answer is known, fair to the move that was played, honest where they guess."""

from __future__ import annotations

from dataclasses import replace
from math import isclose
from types import SimpleNamespace
from typing import cast

import pytest

from games.ai.advice import Advice, RatedMove
from games.ai.appraisal import Question, appraise, source_of
from games.ai.paired_samples import Gap
from games.ai.players_by_level import Levels
from games.ai.search_values import appraise_by_search
from games.ai.valued import Appraisal
from games.ai.win_shares import share_of_value, shares_of_evaluations, spread_shares
from games.engine.dice import Dice
from games.engine.game import AnyGame, Seat
from games.engine.levels import Budget, Level, Method
from games.engine.search import WIN
from games.focus import GAME as FOCUS
from games.two_domains import GAME
from tests.games.ai.heap import Heap, chance_to_win
from tests.games.focus.helpers import begin as focus_begin
from tests.games.test_perfect import Told
from tests.games.two_domains.helpers import begin
from tests.rows import rows

HEAP = cast("AnyGame", SimpleNamespace(key="heap", hidden=False, evaluate=lambda view, seat: 0.0))


def heap(left: int, *also: str, method: Method = "alpha-beta", coins: bool = False) -> Appraisal:
    """A heap with so many left, looked at by a search that could see its end."""
    budget = Budget(method, 20_000)
    question = Question(HEAP, None, Seat(0), (0, 1), also)
    dice = Dice(b"appraisal", "test", 0, "")
    return appraise_by_search(question, Heap(left, coins=coins), Level(budget, budget, 5), dice, None)


@pytest.mark.parametrize("method", ["alpha-beta", "playouts"])
def test_a_win_that_is_seen_is_certain(method: Method) -> None:
    found = heap(7, "take 1", "take 3", method=method)
    assert found.best is not None
    assert (found.best.action, found.shares, found.best.error) == ("take 3", (1.0, 0.0), 0.0)
    assert [each and each.shares for each in found.also] == [(0.0, 1.0), (1.0, 0.0)]
    assert found.line[0] == (0, "take 3")
    assert found.line[1][0] == 1


def test_the_only_move_is_looked_at_too() -> None:
    assert heap(1).shares == (1.0, 0.0)


def test_a_played_move_is_best_if_none_is_better() -> None:
    for played in ("take 1", "take 2", "take 3"):
        found = heap(8, played)  # all lose
        assert found.best is not None
        assert found.best.action == played


def test_playouts_with_coins_come_near_the_truth_and_say_how_near() -> None:
    truth = chance_to_win(6, coins=True)
    found = heap(6, method="playouts", coins=True)
    assert found.best is not None
    assert 0.0 < found.best.error < 0.2
    assert abs(found.value - truth) < 3 * found.best.error + 0.02


def test_exact_values_are_taken_as_they_are() -> None:
    state = begin()
    (seat,) = GAME.to_act(state)
    oracle = Told(gather=0.5, grow_1=0.6)
    gather, grow = (GAME.decode(text) for text in ("gather", "grow 1"))
    question = Question(GAME, state, seat, (0, 1), (gather, grow))
    found = appraise(question, Levels({"two_domains": oracle}), Dice(b"x", "test", 0, ""))
    assert found.best is not None
    assert (found.best.action, found.value, found.best.error, found.best.exact) == (grow, 0.6, 0.0, True)
    assert [each and each.shares[seat] for each in found.also] == [0.5, 0.6]
    assert source_of(GAME, Levels({"two_domains": oracle}), "hard") != source_of(GAME, Levels(), "hard")


def test_where_nothing_is_searched_the_error_is_wide() -> None:
    state = begin()
    (seat,) = GAME.to_act(state)
    question = Question(GAME, state, seat, (0, 1), level="none")
    found = appraise(question, Levels(), Dice(b"x", "test", 0, ""))
    assert found.best is not None
    assert found.best.error > 0.05
    assert isclose(sum(found.shares), 1.0)


def test_a_search_that_is_stopped_at_once_still_answers() -> None:
    state = focus_begin("2")
    question = Question(FOCUS, state, Seat(state.turn), (0, 1))
    found = appraise(question, Levels(), Dice(b"x", "test", 0, ""), lambda: True)
    assert found.best is not None
    assert isclose(sum(found.shares), 1.0)


def test_shares_of_values() -> None:
    assert share_of_value(0, 300.0) == 0.5
    assert isclose(share_of_value(300, 300.0), 0.731, abs_tol=0.001)
    assert isclose(share_of_value(300, 300.0) + share_of_value(-300, 300.0), 1.0)
    assert share_of_value(WIN - 5, 300.0) == 1.0
    assert share_of_value(5 - WIN, 300.0) == 0.0
    assert share_of_value(WIN // 2, 300.0) == 0.75  # every other roll wins, the others are even
    assert spread_shares(0.4, Seat(1), (0, 1, 2), (2.0, 9.0, 1.0)) == pytest.approx((0.4, 0.4, 0.2))
    assert spread_shares(0.4, Seat(0), (0, 1, 0, 1), (1.0,) * 4) == pytest.approx((0.4, 0.6, 0.4, 0.6))
    assert shares_of_evaluations((-1.0, 0.0, 0.0), (0, 1, 2)) == (0.0, 0.5, 0.5)
    assert shares_of_evaluations((1.0, -1.0, -1.0), (0, 1, 2)) == (1.0, 0.0, 0.0)


@rows(
    "rival, error, gap, lost",
    [
        (0.5, 0.0, None, 0.1),
        (0.5, 0.1, None, 0.0),
        (0.5, 0.04, None, 0.1),
        (0.5, 0.18, Gap(0.1, 0.03, 3.0), 0.1),
        (0.5, 0.0, Gap(0.1, 0.03, 1.5), 0.0),
    ],
)
def test_what_a_rival_loses_is_told_if_it_is_sure(
    rival: float, error: float, gap: Gap | None, lost: float
) -> None:
    found = [RatedMove("", "", 0.6, error, exact=False), RatedMove("", "", rival, error, exact=False)]
    found[1] = replace(found[1], evidence=None if gap is None else gap.evidence)
    assert Advice(Seat(0), found[0], (), found[1]).loss == pytest.approx(lost)
