"""Laws of reasons: what is said is true by a second, slow account, and it sets the two moves apart."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from itertools import combinations, islice, permutations
from random import Random
from typing import Any

import pytest

from games.ai.analysis import Mistake, mistake_reasons, public_reason
from games.engine import registry
from games.engine.game import CHANCE, AnyGame, Seat
from games.engine.match import Match
from games.engine.reasons import MOST, reasons
from locales import Catalogue
from matches.lookback.turning_points import coach_words
from tests.laws.courses import Course, course, every_case, is_quick
from tests.laws.test_secrets import moments, worlds
from tests.soak import SEED, SOAK, examples

CATALOGUE = Catalogue(strict=True)
_POSITIONS = 100 if SOAK else examples(10)
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


def known_positions(run: Course, count: int) -> Iterator[tuple[Match, Seat, Any]]:
    """Yield matches of a course with the seat to act, and a state as it can know it, where it can."""
    for stop in run.some(count):
        seat = min(stop.match.to_act)
        known = run.case.game.guess(run.case.game.view(stop.match.state, seat), seat)
        if known is not None:
            yield stop.match, seat, known


@pytest.mark.parametrize("played", PLAYED)
def test_what_is_said_of_a_move_is_true_and_sets_it_apart(played: tuple[Any, str]) -> None:
    run: Course = course(*played)
    game, case = run.case.game, run.case
    slow = import_module(f"tests.games.{game.key}.slow_effects")
    say = CATALOGUE.speaker(names=lambda seat: CATALOGUE.say(game.look(case.setup, Seat(seat)).name))
    random, told = Random(SEED), 0
    for match, seat, known in known_positions(run, _POSITIONS):
        view = game.view(match.state, seat)
        moves = some_actions(game, match, seat, random)
        truth = {action: slow.amounts(game, known, seat, action) for action in moves}
        for action in moves:
            effects = game.effects(view, seat, action)
            found = {each.kind: each.amount for each in effects}
            assert found == pytest.approx(truth[action]), game.encode(action)
            for each in effects:
                said = dict(each.sentence.values)
                assert slow.is_true(game, known, seat, action, each.kind, each.amount, said), each
                assert say(each.sentence)
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


def mistake(game: AnyGame, seat: Seat, better: Any, other: Any, loss: float = 0.1) -> Mistake:
    actions = (game.encode(other), game.encode(better))
    return Mistake(seat, 1, 1, "", 0.5, "", 0.5 + loss, 0.0, actions, ())


@pytest.mark.parametrize("played", PLAYED)
def test_what_all_are_told_of_a_mistake_is_true(played: tuple[Any, str]) -> None:
    run: Course = course(*played)
    game, case = run.case.game, run.case
    slow = import_module(f"tests.games.{game.key}.slow_effects")
    say = CATALOGUE.speaker(names=lambda seat: CATALOGUE.say(game.look(case.setup, Seat(seat)).name))
    random, told = Random(SEED), 0
    for match, seat, known in known_positions(run, _POSITIONS // 2):
        for better, other in permutations(some_actions(game, match, seat, random), 2):
            one = public_reason(game, match.state, mistake(game, seat, better, other))
            assert one == public_reason(game, known, mistake(game, seat, better, other))
            if one is None:
                continue
            has, lacks = (better, other) if one.good else (other, better)
            assert slow.amounts(game, known, seat, has)[one.kind] == pytest.approx(one.amount)
            assert slow.amounts(game, known, seat, lacks).get(one.kind, 0) < one.amount
            assert slow.is_true(game, known, seat, has, one.kind, one.amount, dict(one.sentence.values))
            assert say(coach_words(seat, one))
            told += 1
    assert told


HIDING = [case for case in CASES if case.game.hidden and is_quick(case)]


@pytest.mark.parametrize("case", HIDING, ids=str)
def test_what_all_are_told_of_a_mistake_reveals_nothing(case: Any) -> None:
    """Two worlds that look the same to spectators have the same reasons."""
    game, random, compared = case.game, Random(SEED), 0
    for match, actor in moments(course(case, "random")):
        for one, other in combinations(worlds(match, actor), 2):
            if game.view(one.state, None) != game.view(other.state, None):
                continue
            for seat in game.to_act(one.state) - {CHANCE}:
                view = game.view(one.state, seat)
                found = {game.pick(view, seat, random.randrange) for _ in range(_ACTIONS)}
                legal = [each for each in found if game.refuse(other.state, seat, each) is None]
                for pair in permutations(legal, 2):
                    made = mistake(game, seat, *pair)
                    assert public_reason(game, one.state, made) == public_reason(game, other.state, made)
                    compared += 1
    assert compared


def test_of_cards_that_others_cannot_know_nothing_is_said_to_all() -> None:
    game = registry.get("domination")
    told = 0
    for stop in course(next(each for each in HIDING if each.key == "domination"), "greedy").stops:
        match = stop.match
        for seat in match.to_act - {CHANCE}:
            view = game.view(match.state, seat)
            legal = list(game.actions(view, seat))
            trades = [each for each in legal if each.kind == "trade"]
            if trades and len(legal) > len(trades):
                made = mistake(game, seat, trades[0], next(each for each in legal if each.kind != "trade"))
                assert public_reason(game, match.state, made) is None
                told += bool(mistake_reasons(game, match.state, made))
    assert told, "its seat is told"


WARNED = {"dominion.caution.emperor": "hangs", "domination.caution.odds": "fails"}
"""The effect that is the fact of a warning, so that the warning needs no other reason."""


@pytest.mark.parametrize("key", ["dominion", "domination"])
def test_a_warning_says_the_fact_that_would_be_the_reason_against_the_move(key: str) -> None:
    game, warned = registry.get(key), 0
    for case in (each for each in CASES if each.key == key and is_quick(each)):
        for stop in course(case, "random").some(_POSITIONS):
            for seat in stop.match.to_act - {CHANCE}:
                view = game.view(stop.match.state, seat)
                for action in islice(game.actions(view, seat), 200):
                    why = game.caution(view, seat, action)
                    if why is None or why.key not in WARNED:
                        continue
                    found = {each.kind: each for each in game.effects(view, seat, action)}
                    if "topples" in found:
                        continue  # the heir may answer, of which reasons say nothing
                    effect = found[WARNED[why.key]]
                    assert effect.weight < 0
                    warned += 1
                    said = dict(why.values)
                    if "percent" in said:
                        assert effect.amount == 100 - int(str(said["percent"]))
                    else:
                        assert dict(effect.sentence.values)["who"] == said["who"]
    assert warned


@pytest.mark.parametrize("key", registry.KEYS)
def test_nothing_is_said_of_a_move_compared_with_itself(key: str) -> None:
    game = registry.get(key)
    case = next(each for each in CASES if each.key == key and is_quick(each))
    for stop in course(case, "greedy").some(5):
        seat = min(stop.match.to_act)
        view = game.view(stop.match.state, seat)
        action = game.pick(view, seat, lambda n: n - 1)
        assert reasons(game, view, seat, action, action) == ()
