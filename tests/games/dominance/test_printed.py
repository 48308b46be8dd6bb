"""The printed rules, sentence by sentence, in the order of the sheet. What a test says is in its name.

Printed sentences that mean nothing to a program are listed in docs/rules/dominance.md.
"""

from __future__ import annotations

from games.dominance import GAME
from games.dominance.board import PLANS, names_of
from games.dominance.rules import PIECES
from games.engine.game import Seat
from tests.games.dominance.helpers import (
    BOARD_KEYS,
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
from tests.rows import rows

# --- inventory, setup -----------------------------------------------------------------------------------


def test_twenty_pieces_ten_of_each_colour() -> None:
    assert PIECES == 10
    assert begin().pools == (10, 10)
    assert GAME.seats == (2,)


def test_all_pieces_begin_in_the_pools_and_the_board_is_empty() -> None:
    state = begin()
    assert (state.men, state.lost) == ((0, 0), (0, 0))


def test_the_players_are_red_and_black() -> None:
    names_of = [GAME.look(GAME.setup(2), Seat(seat)).name.key for seat in (0, 1)]
    assert names_of == ["dominance.seat.red", "dominance.seat.black"]


# --- winning --------------------------------------------------------------------------------------------


def test_dominating_nine_of_ten_wins() -> None:
    assert result(after(position("c3 f4", "d4", lost={"B": 8}), "f4-e4")) == ("nine", (1, 2))


def test_dominating_eight_of_ten_does_not() -> None:
    state = after(position("c3 f4", "d4", lost={"B": 7}), "f4-e4")
    assert GAME.outcome(state) is None
    assert (state.lost, state.pools) == ((0, 8), (8, 2))


def test_all_but_one_in_play_and_no_spawn_left_wins() -> None:
    assert result(after(position("a1 a4 g1 f5", "d1"), "f5-g4")) == ("lock", (1, 2))


def test_conceding_loses() -> None:
    assert result(GAME.forfeit(begin(), Seat(0), "resign").state) == ("resigned", (2, 1))


def test_all_four_spawns_must_be_dominated_or_controlled() -> None:
    assert GAME.outcome(after(position("a1 a4 f4 c2", "d1"), "c2-c3")) is None


def test_the_other_player_must_not_be_able_to_spawn_on_their_turn() -> None:
    state = after(position("a1 a4 g1 f4 e6", "e4"), "e6-f5")
    assert spawns(state) == ["g4"]


def test_more_than_one_piece_in_play_is_no_loss() -> None:
    assert turn(after(position("a1 a4 g1 f5", "c1 d1"), "f5-g4")) == "B"


# --- the turn -------------------------------------------------------------------------------------------


def test_red_starts() -> None:
    assert turn(begin()) == "R"


def test_one_action_a_turn_and_then_the_other_player() -> None:
    state = after(begin(), "a1")
    assert turn(state) == "B"
    state = after(state, "a4")
    assert turn(state) == "R"
    assert turn(after(state, "a1-b1")) == "B"


def test_dominance_over_an_enemy_piece_makes_the_action_an_attack() -> None:
    assert told(position("c3 f4", "d4 a1"), "f4-e4") == ["attack"]
    assert told(position("c3 f4", "d5 a1"), "f4-e4") == ["move"]


# --- spawn ----------------------------------------------------------------------------------------------


@rows("board", BOARD_KEYS)
def test_there_are_four_spawn_spaces_for_both_and_a_piece_spawned_is_in_play(board: str) -> None:
    state = begin(board)
    assert tuple(spawns(state)) == PLANS[board].spawns
    state = after(state, spawns(state)[0])
    assert (state.men[0].bit_count(), state.pools) == (1, (9, 10))
    assert spawns(state) == list(PLANS[board].spawns[1:])


def test_a_spawn_needs_a_piece_in_the_pool() -> None:
    state = position("c3 c4", "e5", lost={"R": 8})
    assert spawns(state) == []
    assert why_not(state, "+a1") == "pool"


def test_a_spawn_space_with_a_piece_is_closed() -> None:
    state = position("a1", "a4")
    assert spawns(state) == ["g1", "g4"]
    assert why_not(state, "+a1") == "own_piece"
    assert why_not(state, "+a4") == "occupied"


def test_a_space_that_is_dominated_by_the_opponent_is_no_place_to_spawn() -> None:
    assert spawns(position("d4", "a2 b2")) == ["a4", "g1", "g4"]


def test_spawning_into_ones_own_guard_is_fine() -> None:
    assert "a1" in spawns(position("a2 b2", "d4"))


def test_a_spawn_that_dominates_is_an_attack() -> None:
    state, facts = step(position("c3", "b2 g4"), "+a1")
    assert (red(state), black(state)) == ("a1 c3", "g4")
    assert facts[0].msg.key == "dominance.fact.attack"


def test_a_spawn_may_attack_side_by_side_too() -> None:
    state = after(position("b1", "b2 g4"), "+a1")
    assert (red(state), black(state)) == ("a1 b1", "g4")


# --- move -----------------------------------------------------------------------------------------------


def test_a_move_goes_one_space_in_any_direction() -> None:
    moves = [text for text in legal(position("d4", "g1")) if not text.startswith("+")]
    assert moves == ["d4-c3", "d4-c4", "d4-d3", "d4-d5", "d4-e3", "d4-e4"]
    assert why_not(position("d4", "g1"), "d4-d6") == "far"


def test_a_move_goes_to_an_unoccupied_space() -> None:
    state = position("d4 d5", "c3 g1")
    assert why_not(state, "d4-d5") == "own_piece"
    assert why_not(state, "d4-c3") == "occupied"


def test_only_pieces_in_play_and_of_ones_own_move() -> None:
    state = position("d4", "g1")
    assert why_not(state, "g1-f1") == "not_yours"
    assert why_not(state, "c3-c4") == "empty"


def test_a_dominated_space_is_closed_to_a_move() -> None:
    assert why_not(position("e4", "c3 c4"), "e4-d4") == "guarded"


def test_a_space_that_oneself_dominates_is_open() -> None:
    assert "d4-d5" in legal(position("d4 c4 c5", "g1"))


def test_a_dominated_space_is_open_to_an_attack() -> None:
    assert "e4-d4" in legal(position("e4 b2", "c3 c4"))


# --- how to gain dominance ------------------------------------------------------------------------------


@rows("pair", ["c3 e4", "c4 e3", "d3 d5"])
def test_on_opposing_sides(pair: str) -> None:
    assert "d4" in names_of(position(pair, "").guarded[0])


@rows("pair", ["c3 c4", "c4 d5", "d5 e4", "e3 e4", "d3 e3", "c3 d3"])
def test_side_by_side(pair: str) -> None:
    assert "d4" in names_of(position(pair, "").guarded[0])


@rows("pair", ["c3 d5", "c4 e4", "d5 e3", "d3 e4", "c3 e3", "c4 d3", "c3 c5", "d3 e5"])
def test_two_beside_it_or_near_it_are_not_enough(pair: str) -> None:
    assert "d4" not in names_of(position(pair, "").guarded[0])


def test_one_piece_alone_dominates_nothing() -> None:
    assert position("d4", "").guarded == (0, 0)


def test_pieces_of_two_colours_are_no_pair() -> None:
    assert position("c3", "c4").guarded == (0, 0)


def test_what_is_taken_is_out_for_good() -> None:
    state = after(position("c3 f4", "d4 a1"), "f4-e4")
    assert (state.pools, state.lost) == ((8, 8), (0, 1))


def test_after_taking_the_turn_ends() -> None:
    assert turn(after(position("c3 f4", "d4 a1"), "f4-e4")) == "B"


def test_empty_spaces_are_dominated_by_what_stands_around_them() -> None:
    state = position("c3 c4", "f1")
    assert names_of(state.guarded[0]) == ("b3", "d4")


# --- attacking into dominance ---------------------------------------------------------------------------


def test_the_attacker_removes_first_and_is_then_safe() -> None:
    start = position("e4 b2", "c3 c4")
    state = after(start, "e4-d4")
    assert (red(state), black(state)) == ("b2 d4", "c4")
    assert told(start, "e4-d4")[0] == "safe"


def test_the_attacker_removes_first_and_is_then_removed() -> None:
    start = position("d5 b2", "c3 c4 d3 e3 a4")
    state = after(start, "d5-d4")
    assert (red(state), black(state), state.lost) == ("b2", "a4 c4 d3 e3", (1, 1))
    assert told(start, "d5-d4")[0] == "fallen"


def test_a_spawn_into_dominance_may_be_a_trade() -> None:
    state = after(position("c3", "a2 b1 b2 g4"), "+a1")
    assert (red(state), black(state), state.lost) == ("a1 c3", "a2 b1 g4", (0, 1))
    state = after(position("a3", "a2 b1 b2 g4"), "+a1")
    assert (red(state), black(state), state.lost) == ("a3", "b1 b2 g4", (1, 1))


def test_without_an_attack_a_dominated_space_stays_closed() -> None:
    assert why_not(position("d5 a4", "c3 c4 d3 e3"), "d5-d4") == "guarded"


def test_all_that_is_dominated_leaves_at_once_before_the_attacker_is_judged() -> None:
    state = after(position("c3 c5 f4", "d4 d5 a1"), "f4-e4")
    assert (red(state), black(state), state.lost) == ("c3 c5 e4", "a1", (0, 2))


def test_what_is_taken_no_longer_guards() -> None:
    start = position("f4 c3", "d4 e3 g4")
    assert "e4" in names_of(start.guarded[1])
    state = after(start, "f4-e4")
    assert (red(state), state.lost) == ("c3 e4", (0, 1))


def test_a_piece_that_stepped_away_is_no_part_of_a_pair() -> None:
    start = position("c3", "d4 a1")
    assert "c3-c4" in legal(start)
    assert black(after(start, "c3-c4")) == "a1 d4"


def test_stepping_away_takes_nothing_and_frees_what_was_guarded() -> None:
    state = after(position("c3 c4", "f1"), "c4-d5")
    assert state.guarded[0] == 0
    assert state.lost == (0, 0)


def test_nothing_forces_an_attack() -> None:
    assert len(legal(position("c3 f4", "d4 a1"))) > 1
    assert turn(after(position("c3 f4", "d4 a1"), "c3-c4")) == "B"


def test_at_the_end_of_a_turn_no_piece_stands_dominated() -> None:
    for start in (position("d5 b2", "c3 c4 d3 e3 a4"), position("c3 f4", "d4 a1")):
        for text in legal(start):
            state = after(start, text)
            assert not state.men[0] & state.guarded[1]
            assert not state.men[1] & state.guarded[0]


def test_whoever_lost_nine_can_dominate_nothing_so_that_two_never_lose_nine_at_once() -> None:
    state = after(position("d5 b2", "c3 c4 d3 e3", lost={"R": 8, "B": 6}), "d5-d4")
    assert state.lost == (9, 7)
    state = after(position("e4 b2", "c3 c4", lost={"R": 8, "B": 8}), "e4-d4")
    assert (state.lost, result(state)) == ((8, 9), ("nine", (1, 2)))
