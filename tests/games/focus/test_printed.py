"""The printed rules, sentence by sentence, in the order of the booklet. What a test says is in its name."""

from __future__ import annotations

from collections import Counter

import pytest

from games.engine import grid
from games.engine.dice import Dice
from games.engine.game import CHANCE, Seat
from games.focus import GAME
from games.focus.board import MISSING, PIECES, SPACES, to_piles
from tests.games.focus.helpers import (
    VARIANTS,
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
from tests.games.focus.literal import FIGURES, spaces
from tests.rows import rows

# --- board and pieces -----------------------------------------------------------------------------------


def test_the_board_has_52_spaces_and_lacks_three_in_each_corner() -> None:
    assert set(SPACES) == set(spaces())
    assert len(SPACES) == 52
    assert len(MISSING) == 12


def test_every_row_and_file_is_one_run_so_that_no_move_leaves_the_board() -> None:
    for line in range(8):
        files = [int(s[1]) for s in SPACES if s[0] == "abcdefgh"[line]]
        ranks = [ord(s[0]) for s in SPACES if int(s[1]) == line + 1]
        assert sorted(files) == list(range(min(files), max(files) + 1))
        assert sorted(ranks) == list(range(min(ranks), max(ranks) + 1))


def test_every_space_has_a_neighbour_so_that_control_is_a_move() -> None:
    board = frozenset(SPACES)
    assert all(any(grid.ray(s, d, board) for d in grid.DIRECTIONS) for s in SPACES)


def test_the_box_holds_62_pieces() -> None:
    most = {
        c: max(PIECES[n] for n, colours in ((2, "RG"), (3, "RGB"), (4, "GBYR")) if c in colours)
        for c in "RGBY"
    }
    assert sum(most.values()) == 62


@rows("seats, each", [(2, 18), (3, 12), (4, 13)])
def test_colours_numbers_and_places_as_the_figures_show(seats: int, each: int) -> None:
    piles = to_piles(begin(str(seats)).board)
    figure = {
        "abcdefgh"[across] + str(8 - down): colour
        for down, line in enumerate(FIGURES[seats].split("\n")[1:9])
        for across, colour in enumerate(line.split())
        if colour != "."
    }
    assert piles == figure
    assert set(Counter(piles.values()).values()) == {each}


def test_three_players_keep_a_13th_piece_each_beside_the_board() -> None:
    assert begin("3").thirteenth == (True, True, True)
    assert not any(begin("2").thirteenth + begin("4").thirteenth)


@rows("variant", VARIANTS)
def test_chance_names_who_plays_first(variant: str) -> None:
    seats, options = VARIANTS[variant]
    state = GAME.start(GAME.setup(seats, options)).state
    assert GAME.to_act(state) == {CHANCE}
    drawn = {GAME.draw(state, Dice(b"secret", "F-1", seq, "salt")) for seq in range(60)}
    assert drawn == set(GAME.actions(state, CHANCE))
    assert len(drawn) == seats
    for action in drawn:
        assert GAME.refuse(state, CHANCE, action) is None
        step = GAME.apply(state, CHANCE, action)
        assert len(GAME.to_act(step.state)) == 1
        assert step.facts[0].msg.key == "focus.fact.first"


@rows("variant, order", [("2", "RG"), ("3", "RGB"), ("4", "GBYR"), ("partners", "GBYR")])
def test_play_goes_round_clockwise_from_the_first_player(variant: str, order: str) -> None:
    for first in range(len(order)):
        state, seen = begin(variant, first), ""
        for _ in order:
            seen += turn(state)
            state = after(state, legal(state)[0])
        assert seen == order[first:] + order[:first]


# --- the two basic moves --------------------------------------------------------------------------------


def test_whoever_is_on_top_controls_the_pile_and_nobody_else_moves_it() -> None:
    state = position("d4=GGR e6=RG", turn="G")
    assert {move[:2] for move in legal(state)} == {"e6"}
    assert why_not(state, "d4-d5") == "top"


def test_one_move_and_the_turn_is_over() -> None:
    assert turn(after(begin("2"), "b3-b4")) == "G"


def test_a_single_piece_goes_one_space_onto_whatever_is_there() -> None:
    state = position("d4=G d3=R c4=G e4=GR", turn="G")  # the booklet's figure 2
    assert [m for m in legal(state) if m.startswith("d4")] == ["d4-d5", "d4-e4", "d4-d3", "d4-c4"]
    assert pile(after(state, "d4-d5"), "d5") == "G"
    assert pile(after(state, "d4-d3"), "d3") == "RG"
    assert pile(after(state, "d4-c4"), "c4") == "GG"
    assert pile(after(state, "d4-e4"), "e4") == "GRG"


def test_a_single_piece_goes_no_further_and_never_diagonally() -> None:
    state = position("d4=G d3=R", turn="G")
    assert why_not(state, "d4-d6") == "height"
    assert why_not(state, "d4-e5") == "straight"


@rows("height", [1, 2, 3, 4, 5])
def test_as_many_spaces_as_pieces_and_no_more_than_the_pile_is_high(height: int) -> None:
    state = position(f"c3={'R' * (height - 1)}G a6=R", turn="G")
    steps = {abs(ord(m[0]) - ord(m[3])) + abs(int(m[1]) - int(m[4])) for m in legal(state)}
    assert steps == set(range(1, height + 1))


def test_parts_keep_their_order_and_the_rest_stays_with_its_own_top() -> None:
    state = after(position("d4=GRRG a3=R", turn="G"), "d4-g4")
    assert (pile(state, "g4"), pile(state, "d4")) == ("RRG", "G")


def test_what_is_jumped_over_is_not_touched_and_does_not_block() -> None:
    start = position("b4=RGG c4=RRRRR d4=G e4=R", turn="G")
    state = after(start, "b4-e4")
    assert [pile(state, s) for s in ("c4", "d4", "e4", "b4")] == ["RRRRR", "G", "RRGG", ""]


def test_staying_in_place_is_no_move() -> None:
    assert why_not(position("d4=G a3=R", turn="G"), "d4-d4") == "stay"


def test_moving_onto_an_own_pile_is_allowed() -> None:
    assert pile(after(position("d4=G d5=RG a3=R", turn="G"), "d4-d5"), "d5") == "RGG"


# --- reserve and captured pieces ------------------------------------------------------------------------


def test_no_pile_is_higher_than_five_whatever_move_made_it() -> None:
    single = after(position("d4=G d5=RRRRR a3=R", turn="G"), "d4-d5")
    assert (pile(single, "d5"), captured(single, "G")) == ("RRRRG", {"R": 1})
    most = after(position("c3=GGGGG h3=GRGRR b7=R", turn="G"), "c3-h3")
    assert pile(most, "h3") == "GGGGG"
    assert (reserve(most, "G"), captured(most, "G")) == (2, {"R": 3})


def test_exactly_five_lose_nothing() -> None:
    state = after(position("d4=G d5=RRRR a3=R", turn="G"), "d4-d5")
    assert (pile(state, "d5"), captured(state, "G"), reserve(state, "G")) == ("RRRRG", {}, 0)


def test_captured_pieces_are_out_of_play_for_good() -> None:
    state = after(position("d4=G d5=RRRRR a3=R", turn="G"), "d4-d5")
    assert legal(state) == ["a3-a4", "a3-b3"]


def test_a_reserve_piece_goes_anywhere_in_place_of_a_move() -> None:
    start = position("d4=G d5=R e5=GR", turn="G", reserve={"G": 1})
    assert [m for m in legal(start) if m[0] == "+"] == [f"+{space}" for space in SPACES]
    for space, expected in (("c8", "G"), ("d5", "RG"), ("e5", "GRG"), ("d4", "GG")):
        state = after(start, f"+{space}")
        assert (pile(state, space), reserve(state, "G"), turn(state)) == (expected, 0, "R")


def test_a_reserve_piece_is_never_forced_while_there_is_a_move() -> None:
    state = position("d4=G d5=R", turn="G", reserve={"G": 3})
    assert "d4-c4" in legal(state)
    assert reserve(after(state, "d4-c4"), "G") == 3


def test_without_a_reserve_none_can_be_played() -> None:
    assert why_not(position("d4=G d5=R", turn="G"), "+c4") == "reserve"


def test_without_a_pile_the_reserve_must_be_played() -> None:
    state = position("d5=R", turn="G", reserve={"G": 2})
    assert all(m[0] == "+" for m in legal(state))


# --- how to win -----------------------------------------------------------------------------------------


def test_two_players_stuck_is_lost_even_if_a_later_split_would_free_a_piece() -> None:
    state = after(position("d5=R d4=G f6=GR", turn="R"), "d5-d4")
    assert result(state) == ("domination", (1, 2))


def test_three_players_one_stuck_passes_and_the_game_goes_on() -> None:
    state, said = act(position("d5=R d4=G a3=B", turn="R", seats=3), "d5-d4")
    assert turn(state) == "B"
    assert "focus.fact.pass" in [m.key for m in said]


def test_three_players_two_stuck_at_the_same_time_end_it() -> None:
    state = after(position("d5=R d4=G a3=BR", turn="R", seats=3), "d5-d4")
    assert result(state) == ("domination", (1, 2, 2))


def test_three_players_each_place_the_13th_piece_first_and_then_play_on() -> None:
    state = after(begin("3"), "+a3", "+c1", "+h6")
    assert not any(state.thirteenth)
    assert pile(state, "a3") + pile(state, "c1") + pile(state, "h6") == "RGB"
    assert turn(state) == "R"
    assert "a3-a4" in legal(state)
    assert why_not(state, "+a4") == "reserve"


def test_the_13th_piece_is_no_reserve_and_counts_for_nothing() -> None:
    start = position(
        "b2=R d5=G g7=B", turn="R", seats=3, fast=True, thirteenth="RGB", captured={"R": {"G": 7, "B": 2}}
    )
    state = after(start, "+a3")
    assert GAME.outcome(state) is None
    assert reserve(state, "R") == 0


def test_four_players_the_last_who_can_play_wins() -> None:
    state = after(position("d5=G d4=B a3=RG b5=YG", turn="G", seats=4), "d5-d4")
    assert result(state) == ("domination", (1, 2, 2, 2))


def test_four_players_a_reserve_keeps_one_in_the_game() -> None:
    state = after(position("d5=G d4=B", turn="G", seats=4, reserve={"Y": 1}), "d5-d4")
    assert turn(state) == "Y"


# --- partners -------------------------------------------------------------------------------------------


def test_teams_are_green_and_yellow_against_blue_and_red() -> None:
    assert GAME.setup(4, {"partners": True}).teams == (0, 1, 0, 1)


def test_partners_sit_opposite_each_other() -> None:
    state = begin("partners")
    sides = [GAME.scene(state, Seat(seat)).turns for seat in range(4)]
    assert sides == [0, 3, 2, 1]


def test_you_never_move_your_partners_pile() -> None:
    state = position("d5=G d4=GY a3=R", turn="G", seats=4, partners=True)
    assert why_not(state, "d4-d3") == "partner"
    assert {m[:2] for m in legal(state)} == {"d5"}


def test_a_stuck_partner_passes_while_the_mate_plays() -> None:
    state, said = act(position("d5=B d4=Y a3=G b5=R", turn="B", seats=4, partners=True), "d5-d4")
    assert turn(state) == "R"
    assert "focus.fact.pass" in [m.key for m in said]
    state = after(state, "b5-b6")
    assert turn(state) == "G"


def test_a_pair_is_beaten_only_when_both_are_stuck() -> None:
    start = position("d5=B d4=Y a3=R", turn="B", seats=4, partners=True)
    assert result(after(start, "d5-d4")) == ("domination", (2, 1, 2, 1))


def test_a_reserve_from_the_partner_brings_a_player_back() -> None:
    start = position("d5=G d4=YBGRB a3=R", turn="G", seats=4, partners=True)
    state, said = act(start, "d5-d4")
    assert "focus.fact.back" in [m.key for m in said]
    assert all(m[0] == "+" for m in legal(state))


def test_pieces_of_both_opponents_are_captured_by_whoever_moved() -> None:
    start = position("d6=RG d4=YBRGB a3=R", turn="G", seats=4, partners=True)
    state = after(start, "d6-d4")
    assert (reserve(state, "Y"), captured(state, "G"), captured(state, "Y")) == (1, {"B": 1}, {})


# --- fast games -----------------------------------------------------------------------------------------


def test_fast_two_players_five_captures_are_not_enough() -> None:
    start = position("d5=R d4=GGGGG a3=G", turn="R", fast=True, captured={"R": {"G": 4}})
    assert GAME.outcome(after(start, "d5-d4")) is None


def test_fast_two_players_reserves_do_not_count() -> None:
    start = position("d5=R d4=RGGGG a3=G", turn="R", fast=True, captured={"R": {"G": 5}}, reserve={"R": 6})
    assert GAME.outcome(after(start, "d5-d4")) is None


def test_fast_three_players_three_of_each() -> None:
    taken = {"R": {"G": 2, "B": 3}}
    start = position("d5=R d4=GGGGG a3=G h3=B", turn="R", seats=3, fast=True, captured=taken)
    assert result(after(start, "d5-d4")) == ("captures", (1, 2, 2))
    taken = {"R": {"G": 2, "B": 2}}
    start = position("d5=R d4=GGGGG a3=G h3=B", turn="R", seats=3, fast=True, captured=taken)
    assert GAME.outcome(after(start, "d5-d4")) is None


@pytest.mark.parametrize(("hand", "ends"), [(2, True), (1, False)])
def test_fast_three_players_ten_with_the_reserve_in_hand(hand: int, ends: bool) -> None:
    taken, held = {"R": {"G": 7}}, {"R": hand}
    start = position("d5=R d4=GGGGG a3=G h3=B", turn="R", seats=3, fast=True, captured=taken, reserve=held)
    state = after(start, "d5-d4")
    assert (GAME.outcome(state) is not None) is ends
    assert not ends or result(state)[0] == "ten"


def test_fast_played_reserves_no_longer_count() -> None:
    start = position(
        "d5=R d4=G a3=G h3=B", turn="R", seats=3, fast=True, captured={"R": {"G": 7}}, reserve={"R": 3}
    )
    assert GAME.outcome(after(start, "+d4")) is None


def test_fast_four_players_two_of_each() -> None:
    taken = {"G": {"B": 2, "Y": 2, "R": 1}}
    start = position("d5=G d4=RRRRR a3=R h3=B", turn="G", seats=4, fast=True, captured=taken)
    assert result(after(start, "d5-d4")) == ("captures", (1, 2, 2, 2))


def test_fast_four_players_ten() -> None:
    start = position(
        "d5=G d4=RRRRR a3=R h3=B", turn="G", seats=4, fast=True, captured={"G": {"R": 5}}, reserve={"G": 4}
    )
    assert result(after(start, "d5-d4")) == ("ten", (1, 2, 2, 2))


def test_a_game_that_is_not_fast_goes_on_after_any_captures() -> None:
    start = position("d5=R d4=GGGGG a3=G", turn="R", captured={"R": {"G": 9}})
    assert GAME.outcome(after(start, "d5-d4")) is None


def test_only_the_mover_is_judged() -> None:
    start = position("d5=R d4=G a3=G", turn="R", fast=True, captured={"G": {"R": 6}})
    assert GAME.outcome(after(start, "d5-d6")) is None


def test_a_fast_win_that_is_domination_as_well_is_named_after_the_captures() -> None:
    start = position("d5=R d4=GGGGG", turn="R", fast=True, captured={"R": {"G": 5}})
    assert result(after(start, "d5-d4")) == ("captures", (1, 2))


def test_a_13th_piece_that_waits_is_something_to_play() -> None:
    state = position("d5=R a3=B", turn="G", seats=3, thirteenth="G")
    assert turn(after(state, "+c8")) == "B"
    state = after(position("d5=R a3=B", turn="B", seats=3, thirteenth="G"), "a3-a4", "d5-d6")
    assert turn(state) == "G"
