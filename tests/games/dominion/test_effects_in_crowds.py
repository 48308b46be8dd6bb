"""Crowded positions at random: what is said of a move or an answer agrees with a second, slow account."""

from __future__ import annotations

from random import Random

import pytest

from games.dominion import GAME, judge, turns
from games.dominion.actions import FATE, Action
from games.dominion.board import STRONGHOLDS
from games.dominion.position import EMPEROR, State, kind_of
from games.engine.game import CHANCE, Seat
from games.engine.reasons import compare
from tests.games.dominion import slow_effects
from tests.games.dominion.test_crowds import Crowd, crowds

KINDS = {"topples", "takes", "recruits", "musters", "controls", "abandons", "loosens", "promotes", "demotes"}
"""What is said of crowds at least."""
FORTS = frozenset(at for three in STRONGHOLDS for at in three)


def asked(crowd: Crowd) -> list[State]:
    """Return the position before a move, and where Fate has asked for a demotion or a promotion."""
    place, chosen = crowd.place._replace(phase="fate"), crowd.state.chosen
    thrown = [turns.play(State(place, chosen), CHANCE, FATE[n]).state for n in (1, 5)]
    return [crowd.state, *(each for each in thrown if each.position.turn == place.turn)]


def some(state: State, rng: Random) -> list[Action]:
    """Return some legal actions: one of any kind, and moves that take an Emperor or concern a stronghold."""
    board = state.position.board
    found = judge.legal(state.position, state.position.turn)
    moves = [action for action in found if action.kind == "move"]
    falls = [action for action in moves if kind_of(board[action.b]) == EMPEROR]
    forts = [action for action in moves if FORTS & {action.a, action.b}]
    return [rng.choice(found), *(rng.choice(each) for each in (falls, forts) if each)]


def test_effects_are_those_of_the_slow_account() -> None:
    rng, told = Random(7), set[str]()
    for crowd in (crowd for name in ("two by version 1", "three", "allied") for crowd in crowds(name)):
        seat = Seat(crowd.place.turn)
        for state in asked(crowd):
            for action in some(state, rng):
                found = {
                    each.kind: each.amount for each in GAME.effects(GAME.view(state, seat), seat, action)
                }
                assert found == pytest.approx(slow_effects.amounts(GAME, state, seat, action)), action.text
                told |= found.keys()
    assert told >= KINDS


def test_a_threat_to_win_a_single_point_is_no_reason_and_a_greater_one_is() -> None:
    rng, told = Random(7), set[tuple[float, bool]]()
    for crowd in (crowd for name in ("two by version 1", "three") for crowd in crowds(name)):
        seat = Seat(crowd.place.turn)
        for action in some(crowd.state, rng):
            for each in GAME.effects(GAME.view(crowd.state, seat), seat, action):
                if each.kind == "threatens":
                    told.add((each.amount, bool(compare([each], []))))
    assert {amount for amount, reason in told if not reason} == {1}
    assert {amount for amount, reason in told if reason} >= {2, 5, 9}
