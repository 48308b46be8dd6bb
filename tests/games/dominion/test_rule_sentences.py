"""Sentences of the rules that no printed example shows: each unit, land, Fate and its limits, free agents."""

from __future__ import annotations

import pytest

from games.dominion import consequences, fate, judge, turns
from games.dominion.board import CIRCLE, INDEX, NAMES
from games.dominion.position import State, owner
from games.engine.game import Seat
from tests.games.dominion.helpers import N, S, act, at, keys, lawful, position, reach, squares, step, why
from tests.rows import rows

# --- units -----------------------------------------------------------------------------------------------


def test_a_prince_goes_any_distance_in_eight_directions_and_strikes_at_the_end() -> None:
    state = position(p1="Pg7 Sg4", p0="Sg9 Se9 Gj7", free="e5")
    straight = squares("g8 g9 g6 g5 h7 i7 j7 f7 e7 d7 c7 b7 a7")
    slanted = squares("f8 e9 h8 i9 j10 k11 l12 m13 h6 i5 j4 k3 l2 m1 f6 e5") - {"m1"}
    assert reach(state, "g7") == straight | slanted, "m1 holds the own Emperor"
    assert why(state, "g7-g10") == "refuse.move why.blocked"
    assert why(state, "g7-h9") == "refuse.move why.shape.prince"
    taken = act(state, "g7-j7")
    assert (at(taken, "g7"), at(taken, "j7")) == ("", "1P")


def test_a_general_goes_along_rank_and_file() -> None:
    state = position(p1="Gg7 Sg5", p0="Sj7", free="d7 g9")
    assert reach(state, "g7") == squares("g8 g9 g6 h7 i7 j7 f7 e7 d7")
    assert why(state, "g7-h8") == "refuse.move why.shape.general"


def test_an_admiral_goes_along_the_diagonals() -> None:
    state = position(p1="Ag7 Sf6", p0="Se9", free="i9")
    assert reach(state, "g7") == squares("f8 e9 h8 i9 h6 i5 j4 k3 l2")
    assert why(state, "g7-g8") == "refuse.move why.shape.admiral"


def test_a_warrior_strikes_where_it_leaps_and_an_assassin_walks_without_leaping() -> None:
    state = position(p1="Wg7 Xc2 Sc4", p0="Sh9 Sc6")
    assert "h9" in reach(state, "g7")
    assert at(act(state, "g7-h9"), "h9") == "1W"
    assert "c6" in reach(state, "c2"), "over a friend"
    assert "c5" not in reach(state, "c2")
    assert why(state, "c2-c5") == "refuse.move why.blocked"


@pytest.mark.parametrize("letter", ["R", "S"])
def test_the_lower_ranks_strike_one_step_diagonally_only(letter: str) -> None:
    state = position(p1=f"{letter}g7", p0="Sg8 Sh8 Sf6", free="f8 h7")
    enemies = {to for to in reach(state, "g7") if at(state, to)}
    assert enemies == squares("h8 f6 f8")
    assert why(state, "g7-g8") == "refuse.move why.diagonal_only"
    assert at(act(state, "g7-f8"), "f8") == f"1{letter}"


def test_a_sergeant_doesn_t_jump() -> None:
    state = position(p1="Rg7 Gg8", free="h7")
    assert not {"g9", "i7"} & reach(state, "g7")
    assert why(state, "g7-i7") == "refuse.move why.blocked"


def test_nobody_enters_a_square_of_the_own_team_and_nobody_moves_for_another() -> None:
    state = position(p1="Eg1 Gg2 Pf1 Sh2", p0="Sg9")
    assert reach(state, "g1") == squares("h1 f2")
    for wire in ("g1-g2", "f1-g1", "h2-g2"):
        assert why(state, wire) == "refuse.move why.own"
    assert why(state, "g9-g8") == "refuse.not_yours"


def test_free_peasants_are_immobile_and_free_agents_too() -> None:
    fallen = act(position(turn=1, law=lawful(3, "east"), p1="Pg7", p0="Eg13 Sf11", p2="Sa5"), "g7-g13")
    assert at(fallen, "f11") == "p"
    west = act(fallen, "fate no")
    assert why(west, "f11-f10") == "refuse.free_peasant"
    assert {action.text[:3] for action in judge.legal(west.position, 2)} == {"a5-", "a1-"}


