"""The moves against a second, literal generator, the judge against both, and counted trees of moves."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from games.dominion import consequences, fate, judge, record, turns
from games.dominion.actions import FATE, MOVES, NO
from games.dominion.board import NAMES, SQUARES
from games.dominion.position import LETTERS, Law, Position, State, kind_of, owner
from tests.games.dominion import literal
from tests.games.dominion.helpers import act, any_action, lawful, ready

pytestmark = pytest.mark.slow

LAWS = {
    "two": lawful(2),
    "three": lawful(3),
    "north empty, orthogonal": lawful(3, "north", straddle="orth", sandwiched="first", succession="sure"),
    "four": lawful(4, succession="kind", fate=2),
    "allied": lawful(4, allied=True, sticks="sticks", fate=2),
}


def _board(place: Position) -> literal.Board:
    return {
        NAMES[at]: f"{owner(code) if owner(code) >= 0 else ''}{LETTERS[kind_of(code)]}"
        for at, code in enumerate(place.board)
        if code
    }


def _match(law: Law, seed: int, most: int = 700) -> list[State]:
    rng = Random(seed)
    states = [turns.begin(law)]
    while len(states) < most and judge.to_act(states[-1].position):
        seat, action = any_action(states[-1], rng)
        assert judge.refuse(states[-1].position, seat, action) is None, action
        states.append(turns.play(states[-1], seat, action).state)
    return states


@cache
def _matches(name: str) -> list[State]:
    return [state for seed in range(2) for state in _match(LAWS[name], seed)]


@pytest.mark.parametrize("name", LAWS)
def test_moves_are_those_of_the_literal_generator(name: str) -> None:
    for state in _matches(name)[::5]:
        place = state.position
        board = _board(place)
        camps = {str(seat): str(camp) for seat, camp in enumerate(place.law.camps)}
        for seat in place.living():
            expected = literal.moves(board, camps, str(seat))
            found = judge.legal(place._replace(phase="move", turn=seat), seat)
            assert {action.text for action in found} == (expected or {"pass"})
            assert len(found) == len(expected or {"pass"})


@pytest.mark.parametrize("name", LAWS)
def test_the_judge_lets_pass_what_is_listed_and_gives_a_reason_for_the_rest(name: str) -> None:
    rng = Random(3)
    for state in _matches(name)[::40]:
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
        assert record.load(record.dump(state)) == state


@pytest.mark.parametrize("name", LAWS)
def test_no_kind_grows_over_its_limit(name: str) -> None:
    for state in _matches(name)[::3]:
        for seat in state.position.living():
            counts = {kind: state.position.board.count(16 * (seat + 1) + kind) for kind in range(1, 8)}
            assert counts[1] + (seat in state.position.pending) == 1
            assert counts[2] <= 1
            assert max(counts[3], counts[4]) <= 2
            assert counts[5] + counts[6] <= 4
            assert counts[7] <= 3


def _tree(state: State, depth: int) -> int:
    """How many lines of so many moves there are, when Fate always says no."""
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


@pytest.mark.parametrize(
    ("law", "counts"),
    [
        (lawful(2), (35, 1225, 47773)),
        (lawful(3), (35, 1225, 42875)),
        (lawful(4), (35, 1225, 42875)),
        (lawful(4, allied=True), (35, 1225, 42875)),
    ],
)
def test_counted_trees(law: Law, counts: tuple[int, ...]) -> None:
    state = ready(law)
    assert tuple(_tree(state, depth) for depth in range(1, len(counts) + 1)) == counts


def test_the_literal_generator_counts_the_same_trees() -> None:
    for law in (lawful(2), lawful(4)):
        state, total = ready(law), 0
        camps = {str(seat): str(camp) for seat, camp in enumerate(law.camps)}
        for wire in literal.moves(_board(state.position), camps, "0"):
            after = act(act(state, wire), "fate no").position
            total += len(literal.moves(_board(after), camps, str(after.turn)))
        assert total == 1225


def test_silent_seats_have_a_legal_answer() -> None:
    asked = [
        state for name in LAWS for state in _matches(name) if state.position.phase in fate.CHOICES.values()
    ]
    assert asked
    for state in asked:
        place = state.position
        assert fate.safe_choice(place, place.turn) in judge.legal(place, place.turn)
