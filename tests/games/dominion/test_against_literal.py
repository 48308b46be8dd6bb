"""Moves, judge and consequences compared with a slow reference implementation and perft counts."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from games.dominion import consequences, fate, judge, position_json, turns
from games.dominion.actions import FATE, MOVES, NO
from games.dominion.board import NAMES, SQUARES
from games.dominion.position import LETTERS, Law, Position, State, kind_of, owner
from tests.games.dominion import literal, literal_course
from tests.games.dominion.helpers import any_action, lawful, position, ready
from tests.rows import rows
from tests.soak import SOAK

pytestmark = pytest.mark.slow

LAWS = {
    "two": lawful(2),
    "three": lawful(3),
    "north empty, orthogonal": lawful(3, "north", straddle="orth", sandwiched="first", succession="sure"),
    "four": lawful(4, succession="kind", fate=2),
    "allied": lawful(4, allied=True, sticks="sticks", fate=2),
}


def board_of(place: Position) -> literal.Board:
    """Return the pieces of a position as the literal game writes them."""
    return {
        NAMES[at]: f"{owner(code) if owner(code) >= 0 else ''}{LETTERS[kind_of(code)]}"
        for at, code in enumerate(place.board)
        if code
    }


@cache
def _steps(name: str) -> list[tuple[State, str, State]]:
    """Play two random matches: the state before each action, its wire form, and the state after."""
    found: list[tuple[State, str, State]] = []
    for seed in range(2):
        rng, state = Random(seed), turns.begin(LAWS[name])
        for _ in range(700):
            if not judge.to_act(state.position):
                break
            seat, action = any_action(state, rng)
            assert judge.refuse(state.position, seat, action) is None, action
            before, state = state, turns.play(state, seat, action).state
            found.append((before, action.text, state))
    return found


def _matches(name: str) -> list[State]:
    """Return the states of these matches."""
    return [after for _, _, after in _steps(name)]


@pytest.mark.parametrize("name", LAWS)
def test_moves_are_those_of_the_literal_generator(name: str) -> None:
    for state in _matches(name)[:: 5 if SOAK else 10]:
        place = state.position
        board = board_of(place)
        camps = {str(seat): str(camp) for seat, camp in enumerate(place.law.camps)}
        for seat in place.living():
            expected = literal.moves(board, camps, str(seat))
            found = judge.legal(place._replace(phase="move", turn=seat), seat)
            assert {action.text for action in found} == (expected or {"pass"})
            assert len(found) == len(expected or {"pass"})


@pytest.mark.parametrize("name", LAWS)
def test_the_judge_lets_pass_what_is_listed_and_gives_a_reason_for_the_rest(name: str) -> None:
    rng = Random(3)
    for state in _matches(name)[:: 40 if SOAK else 80]:
        place = state.position
        for seat in judge.to_act(place):
            listed = set(judge.legal(place, seat))
            assert all(judge.refuse(place, seat, action) is None for action in listed)
            if place.phase != "move":
                continue
            own = [at for at, code in enumerate(place.board) if owner(code) == seat]
            for src in (*own, rng.choice(SQUARES)):
                for dst in SQUARES:
                    if src != dst and MOVES[src][dst] not in listed:
                        assert judge.refuse(place, seat, MOVES[src][dst]) is not None


@pytest.mark.parametrize("name", LAWS)
def test_positions_are_at_rest_and_come_back_from_json(name: str) -> None:
    for state in _matches(name)[::3]:
        place = state.position
        calm = consequences.settle(place.law, place.board, place.control, place.turn, place.board)
        assert (calm.board, calm.control) == (place.board, place.control)
        assert position_json.load(position_json.dump(state), place.law.rules) == state


@rows("name", LAWS)
def test_no_kind_grows_over_its_limit(name: str) -> None:
    for state in _matches(name)[::3]:
        for seat in state.position.living():
            counts = {kind: state.position.board.count(16 * (seat + 1) + kind) for kind in range(1, 8)}
            assert counts[1] + (seat in state.position.pending) == 1
            assert counts[2] <= 1
            assert max(counts[3], counts[4]) <= 2
            assert counts[5] + counts[6] <= 4
            assert counts[7] <= 3


def rules_of(law: Law) -> literal_course.Rules:
    """Return what the literal course has to know of a law."""
    camps = {str(seat): str(camp) for seat, camp in enumerate(law.camps)}
    return literal_course.Rules(camps, law.straddle)


@pytest.mark.parametrize("name", LAWS)
def test_what_follows_from_moves_and_answers_is_what_the_literal_course_says(name: str) -> None:
    rules = rules_of(LAWS[name])
    sticks = {event: n for n, event in fate.CHOICE_BY_STICKS.items()}
    for before, wire, after in _steps(name)[:: 2 if SOAK else 4]:
        place = before.position
        if place.phase == "move" and wire != "pass":
            assert literal_course.moved(board_of(place), wire, rules) == board_of(after.position), wire
        elif place.phase in sticks:
            listed = dict(
                literal_course.answers(board_of(place), str(place.turn), sticks[place.phase], rules)
            )
            found = judge.legal(place, place.turn)
            assert {action.text for action in found} == set(listed)
            for action in found:
                assert board_of(turns.play(before, place.turn, action).state.position) == listed[action.text]


# --- counted trees ---------------------------------------------------------------------------------------

STARTS = {
    "two": lawful(2),
    "three": lawful(3),
    "four": lawful(4),
    "allied": lawful(4, allied=True),
}
CROWDED: dict[str, Any] = {
    "p0": "Eg13 Ge12 Pg8 Ah10 Re10 Ri12 Sf6 Sh8 Wc5 pf10",
    "p1": "Eg1 Ge2 Pd7 Af3 Rg4 Ri2 Sf4 Sg6 Xj5 ph5",
    "free": "e5 g5 i5 e7 g7 i7",
}
"""Crowded armies with Peasants to recruit."""


@pytest.mark.parametrize("name", STARTS)
def test_counted_trees_of_moves(name: str) -> None:
    """Count lines of moves in which Fate always refuses."""
    state = ready(STARTS[name])
    third = 47_773 if name == "two" else 42_875
    assert [_tree(state, depth) for depth in (1, 2, 3)] == [35, 1225, third]
    assert literal_course.tree(board_of(state.position), "0", 2, rules_of(STARTS[name]), chance=False) == 1225


def _tree(state: State, depth: int) -> int:
    place = state.position
    actions = judge.legal(place, place.turn)
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        after = turns.play(state, place.turn, action).state
        if after.position.phase == "fate":
            after = turns.play(after, -1, FATE[NO]).state
        total += _tree(after, depth - 1)
    return total


@pytest.mark.parametrize("name", STARTS)
def test_counted_trees_with_all_that_fate_may_say(name: str) -> None:
    """Count lines of plies: a move, Fate's throw, or the answer to it."""
    state = ready(STARTS[name])
    assert [_whole(state, depth) for depth in (1, 2, 3, 4)] == [35, 245, 5243, 80_500]
    deep = 3 if name == "two" else 2
    found = literal_course.tree(board_of(state.position), "0", deep, rules_of(STARTS[name]), chance=True)
    assert found == (5243 if deep == 3 else 245)


def _whole(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    place, total = state.position, 0
    for seat in judge.to_act(place):
        actions = judge.legal(place, seat)
        if depth == 1:
            total += len(actions)
        else:
            total += sum(_whole(turns.play(state, seat, action).state, depth - 1) for action in actions)
    return total


def test_counted_trees_where_armies_meet() -> None:
    state = position(turn=0, **CROWDED)
    board, rules = board_of(state.position), rules_of(lawful(2))
    assert _tree(state, 2) == literal_course.tree(board, "0", 2, rules, chance=False) == 8734
    assert _whole(state, 3) == literal_course.tree(board, "0", 3, rules, chance=True) == 19_474


def test_silent_seats_have_a_legal_answer() -> None:
    asked = [state for name in LAWS for state in _matches(name) if state.position.phase in fate.CHOICE_PHASES]
    assert asked
    for state in asked:
        place = state.position
        assert fate.safe_choice(place, place.turn) in judge.legal(place, place.turn)