# --- Peasants --------------------------------------------------------------------------------------------


@rows("pair", ["Eg4 Wg6", "Xf5 Ph5", "Af4 Rh6", "Sf6 Gh4"])
def test_any_two_units_straddle_on_any_axis(pair: str) -> None:
    assert at(position(p1=pair, free="g5"), "g5") == "1p"


def test_units_of_two_teams_and_units_side_by_side_straddle_nothing() -> None:
    law = lawful(4, allied=True)
    assert at(position(turn=2, law=law, p2="Rf5", p0="Rh5", free="g5"), "g5") == "p"
    assert at(position(p1="Rf5 Rg6", free="g5"), "g5") == "p"
    assert at(position(p1="Rf5 ph5", free="g5"), "g5") == "p", "who is recruited doesn't recruit"


def test_a_contested_peasant_is_not_armed_until_it_is_won() -> None:
    assert at(position(p1="Ge2 Gi2 Sg4 Rg2", free="g3"), "g3") == "1S", "uncontested"
    contest = position(p1="Ge2 Gi2 Sg4 Rg2", p0="Sf3 Sh3", free="g3", turn=N)
    assert consequences.contested(contest.position) == [INDEX["g3"]]
    assert at(contest, "g3") == "p"
    assert at(act(contest, "h3-i3"), "g3") == "1S", "won, and armed at once"


def test_a_contest_is_told_when_it_begins_and_when_nobody_is_left() -> None:
    begun = step(position(phase="peasant", p1="Rf5 Rh5", p0="Gg4 Gg6"), "peasant g5")
    assert at(begun.state, "g5") == "p"
    assert "contested" in keys(begun.facts)
    law = lawful(3, "east")
    state = position(turn=1, law=law, p0="Eg13 Gg4 Gg6", p1="Pd13 Em1", p2="Xf5 Xh5", free="g5")
    assert consequences.contested(state.position) == [INDEX["g5"]]
    fell = step(state, "d13-g13")
    assert fell.state.position.out == (0,)
    assert at(fell.state, "g5") == "2p"
    assert at(fell.state, "g4") == ""


def test_a_peasant_won_inside_the_own_territory_is_a_soldier_at_once() -> None:
    home = position(p0="pg3", p1="Ge2 Gi2 Rf3 Rh4")
    assert at(act(home, "h4-h3"), "g3") == "1S"


def test_free_agents_can_be_killed_recruited_and_armed_again() -> None:
    law = lawful(3, "east")
    state = position(turn=1, law=law, p0="Eg13 Sg4 Sd4", p1="Pg7 Ge2 Gi2 Rf4 Rh4", p2="Ac5")
    fallen = act(act(state, "g7-g13"), "fate no")
    assert at(fallen, "g4") == "1p", "who stands between enemies is recruited at once"
    killed = act(act(fallen, "c5-d4"), "fate no")
    assert (at(killed, "d4"), killed.position.quiet) == ("2A", 0)
    assert at(act(killed, "g4-g3"), "g3") == "1S"


# --- land ------------------------------------------------------------------------------------------------


def test_an_enemy_territory_is_taken_with_two_strongholds_and_serves_the_new_master() -> None:
    state = position(p1="Ge12 Gg8", p0="Rg12 Ri12")
    assert state.position.control[0] == N
    assert act(state, "g8-g11").position.control[0] == N, "one of three is not enough"
    won = act(position(p1="Ge12 Gg8 pe10", p0="Rg12 Ri13"), "g8-g12")
    assert won.position.control[0] == S
    ours = act(act(act(won, "fate no"), "a13-a12"), "fate no")
    assert at(act(ours, "e10-e11"), "e11") == "1S"
    assert "g12" in reach(position(p1="Ge12 Gi12 Sf11"), "f11")
    assert "g12" not in reach(position(p1="Ge12 Sf11", p0="Ri12"), "f11")


def test_two_territories_at_once_and_none_without_units() -> None:
    state = position(p1="Ge2 Gg2 Al5 Xl9")
    assert state.position.control == (-1, S, S, -1)
    assert position(p1="Ge2 Gg12").position.control == (-1, -1, -1, -1)


def test_the_emperor_holds_a_stronghold_as_well_as_anybody() -> None:
    assert position(p1="Eg2 Se2").position.control[2] == S


