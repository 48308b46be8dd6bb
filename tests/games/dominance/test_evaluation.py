"""Evaluation: its range, its ends, what it prefers, and that following it beats a random player."""

from __future__ import annotations

from random import Random

import pytest

from games.dominance import GAME
from games.engine.game import Seat
from tests.games.dominance.helpers import (
    BOARD_KEYS,
    after,
    begin,
    greedy,
    legal,
    position,
    result,
    seat_to_act,
)

RED, BLACK = Seat(0), Seat(1)


@pytest.mark.parametrize("board", BOARD_KEYS)
def test_the_evaluation_stays_in_range_and_is_zero_sum(board: str) -> None:
    random, state = Random(board), begin(board)
    assert GAME.evaluate(state, RED) == 0
    while GAME.to_act(state):
        value = GAME.evaluate(state, RED)
        assert -1 < value < 1
        assert GAME.evaluate(state, BLACK) == -value
        state = after(state, random.choice(legal(state)))


def test_won_lost_and_drawn() -> None:
    won = after(position("c3 f4", "d4", lost={"B": 8}), "f4-e4")
    assert [GAME.evaluate(won, seat) for seat in (RED, BLACK)] == [1.0, -1.0]
    drawn = after(position("c3", "e5", quiet=99), "c3-c4")
    assert [GAME.evaluate(drawn, seat) for seat in (RED, BLACK)] == [0.0, 0.0]
    gone = GAME.forfeit(begin(), RED, "resign").state
    assert GAME.evaluate(gone, RED) == -1.0


def test_losses_count_most() -> None:
    even = position("c3 d3", "f3 f4", lost={"R": 2, "B": 2})
    ahead = position("c3 d3", "f3 f4", lost={"R": 2, "B": 3})
    assert GAME.evaluate(ahead, RED) > GAME.evaluate(even, RED) + 0.05


def test_a_piece_that_can_be_taken_counts_against_its_owner() -> None:
    exposed = position("c3 f4 a1", "d4 g1")
    hidden = position("c3 f5 a1", "d4 g1")
    assert GAME.evaluate(exposed, RED) > GAME.evaluate(hidden, RED) + 0.02


def test_a_piece_in_reach_of_a_spawn_is_exposed_while_there_is_a_pool() -> None:
    waiting = position("c3 f5 d1", "b2 g1")
    empty = position("c3 f5 d1", "b2 g1", lost={"R": 7})
    assert GAME.evaluate(waiting, RED) - GAME.evaluate(empty, RED) > 0.7


def test_a_lock_that_is_near_is_bad() -> None:
    near = position("a1 a4 g1 d6", "d1", "B")
    far = position("a1 a4 f1 d6", "d1", "B")
    assert GAME.evaluate(near, BLACK) < GAME.evaluate(far, BLACK) - 0.05


@pytest.mark.parametrize("board", BOARD_KEYS)
@pytest.mark.parametrize("thinker", [RED, BLACK])
def test_following_the_evaluation_beats_a_random_player(board: str, thinker: Seat) -> None:
    for seed in range(3):
        random, state = Random(f"{board} {seed}"), begin(board)
        while GAME.to_act(state):
            seat = seat_to_act(state)
            action = (
                greedy(state, random) if seat == thinker else random.choice(list(GAME.actions(state, seat)))
            )
            state = GAME.apply(state, seat, action).state
        assert result(state)[1][thinker] == 1
        assert GAME.evaluate(state, thinker) == 1.0
