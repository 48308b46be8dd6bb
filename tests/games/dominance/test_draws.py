"""Ends without a ninth loss: the lock and its warning, passes, both counted draws, resigning."""

from __future__ import annotations

from random import Random

import pytest

from games.dominance import GAME
from games.engine.game import Seat, Why
from games.engine.message import Who
from tests.games.dominance.helpers import (
    BOARD_KEYS,
    after,
    begin,
    black,
    legal,
    position,
    result,
    seat_to_act,
    spawns,
    step,
    told,
    turn,
)
from tests.rows import rows

QUIET = ("c3-c4", "e4-e5", "c4-c3", "e5-e4")
"""Four actions after which everything is as before."""
APART = position("c3", "e4")


# --- the lock -------------------------------------------------------------------------------------------


def test_a_lock_though_nothing_was_ever_taken() -> None:
    state = after(begin(), "a1", "a4", "a1-b2", "a4-b5", "a1", "b5-c5", "a4", "c5-d5", "g1", "d5-d6")
    assert state.lost == (0, 0)
    assert result(after(state, "g4")) == ("lock", (1, 2))


def test_a_lock_with_nothing_in_play() -> None:
    state = after(position("a1 a4 g1 g4 c4 d6", "d5", lost={"B": 3}), "c4-c5")
    assert black(state) == ""
    assert result(state) == ("lock", (1, 2))


def test_black_locks_red_out_as_well() -> None:
    assert result(after(position("d1", "a1 a4 g1 f5", "B"), "f5-g4")) == ("lock", (2, 1))


def test_an_open_spawn_is_no_lock() -> None:
    state = after(position("a1 a4 f4 c2", "d1"), "c2-c3")
    assert spawns(state) == ["g1", "g4"]


def test_a_lock_on_the_hundredth_quiet_action_is_a_lock() -> None:
    state = after(position("a1 a4 g1 f4 e5", "d1", quiet=99), "e5-f5")
    assert result(state)[0] == "lock"


def test_a_spawn_that_attacks_may_be_the_only_action_left() -> None:
    state = after(position("a2 b2 c3 d1 d3 a4 g1 g4", "b1"), "d3-d2")
    assert (turn(state), legal(state)) == ("B", ["+a1"])
    assert after(state, "+a1").lost == (1, 0)


def test_an_own_piece_on_a_spawn_keeps_out_of_a_lock() -> None:
    state = after(position("a2 b1 a4 g1 f5", "a1"), "f5-g4")
    assert GAME.outcome(state) is None


# --- the warning ----------------------------------------------------------------------------------------


def warnings(pieces: tuple[str, str], text: str) -> list[tuple[str, int, int]]:
    """Key, whom it concerns and how many pieces that seat has in play, for each warning of an action."""
    _, facts = step(position(*pieces), text)
    found = []
    for fact in facts:
        values = dict(fact.msg.values)
        key = fact.msg.key.removeprefix("dominance.fact.")
        if key.endswith("warning"):
            who, n = values["who"], values["n"]
            assert isinstance(who, Who)
            assert isinstance(n, int)
            assert values["other"] == Who(Seat(1 - who.seat))
            found.append((key, who.seat, n))
    return found


def test_three_spawns_against_one_piece_are_told() -> None:
    assert warnings(("a1 a4 f2", "d1"), "f2-g1") == [("warning", 1, 1)]


def test_a_guarded_spawn_counts() -> None:
    assert warnings(("a1 a4 f1 e2", "d4"), "e2-f2") == [("warning", 1, 1)]


def test_a_loss_brings_the_lock_near_too() -> None:
    assert warnings(("a1 a4 g1 c3 c5", "d4 c1"), "c5-c4") == [("warning", 1, 1)]
    assert warnings(("a1 a4 g1 c3 c5", "d4"), "c5-c4") == [("warning", 1, 0)]


def test_two_pieces_in_play_are_not_warned() -> None:
    assert warnings(("a1 a4 f2", "d1 e1"), "f2-g1") == []


def test_two_spawns_are_not_told() -> None:
    assert warnings(("a1 b4 d6", "d1"), "b4-a4") == []


def test_a_warning_is_not_repeated() -> None:
    state, first = step(position("a1 a4 f2", "d1"), "f2-g1")
    assert len(first) == 2
    state, second = step(state, "d1-d2")
    assert len(second) == 1
    _, third = step(state, "g1-f1")
    assert len(third) == 1


def test_four_spawns_with_an_attack_left_are_told_as_the_last_warning() -> None:
    assert warnings(("a1 a4 g1 f4 e6", "e4"), "e6-f5") == [("last_warning", 1, 1)]


