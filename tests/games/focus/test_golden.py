"""The golden cases of Focus, each under its own name: small positions with known answers."""

from __future__ import annotations

import pytest

from tests.games.focus.helpers import (
    act,
    after,
    begin,
    captured,
    legal,
    pile,
    position,
    reserve,
    result,
    turn,
    why_not,
)

F1 = position("e4=RRG b4=GR h4=R g4=RG d4=G", turn="G")


def test_f1_a_the_whole_pile_onto_a_pile() -> None:
    state = after(F1, "e4-b4")
    assert (pile(state, "b4"), pile(state, "e4")) == ("GRRRG", "")


def test_f1_b_the_whole_pile_onto_a_single_piece() -> None:
    state = after(F1, "e4-h4")
    assert (pile(state, "h4"), pile(state, "e4")) == ("RRRG", "")


def test_f1_c_two_pieces_onto_an_empty_space() -> None:
    state = after(F1, "e4-c4")
    assert (pile(state, "c4"), pile(state, "e4")) == ("RG", "R")


def test_f1_d_two_pieces_onto_a_pile() -> None:
    state = after(F1, "e4-g4")
    assert (pile(state, "g4"), pile(state, "e4")) == ("RGRG", "R")


def test_f1_e_one_piece_onto_an_own_piece() -> None:
    state = after(F1, "e4-d4")
    assert (pile(state, "d4"), pile(state, "e4")) == ("GG", "RR")


def test_f1_f_one_piece_onto_an_empty_space() -> None:
    state = after(F1, "e4-f4")
    assert (pile(state, "f4"), pile(state, "e4")) == ("G", "RR")


def test_f2_four_spaces_need_four_pieces() -> None:
    assert "e4-e8" not in legal(F1)
    assert why_not(F1, "e4-e8") == "height"


def test_f2_no_diagonal() -> None:
    assert "e4-f5" not in legal(F1)
    assert why_not(F1, "e4-f5") == "straight"


def test_f2_not_your_top() -> None:
    state = position("e4=RRG b4=GR h4=R g4=RG d4=G e5=R", turn="G")
    assert "e5-e6" not in legal(state)
    assert why_not(state, "e5-e6") == "top"


def test_f3_two_pieces_leave_from_the_bottom() -> None:
    state = after(position("b3=RGRG f3=GRR h3=R", turn="G"), "b3-f3")
    assert pile(state, "f3") == "RRGRG"
    assert reserve(state, "G") == 1
    assert captured(state, "G") == {"R": 1}


def test_f4_a_reserve_piece_comes_back() -> None:
    state = after(position("d5=RGGRG a3=G", turn="R", reserve={"R": 1}), "+d5")
    assert pile(state, "d5") == "GGRGR"
    assert reserve(state, "R") == 1
    assert captured(state, "R") == {}
    assert turn(state) == "G"


def test_f4b_a_reserve_piece_captures() -> None:
    state = after(position("d5=GGGRG a3=G", turn="R", reserve={"R": 1}), "+d5")
    assert pile(state, "d5") == "GGRGR"
    assert reserve(state, "R") == 0
    assert captured(state, "R") == {"G": 1}


def test_f4c_nothing_left_to_green_ends_it_at_once() -> None:
    state = after(position("d5=RGGRG", turn="R", reserve={"R": 1}), "+d5")
    assert result(state) == ("domination", (1, 2))


def test_f5_covering_the_last_piece_wins() -> None:
    state = after(position("d5=R d4=G", turn="R"), "d5-d4")
    assert pile(state, "d4") == "GR"
    assert result(state) == ("domination", (1, 2))


def test_f5b_a_reserve_piece_keeps_green_in_the_game() -> None:
    state = after(position("d5=R d4=G", turn="R", reserve={"G": 1}), "d5-d4")
    assert turn(state) == "G"
    moves = legal(state)
    assert len(moves) == 52
    assert all(move.startswith("+") for move in moves)


def test_f5c_an_uncovered_piece_keeps_green_in_the_game() -> None:
    state = after(position("d5=GR d4=G", turn="R"), "d5-d4")
    assert (pile(state, "d4"), pile(state, "d5"), turn(state)) == ("GR", "G", "G")


def test_f6_the_sixth_capture_wins_a_fast_game() -> None:
    start = position("d5=R d4=GGGGG a3=G", turn="R", fast=True, captured={"R": {"G": 5}})
    state = after(start, "d5-d4")
    assert pile(state, "d4") == "GGGGR"
    assert captured(state, "R") == {"G": 6}
    assert pile(state, "a3") == "G"
    assert result(state) == ("captures", (1, 2))


def test_f7_the_first_turn_of_three_players() -> None:
    state = begin("3")
    free = "+a3 +a4 +a5 +a6 +c1 +d1 +e1 +f1 +c8 +d8 +e8 +f8 +h3 +h4 +h5 +h6"
    assert set(legal(state)) == set(free.split())
    assert len(legal(state)) == 16
    assert why_not(state, "+b4") == "occupied"
    assert why_not(state, "b4-b5") == "thirteenth"


def test_f8_the_partners_piece_goes_to_the_partners_reserve() -> None:
    state, said = act(position("d5=G d4=YBGRB a3=R", turn="G", seats=4, partners=True), "d5-d4")
    assert pile(state, "d4") == "BGRBG"
    assert reserve(state, "Y") == 1
    assert captured(state, "G") == {}
    assert turn(state) == "Y"
    assert [m.key for m in said if m.key == "focus.fact.pass"] == ["focus.fact.pass"]
    assert dict(said[-1].values)["who"].seat == 1  # type: ignore[union-attr]  # the value is a Who


def test_f8b_alone_it_is_captured_and_two_pass() -> None:
    state, said = act(position("d5=G d4=YBGRB a3=R", turn="G", seats=4), "d5-d4")
    assert captured(state, "G") == {"Y": 1}
    assert turn(state) == "R"
    assert [m.key for m in said].count("focus.fact.pass") == 2


def test_f9_a_player_with_nothing_comes_back() -> None:
    state, said = act(position("d5=BG a3=R h4=Y", turn="G", seats=4), "d5-d4")
    assert (pile(state, "d4"), pile(state, "d5"), turn(state)) == ("G", "B", "B")
    assert "focus.fact.back" in [m.key for m in said]


@pytest.mark.parametrize("first", [0, 1])
def test_f10_two_players_begin_with_68_moves(first: int) -> None:
    assert len(legal(begin("2", first))) == 68


def test_f10_green_of_four_begins_with_44_moves() -> None:
    assert len(legal(begin("4", 0))) == 44


def test_f11_a_tall_pile_at_the_edge() -> None:
    moves = legal(position("c8=RRRRR", turn="R", reserve={"G": 1}))
    assert sorted(moves) == ["c8-c3", "c8-c4", "c8-c5", "c8-c6", "c8-c7", "c8-d8", "c8-e8", "c8-f8"]


def test_f11_a_pile_of_two_at_the_edge() -> None:
    moves = legal(position("a3=RR", turn="R", reserve={"G": 1}))
    assert sorted(moves) == ["a3-a4", "a3-a5", "a3-b3", "a3-c3"]