def test_what_the_fallen_held_is_neutral() -> None:
    law = lawful(3, "east")
    state = position(turn=1, law=law, p0="Eg13 Se12 Sg12", p1="Ga13", p2="Sa5")
    assert state.position.control[0] == 0
    fallen = act(state, "a13-g13").position
    assert fallen.control[0] == -1
    assert fallen.board[INDEX["e12"]] == fallen.board[INDEX["g12"]] == 9


def test_any_eight_units_turn_a_soldier_and_seven_with_a_friend_don_t() -> None:
    ring = "Ef6 Pg6 Gh6 Af7 Wh7 Xf8 Rg8"
    assert at(act(position(p0="Sg7", p1=f"{ring} Sh9"), "h9-h8"), "g7") == "1S"
    law = lawful(4, allied=True)
    friend = position(turn=2, law=law, p1="Sg7", p2=ring, p0="Sh8")
    assert at(friend, "g7") == "1S", "of one team"
    assert friend.position.board[INDEX["g7"]] >> 4 == 2


def test_who_walks_into_a_ring_is_turned() -> None:
    state = position(turn=N, p0="Xg3", p1="Sf6 Sg6 Sh6 Sf7 Sh7 Sf8 Sg8 Rh8")
    assert "g7" not in reach(state, "g3")
    inside = position(turn=N, p0="Re5", p1="Gf6 Gg6 Sh6 Sf7 Sh7 Sf8 Sg8 Rh8")
    assert "g7" not in reach(inside, "e5")
    leapt = position(turn=N, phase="demote_upper", p0="Wg7", p1="Sf6 Sg6 Sh6 Sf7 Sh7 Sf8 Sg8 Rh8")
    assert at(act(leapt, "demote g7=R"), "g7") == "1S"


# --- Fate ------------------------------------------------------------------------------------------------


def _texts(state: State) -> set[str]:
    return {action.text for action in judge.legal(state.position, state.position.turn)}


def test_play_stops_until_fate_is_answered() -> None:
    asked = act(position(phase="fate", p1="Sg6"), "fate 5")
    assert judge.to_act(asked.position) == {S}
    assert why(asked, "g6-g7") == "refuse.due.promote_lower"
    assert why(asked, "g6-g7", N) == "refuse.turn"
    assert act(asked, "promote g6=R").position.turn == N


def test_units_in_enemy_land_are_left_alone_and_the_right_is_forfeited() -> None:
    abroad = position(phase="fate", p1="Sg11 Wf13", p0="Re12 Ri12")
    for n in (1, 5, 6):
        after = act(abroad, f"fate {n}").position
        assert (after.phase, after.turn) == ("move", N)
    lost_home = position(phase="promote_lower", p1="Sg3 Sb2", p0="Re2")
    assert _texts(lost_home) == {"promote g3=R", "promote b2=R"}, "nobody's land is neutral"
    taken_home = position(phase="promote_lower", p1="Sg3 Sb2", p0="Re2 Ri2")
    assert _texts(taken_home) == {"promote b2=R"}


def test_emperors_and_peasants_keep_their_rank_and_soldiers_can_t_sink() -> None:
    state = position(phase="promote_lower", p1="Eg1 pg6 Sg7 Wh7", p0="Sa5")
    assert _texts(state) == {"promote g7=R"}
    assert why(state, "promote g1=P") == "refuse.answer why.emperor"
    assert why(state, "promote g6=S") == "refuse.answer why.rank"
    assert why(state, "promote h7=G") == "refuse.answer why.rank"
    assert why(state, "promote a5=R") == "refuse.answer why.no_unit"
    assert why(state, "promote g7=W") == "refuse.answer why.step"
    lowest = position(phase="fate", p1="Eg1 Sg7 Sg8 pg6")
    for n in (1, 2):
        assert act(lowest, f"fate {n}").position.turn == N, "nobody can be demoted"


def test_who_is_full_is_told_so() -> None:
    state = position(phase="promote_lower", p1="Rg6 Rh6 Ri6 Sg7 We6 Wd6 Xd7")
    assert why(state, "promote g7=R") == "refuse.answer why.no_step"