def test_who_brings_it_upon_themselves_is_warned_as_well() -> None:
    assert warnings(("d5 b2", "c3 c4 d3 e3 a4 g1 g4"), "d5-d4") == [("warning", 0, 1)]


def test_the_end_needs_no_warning() -> None:
    assert told(position("a1 a4 g1 f5", "d1"), "f5-g4") == ["move"]


# --- passes ---------------------------------------------------------------------------------------------


def test_a_pass_is_told_and_counted_neither_as_action_nor_as_position_of_its_own() -> None:
    state = after(position("a2 b1 a4 g1 g4 c2 e5", "a1", quiet=5), "e5-e6")
    assert (state.quiet, len(state.past)) == (6, 2)
    state = after(state, "e6-f5")
    assert (turn(state), state.quiet, len(state.past)) == ("R", 7, 3)


def test_nobody_may_pass_while_something_is_possible() -> None:
    state = position("c3", "e4")
    assert turn(after(state, "c3-c4")) == "B"


def test_repetition_through_passes() -> None:
    state = position("a2 b1 a4 g1 g4 c2 e5", "a1")
    state = after(state, "e5-e6", "e6-e5", "e5-e6")
    assert GAME.outcome(state) is None
    assert result(after(state, "e6-e5")) == ("repetition", (1, 1))


# --- draws ----------------------------------------------------------------------------------------------


def test_the_third_time_the_same_position_is_a_draw() -> None:
    state = after(APART, *QUIET, *QUIET[:3])
    assert GAME.outcome(state) is None
    assert result(after(state, QUIET[3])) == ("repetition", (1, 1))


def test_the_same_pieces_with_the_other_side_to_act_are_another_position() -> None:
    state = after(position("d4 c3", "g4"), "c3-b2", "g4-f4", "b2-b3", "f4-g4", "b3-c3")
    assert turn(state) == "B"
    assert state.past.count(state.past[-1]) == 1


def test_a_spawn_or_a_removal_begins_anew() -> None:
    state = after(position("c3", "e4", quiet=50), "+a1")
    assert (state.quiet, len(state.past)) == (0, 1)
    state = after(position("c3 f4", "d4 a1", quiet=50), "f4-e4")
    assert (state.quiet, len(state.past)) == (0, 1)


def test_the_hundredth_quiet_action_is_a_draw() -> None:
    state = after(position("c3", "e4", quiet=98), "c3-c4")
    assert GAME.outcome(state) is None
    state = after(state, "e4-e5")
    assert result(state) == ("quiet", (1, 1))
    assert state.quiet == 100


def test_a_capture_instead_of_the_hundredth_quiet_action_goes_on() -> None:
    state = after(position("c3 f4", "d4 a1", quiet=99), "f4-e4")
    assert GAME.outcome(state) is None


def test_repetition_is_named_before_the_hundred() -> None:
    state = after(position("c3", "e4", quiet=92), *QUIET, *QUIET)
    assert state.quiet == 100
    assert result(state)[0] == "repetition"


# --- resigning ------------------------------------------------------------------------------------------


@rows("why", ["resign", "timeout"])
@rows("seat, ranks", [(0, (2, 1)), (1, (1, 2))])
def test_a_seat_that_resigns_has_lost_at_any_time(why: Why, seat: int, ranks: tuple[int, int]) -> None:
    for state in (begin(), after(begin(), "a1"), APART):
        given_up = GAME.forfeit(state, Seat(seat), why).state
        assert result(given_up) == ("resigned", ranks)
        assert GAME.load(GAME.dump(given_up), 1) == given_up


def test_no_seat_resigns_twice() -> None:
    over = GAME.forfeit(begin(), Seat(0), "resign").state
    for state, seat in ((over, 0), (over, 1), (begin(), 2), (begin(), -1)):
        with pytest.raises(ValueError, match="resign"):
            GAME.forfeit(state, Seat(seat), "resign")


# --- bounds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", BOARD_KEYS)
def test_every_random_game_ends_within_the_bound_and_never_with_ten_losses_each(board: str) -> None:
    for seed in range(6):
        random, state, count = Random(f"{board} {seed}"), begin(board), 0
        while GAME.to_act(state):
            assert state.past.count(state.past[-1]) < 3
            assert max(state.lost) < 9
            assert not state.men[0] & state.guarded[1]
            assert not state.men[1] & state.guarded[0]
            assert all(
                men.bit_count() + pool + lost == 10
                for men, pool, lost in zip(state.men, state.pools, state.lost, strict=True)
            )
            state = after(state, random.choice(legal(state)))
            count += 1
        assert count <= GAME.max_actions(GAME.setup(2, {"board": board}))
        assert min(state.lost) < 9
    assert seat_to_act(begin(board)) == 0
