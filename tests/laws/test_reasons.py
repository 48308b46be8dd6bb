"""Laws of reasons: what is said is true by a second, slow account, and it sets the two moves apart."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

import pytest

from games.engine import registry
from games.engine.game import AnyGame, Seat
from games.engine.match import Match
from games.engine.reasons import MOST, reasons
from locales import Catalogue
from tests.laws.courses import Course, course, every_case, is_quick
from tests.soak import SEED, SOAK

CATALOGUE = Catalogue(strict=True)
_POSITIONS = 100 if SOAK else 40
_ACTIONS = 5

CASES = [case for case in every_case() if case.key in registry.KEYS and not case.rules]
PLAYED = [
    pytest.param((case, player), id=f"{player}-{case}", marks=() if is_quick(case) else pytest.mark.slow)
    for case in (CASES if SOAK else [case for case in CASES if is_quick(case) or case.seats > 2][::2])
    for player in ("greedy",)
]


def some_actions(game: AnyGame, match: Match, seat: Seat, random: Random) -> list[Any]:
    view = game.view(match.state, seat)
    found = dict.fromkeys(game.pick(view, seat, random.randrange) for _ in range(_ACTIONS))
    return [action for action in found if action is not None]


@pytest.mark.parametrize("played", PLAYED)
def test_what_is_said_of_a_move_is_true_and_sets_it_apart(played: tuple[Any, str]) -> None:
    run: Course = course(*played)
    game, case = run.case.game, run.case
    slow = import_module(f"tests.games.{game.key}.slow_effects")
    say = CATALOGUE.speaker(names=lambda seat: CATALOGUE.say(game.look(case.setup, Seat(seat)).name))
    random, told = Random(SEED), 0
    for stop in run.some(_POSITIONS):
        match = stop.match
        seat = min(match.to_act)
        view = game.view(match.state, seat)
        known = game.guess(view, seat)
        if known is None:
            continue
        moves = some_actions(game, match, seat, random)
        truth = {action: slow.amounts(game, known, seat, action) for action in moves}
        for action in moves:
            effects = game.effects(view, seat, action)
            found = {each.kind: each.amount for each in effects}
            assert found == pytest.approx(truth[action]), game.encode(action)
            for each in effects:
                said = dict(each.said.values)
                assert slow.is_true(game, known, seat, action, each.kind, each.amount, said), each
                assert say(each.said)
        for better in moves:
            for other in moves:
                why = reasons(game, view, seat, better, other)
                assert len(why) <= MOST
                assert [each.weight for each in why] == sorted((each.weight for each in why), reverse=True)
                for one in why:
                    has, lacks = (better, other) if one.good else (other, better)
                    assert truth[has][one.kind] > truth[lacks].get(one.kind, 0)
                told += len(why)
    assert told


@pytest.mark.parametrize("key", registry.KEYS)
def test_nothing_is_said_of_a_move_compared_with_itself(key: str) -> None:
    game = registry.get(key)
    case = next(each for each in CASES if each.key == key and is_quick(each))
    for stop in course(case, "greedy").some(5):
        seat = min(stop.match.to_act)
        view = game.view(stop.match.state, seat)
        action = game.pick(view, seat, lambda n: n - 1)
        assert reasons(game, view, seat, action, action) == ()