def test_a_common_soldier_may_become_emperor_and_a_prince_a_common_soldier() -> None:
    state, wires = position(p1="Sg7", p0="Ga9"), ("R", "W", "G", "P")
    for n, letter in zip((5, 5, 6, 6), wires, strict=True):
        state = act(act(act(state, _quiet(state)), f"fate {n}"), f"promote {_at(state)}={letter}")
        state = act(act(state, _quiet(state)), "fate no")
    square = _at(state)
    assert at(state, square) == "1P"
    heir = position(turn=S, pending=[1], phase="succession", p1=f"P{square}", p0="Ga9")
    assert at(act(act(heir, "fate 6"), "stay"), square) == "1E"
    for n, letter in ((1, "A"), (1, "X"), (1, "R"), (2, "S")):
        state = act(act(act(state, _quiet(state)), f"fate {n}"), f"demote {square}={letter}")
        state = act(act(state, _quiet(state)), "fate no")
    assert at(state, square) == "1S"


def _at(state: State) -> str:
    """Return the square of seat 1's only unit besides the Emperor."""
    return next(NAMES[n] for n, code in enumerate(state.position.board) if owner(code) == S and code & 15 > 1)


def _quiet(state: State) -> str:
    """Return a step of the Emperor whose turn it is."""
    place = state.position
    src = next(NAMES[n] for n, code in enumerate(place.board) if code == 16 * (place.turn + 1) + 1)
    return min(action.text for action in judge.legal(place, place.turn) if action.text.startswith(f"{src}-"))


def test_new_peasants_settle_in_the_circle_only() -> None:
    crowded = "e5 g5 i5 e7 g7 i7 e9 g9 i9"
    for free in ("", crowded):
        state = position(phase="peasant", law=lawful(4), turn=2, free=free)
        assert {INDEX[text.removeprefix("peasant ")] for text in _texts(state)} <= CIRCLE
    state = position(phase="peasant", law=lawful(4), turn=2)
    assert why(state, "peasant a3") == "refuse.answer why.no_point"
    full = " ".join(NAMES[square] for square in CIRCLE)
    assert act(position(phase="fate", free=full), "fate 3").position.turn == N, "no room, nothing comes"


def test_sergeants_may_be_any_two_soldiers_and_no_fewer() -> None:
    state = act(turns.begin(lawful()), "throw 6,1")
    assert len(judge.legal(state.position, 0)) == len(judge.legal(state.position, 1)) == 21
    assert why(state, "sergeants f11 g12", 0) == "refuse.sergeants"
    assert why(state, "pass", 0) == "refuse.due.sergeants"


def test_what_chance_may_do_is_listed() -> None:
    begun = turns.begin(lawful(2)).position
    assert len(judge.legal(begun, -1)) == 30
    assert {action.text for action in judge.legal(position(phase="fate").position, -1)} == {
        "fate no",
        *(f"fate {n}" for n in range(1, 7)),
    }
    flat = lawful(sticks="sticks", succession="kind")
    heir = position(law=flat, turn=S, pending=[1], phase="succession", p1="Pg7")
    assert [action.a for action in judge.legal(heir.position, -1)] == list(fate.faces(flat))
    for place in (begun, heir.position):
        assert all(judge.refuse(place, -1, action) is None for action in judge.legal(place, -1))


# --- falls -----------------------------------------------------------------------------------------------


def test_the_victor_keeps_the_seals_and_the_fallen_court_is_gone() -> None:
    law = lawful(4)
    state = position(
        turn=2, law=law, p2="Pg7", p0="Eg13 Ga11 Ab11 Wc11 Xd11 Re11 Sf11 ph11", p1="Ea13", p3="Ea1"
    )
    fallen = act(state, "g7-g13")
    assert [at(fallen, f"{file}11") for file in "abcdefh"] == ["", "", "", "", "p", "p", "p"]
    assert fallen.position.seals == (0, 0, 1, 0)
    west = act(fallen, "fate no").position
    assert (west.turn, west.living()) == (3, (1, 2, 3))


def test_allies_outlive_each_other_and_the_heir_of_an_ally_is_his_own() -> None:
    law = lawful(4, allied=True)
    state = position(turn=1, law=law, p0="Eg13 Ra5", p1="Gg7", p2="Em7", p3="Ea1")
    fallen = act(state, "g7-g13")
    assert fallen.position.out == (0,)
    assert fallen.position.phase == "fate"
    assert at(fallen, "a5") == "p"
    done = turns.forfeit(fallen._replace(position=fallen.position._replace(phase="move")), Seat(2)).state
    assert done.position.outcome is not None
    assert done.position.outcome.ranks == (2, 1, 2, 1)
