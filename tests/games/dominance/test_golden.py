"""The golden cases of Dominance, each under its own name: small positions with known answers."""

from __future__ import annotations

from tests.games.dominance.helpers import (
    after,
    begin,
    black,
    legal,
    position,
    red,
    result,
    spawns,
    step,
    told,
    turn,
    why_not,
)


def test_d1_the_empty_board() -> None:
    state = begin()
    assert legal(state) == ["+a1", "+a4", "+g1", "+g4"]
    assert red(after(state, "a1")) == "a1"
    assert why_not(state, "+d4") == "no_spawn"
    assert why_not(state, "c3-d4") == "none_in_play"


def test_d2_opposite() -> None:
    state = after(position("c3 f4", "d4"), "f4-e4")
    assert (red(state), black(state), state.lost) == ("c3 e4", "", (0, 1))


def test_d3_side_by_side() -> None:
    state = after(position("c3 b4", "d4"), "b4-c4")
    assert (red(state), black(state), state.lost) == ("c3 c4", "", (0, 1))


def test_d4_two_beside_it_are_not_enough() -> None:
    state = after(position("c3 d6", "d4"), "d6-d5")
    assert (red(state), black(state), state.lost) == ("c3 d5", "d4", (0, 0))


def test_d5_a_dominated_space_is_closed() -> None:
    state = position("e4", "c3 c4")
    assert "e4-d4" not in legal(state)
    assert why_not(state, "e4-d4") == "guarded"


def test_d6_an_attack_that_breaks_the_guard() -> None:
    state = after(position("e4 b2", "c3 c4"), "e4-d4")
    assert (red(state), black(state), state.lost) == ("b2 d4", "c4", (0, 1))


def test_d7_a_trade() -> None:
    state = after(position("d5 b2", "c3 c4 d3 e3"), "d5-d4")
    assert (red(state), black(state), state.lost) == ("b2", "c4 d3 e3", (1, 1))


def test_d8_a_guarded_spawn_is_closed() -> None:
    state = position("e4", "a2 b2")
    assert "+a1" not in legal(state)
    assert why_not(state, "a1") == "guarded_spawn"


def test_d8b_a_guarded_spawn_is_open_to_an_attack() -> None:
    state = after(position("c3", "a2 b2"), "a1")
    assert (red(state), black(state), state.lost) == ("a1 c3", "a2", (0, 1))


def test_d9_the_three_spawns_that_are_left() -> None:
    assert spawns(position("d4", "a2 b2")) == ["a4", "g1", "g4"]


def test_d10_the_ninth_loss_wins() -> None:
    state = after(position("e4 b2", "c3 c4", lost={"B": 8}), "e4-d4")
    assert state.lost == (0, 9)
    assert result(state) == ("nine", (1, 2))


def test_d10b_ones_own_ninth_loss_loses() -> None:
    state = after(position("d5 b2", "c3 c4 d3 e3", lost={"R": 8}), "d5-d4")
    assert state.lost == (9, 1)
    assert result(state) == ("ninth", (2, 1))


def test_d11_the_lock() -> None:
    start = position("a1 a4 g1 f5", "d1")
    assert start.pools[1] == 9
    assert result(after(start, "f5-g4")) == ("lock", (1, 2))


def test_d11b_a_guard_locks_too() -> None:
    assert result(after(position("a1 a4 g1 f4 e5", "d1"), "e5-f5")) == ("lock", (1, 2))


def test_d11c_two_pieces_in_play_are_no_lock() -> None:
    state = after(position("a1 a4 g1 f5", "c1 d1"), "f5-g4")
    assert turn(state) == "B"


def test_d11d_an_attack_opens_the_lock() -> None:
    state = after(position("a1 a4 g1 f4 e6", "e4"), "e6-f5")
    assert turn(state) == "B"
    assert spawns(state) == ["g4"]
    state = after(state, "g4")
    assert (red(state), black(state), state.lost) == ("a1 a4 f5 g1", "e4 g4", (1, 0))


def test_d12_two_at_once() -> None:
    state = after(position("c3 c5 f4", "d4 d5"), "f4-e4")
    assert (red(state), black(state), state.lost) == ("c3 c5 e4", "", (0, 2))


def test_d13_side_by_side_in_a_corner() -> None:
    state = after(position("c3 b2 a3", "a1"), "a3-a2")
    assert (red(state), black(state), state.lost) == ("a2 b2 c3", "", (0, 1))


def test_d14_from_eight_to_ten() -> None:
    state = after(position("c3 c5 f4", "d4 d5", lost={"B": 8}), "f4-e4")
    assert state.lost == (0, 10)
    assert result(state) == ("nine", (1, 2))


def test_d15_a_spawn_with_the_own_piece_is_no_lock() -> None:
    start = position("a2 b1 a4 g1 g4 d2", "a1")
    assert start.pools[1] == 9
    state, facts = step(start, "d2-c2")
    assert "dominance.fact.pass" in [fact.msg.key for fact in facts]
    assert "pass" in told(start, "d2-c2")
    assert (turn(state), black(state)) == ("R", "a1")
