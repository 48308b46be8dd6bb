"""Evaluation: its range, its ends, and that following it beats a random player."""

from __future__ import annotations

from random import Random

import pytest

from games.engine.game import Seat
from games.focus import GAME
from tests.games.focus.helpers import VARIANTS, after, begin, greedy, position, seat_to_act
from tests.soak import SOAK


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_evaluation_stays_in_range_and_is_even_at_the_start(variant: str) -> None:
    state = begin(variant)
    if variant.startswith("2"):
        assert GAME.evaluate(state, Seat(0)) == GAME.evaluate(state, Seat(1)) == 0
    random = Random(variant)
    while GAME.to_act(state):
        values = [GAME.evaluate(state, Seat(seat)) for seat in range(state.variant.seats)]
        assert all(-1 < value < 1 for value in values)
        assert min(values) <= 0 <= max(values)
        actions = list(GAME.actions(state, seat_to_act(state)))
        state = GAME.apply(state, seat_to_act(state), random.choice(actions)).state
    assert {GAME.evaluate(state, Seat(seat)) for seat in range(state.variant.seats)} <= {-1.0, 0.0, 1.0}


def test_won_lost_and_gone() -> None:
    won = after(position("d5=R d4=G", turn="R"), "d5-d4")
    assert [GAME.evaluate(won, Seat(seat)) for seat in (0, 1)] == [1.0, -1.0]
    gone = GAME.forfeit(begin("4"), Seat(2), "resign").state
    assert GAME.evaluate(gone, Seat(2)) == -1.0
    stuck = after(position("a3=G h3=BY d5=R", turn="G", seats=4, quiet=119), "a3-a4")
    assert [GAME.evaluate(stuck, Seat(seat)) for seat in range(4)] == [0.0, -1.0, 0.0, 0.0]


def test_more_is_better() -> None:
    fewer = position("d5=R d4=G a3=G", turn="R")
    more = position("d5=R d4=G a3=G", turn="R", reserve={"R": 1})
    assert GAME.evaluate(more, Seat(0)) > GAME.evaluate(fewer, Seat(0))
    near = position("d5=R d4=G a3=G", turn="R", fast=True, captured={"R": {"G": 5}})
    assert GAME.evaluate(near, Seat(0)) > GAME.evaluate(fewer, Seat(0))


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_following_the_evaluation_beats_a_random_player(variant: str) -> None:
    for seed in range(4 if SOAK else 2):
        random = Random(f"{variant} {seed}")
        state = begin(variant, seed % VARIANTS[variant][0])
        thinker = seed % state.variant.seats
        team = state.variant.teams[thinker]
        while GAME.to_act(state):
            seat = seat_to_act(state)
            mine = state.variant.teams[seat] == team
            action = greedy(state, random) if mine else random.choice(list(GAME.actions(state, seat)))
            state = GAME.apply(state, seat, action).state
        assert GAME.evaluate(state, Seat(thinker)) == 1.0
