"""The examples of the specification, under its names, and the sentences around them."""

from __future__ import annotations

from games.dominion import consequences, fate, judge, turns
from games.dominion.board import INDEX, NAMES
from games.dominion.position import PEASANT, Position, State, owner
from tests.games.dominion.helpers import (
    N,
    S,
    act,
    at,
    keys,
    lawful,
    position,
    reach,
    ready,
    squares,
    step,
    why,
)
from tests.rows import rows


def _first_moves(state: State, seat: int) -> list[str]:
    place = state.position._replace(turn=seat, phase="move")
    return [action.text for action in judge.legal(place, seat)]


@rows("seats, peasants", [(2, 9), (3, 15), (4, 21)])
def test_1_start(seats: int, peasants: int) -> None:
    law = lawful(seats)
    state = turns.begin(law)
    place = state.position
    assert place.board.count(PEASANT) == peasants
    for seat, side in enumerate(law.sides):
        assert sum(owner(code) == seat for code in place.board if code) == 11
        assert place.control[side] == seat
        assert len(_first_moves(state, seat)) == 23
        assert len(_first_moves(ready(law), seat)) == 35
    after = ready(law).position
    board = after.board
    for seat in range(seats):
        taken = [text for text in _first_moves(ready(law), seat) if board[INDEX[text.split("-")[1]]]]
        assert all(owner(board[INDEX[text.split("-")[1]]]) == seat for text in taken), "swaps only"
    for square, code in enumerate(board):
        if owner(code) >= 0:
            assert not judge.threats(after, owner(code), square), NAMES[square]


def test_2_sergeant_and_swap() -> None:
    state = position(p1="Rg7 Sg8", free="i7")
    assert reach(state, "g7") == squares("e7 f6 f7 f8 g5 g6 g8 h6 h7 h8")
    assert why(state, "g7-g9") == "refuse.move why.blocked"
    assert why(state, "g7-i7") == "refuse.move why.diagonal_only"
    assert "i7" in reach(position(p1="Rg7 Sg8"), "g7")
    swapped = act(state, "g7-g8")
    assert (at(swapped, "g7"), at(swapped, "g8")) == ("1S", "1R")


def test_a_sergeant_swaps_two_squares_away_and_diagonally_but_not_with_others() -> None:
    state = position(p1="Rg7 Sg9 Sh8 Gf6")
    assert {"g9", "h8"} <= reach(state, "g7")
    assert "f6" not in reach(state, "g7")
    assert why(state, "g7-f6") == "refuse.move why.own"
    allied = position(turn=2, law=lawful(4, allied=True), p2="Rg7", p0="Sg8")
    assert why(allied, "g7-g8") == "refuse.move why.ally"


def test_3_assassin() -> None:
    state = position(p1="Xg2", p0="Sg5 Eg9", free="g11")
    rank = {f"{file}2" for file in "abcdefhijklm"}
    assert reach(state, "g2") == rank | {"g1", "g3", "g4", "g9"}
    assert why(state, "g2-g5") == "refuse.move why.screen"
    assert why(state, "g2-g11") == "refuse.move why.screen"


def test_4_assassin_over_a_peasant() -> None:
    assert "g9" in reach(position(p1="Xg2", p0="Eg9", free="g5"), "g2")


def test_5_warrior() -> None:
    state = position(p1="Wg7 Sf6 Sf7 Sf8 Sg6 Sg8 Sh6 Sh7 Sh8")
    assert reach(state, "g7") == squares("e6 e8 f5 f9 h5 h9 i6 i8")


def test_6_soldier_and_lines() -> None:
    state = position(p1="Sf3 Sg2 Si2 Se3")
    assert reach(state, "f3") == squares("e2 f2 f4 g3")
    assert reach(position(p1="Sf3 Gg2 Gi2"), "f3") == squares("e2 e3 f2 f4 g3")
    without = position(p1="Sf3 Gg2")
    assert reach(without, "f3") == squares("e3 f2 f4 g3")
    assert why(without, "f3-e2") == "refuse.move why.line_not_yours"
    assert reach(position(p1="Se3 Gg2 Gi2"), "e3") == squares("d3 e2 e4 f3")
    assert why(state, "e3-d2") == "refuse.move why.no_line"


def test_7_recruit() -> None:
    state = position(p1="Sd5 Sf5", free="e5")
    assert at(state, "e5") == "1p"
    after = act(state, "d5-c5")
    assert at(after, "e5") == "1p"
    assert reach(after, "e5") == {"d5", "e4", "e6"}
    came = step(position(p1="Sd5 Sg5", free="e5"), "g5-f5")
    assert at(came.state, "e5") == "1p"
    assert keys(came.facts) == ["move", "recruited"]


def test_8_contest() -> None:
    state = position(turn=N, p1="Gf4 Gh6", p0="Sg4 Sg6", free="g5")
    assert at(state, "g5") == "p"
    assert consequences.contested(state.position) == [INDEX["g5"]]
    assert at(act(state, "g6-g7"), "g5") == "1p"


def test_a_contest_makes_a_recruited_peasant_ownerless_until_one_straddler_is_left() -> None:
    both = position(turn=N, p1="Gf5 Gh5 pg5", p0="Sg4 Rg8")
    came = step(both, "g8-g6")
    assert at(came.state, "g5") == "p"
    assert keys(came.facts) == ["move", "contested"]
    left = act(act(came.state, "fate no"), "f5-e5")
    assert at(left, "g5") == "0p", "one straddler is left and gets it"
    free = position(turn=S, p1="Gf5 Gh5", p0="Sg4 Sg6", free="g5")
    assert at(free, "g5") == "p"


def test_enemies_re_recruit_a_recruited_peasant() -> None:
    assert at(act(position(p0="pg5", p1="Rf5 Ri5"), "i5-h5"), "g5") == "1p"


def test_straddling_on_rank_and_file_only_if_so_chosen() -> None:
    assert at(position(p1="Rf4 Rh6", free="g5"), "g5") == "1p"
    assert at(position(law=lawful(straddle="orth"), p1="Rf4 Rh6", free="g5"), "g5") == "p"


def test_9_arming() -> None:
    state = act(position(p1="Ge2 Gg2 ph4"), "h4-h3")
    assert at(state, "h3") == "1S"
    assert at(act(position(p1="Gg2 ph4"), "h4-h3"), "h3") == "1p"


def test_peasants_inside_are_armed_when_control_arrives() -> None:
    came = step(position(p1="Ge2 Gg4 ph3"), "g4-g2")
    assert at(came.state, "h3") == "1S"
    assert keys(came.facts) == ["move", "control", "armed"]


def test_control_slips_with_the_second_stronghold() -> None:
    state = position(p1="Ge2 Gg2", p0="Rl5 Sl7")
    assert state.position.control == (-1, 0, 1, -1)
    left = step(state, "g2-g3")
    assert left.state.position.control == (-1, 0, -1, -1)
    assert keys(left.facts) == ["move", "neutral"]
    assert position(p1="Ge2 pg2").position.control[2] == -1, "Peasants hold nothing"


RING = "Sf6 Sg6 Sh6 Sf7 Sh7 Sf8 Sg8"


def test_10_surround() -> None:
    state = position(p0="Rg7", p1=f"{RING} Sh9")
    assert at(state, "g7") == "0R"
    came = step(state, "h9-h8")
    assert at(came.state, "g7") == "1S"
    assert keys(came.facts) == ["move", "turned"]
    assert at(act(position(p0="Gg7", p1=f"{RING} Sh9"), "h9-h8"), "g7") == "0G"


def test_a_ringed_warrior_that_is_demoted_is_turned_but_nothing_at_the_edge() -> None:
    state = position(turn=N, phase="demote_upper", p0="Wg7", p1="Gf6 Gg6 Ah6 Af7 Xh7 Xf8 Wg8 Wh8")
    assert at(state, "g7") == "0W"
    assert at(act(state, "demote g7=R"), "g7") == "1S"
    mixed = position(p0="Sg7", p1=f"{RING} ph8")
    assert at(mixed, "g7") == "0S", "a Recruited Peasant is no army unit"
    edge = position(p0="Sa7", p1="Ga6 Gb6 Ab7 Xb8 Sa9")
    assert at(act(edge, "a9-a8"), "a7") == "0S"


def test_11_an_emperor_falls() -> None:
    state = position(p1="Pg7", p0="Eg13 Re12 Sf11 Xh12 pd9")
    fell = step(state, "g7-g13")
    place = fell.state.position
    assert [at(fell.state, square) for square in ("h12", "e12", "f11", "d9")] == ["", "p", "p", "p"]
    assert place.phase == "over"
    assert place.seals == (0, 1)
    assert place.outcome is not None
    assert place.outcome.ranks == (2, 1)
    assert keys(fell.facts)[:3] == ["kill", "fell", "out"]


THREE = lawful(3, "east")
"""Seats: 0 north, 1 south, 2 west."""


def _pending() -> State:
    state = position(turn=1, law=THREE, p0="Eg13 Pe12 Sf11", p1="Gg7", p2="Ge7")
    return act(act(state, "g7-g13"), "fate no")


def test_12_a_pending_heir_is_taken() -> None:
    state = _pending()
    assert state.position.pending == {0}
    assert state.position.turn == 2
    fell = act(state, "e7-e12")
    assert fell.position.out == (0,)
    assert at(fell, "f11") == "p"
    assert fell.position.phase == "fate"
    assert act(fell, "fate no").position.turn == 1


def test_the_heir_needs_fate_and_a_six() -> None:
    due = act(act(_pending(), "e7-e8"), "fate no")
    assert due.position.phase == "succession"
    for failed in ("fate no", "fate 5"):
        lost = act(due, failed)
        assert lost.position.out == (0,)
        assert lost.position.turn == 1
    heir = act(due, "fate 6")
    assert why(heir, "f11-f10") == "refuse.heir_only"
    for wire, square in (("stay", "e12"), ("e12-e8", "e8")):
        crowned = act(heir, wire)
        assert at(crowned, square) == "0E"
        assert not crowned.position.pending
        assert (crowned.position.phase, crowned.position.turn) == ("move", 1), "no throw at the end"


def test_a_kind_or_a_sure_succession() -> None:
    kind = position(turn=0, law=lawful(succession="kind"), pending=[0], phase="succession", p0="Pg9")
    assert why(kind, "fate no") == "refuse.chance"
    assert act(kind, "fate 5").position.phase == "heir"
    assert act(kind, "fate 4").position.phase == "over"
    sure = position(turn=1, law=lawful(succession="sure"), p1="Gg7", p0="Eg13 Pe12")
    assert act(act(sure, "g7-g13"), "fate no").position.phase == "heir"


FULL = "Pg2 Gg1 Gh1 Ah2 Ai1 Wf4 Wg4 Xh4 Xi4 Rd4 Re4 Rj4 Se2 Si2"


def _answers(place: Position) -> set[str]:
    return {action.text for action in judge.legal(place, place.turn)}


def test_13_limits() -> None:
    state = position(phase="fate", p1=FULL)
    assert act(act(state, "fate 1"), "demote f4=S").position.turn == N
    assert why(act(state, "fate 1"), "demote f4=R") == "refuse.answer why.step"
    for idle, said in (("fate 6", "sticks_idle"), ("fate 5", "sticks_idle"), ("fate 4", "sticks")):
        after = step(state, idle)
        assert after.state.position.turn == N
        assert keys(after.facts) == [said]
    assert _answers(act(state, "fate 2").position) == {f"demote {square}=S" for square in ("d4", "e4", "j4")}


def test_a_demotion_goes_to_the_next_step_with_room() -> None:
    state = position(phase="demote_upper", p1="Pg7 Gg6 Gh1 Ah2")
    assert {text for text in _answers(state.position) if "g7" in text} == {"demote g7=A"}
    filled = position(phase="demote_upper", p1="Pg7 Gg6 Gh6 Ah2 Ai1")
    assert {t for t in _answers(filled.position) if "g7" in t} == {"demote g7=W", "demote g7=X"}


def test_promotions_go_one_step_and_a_second_prince_is_none() -> None:
    lower = position(phase="promote_lower", p1="Sg6 Rh6")
    assert _answers(lower.position) == {"promote g6=R", "promote h6=W", "promote h6=X"}
    upper = position(phase="promote_upper", p1="Gg6 Wh6")
    assert _answers(upper.position) == {"promote g6=P", "promote h6=G", "promote h6=A"}
    assert _answers(position(phase="promote_upper", p1="Pa5 Gg6 Wh6").position) == {
        "promote h6=G",
        "promote h6=A",
    }
    assert why(upper, "promote g6=A") == "refuse.answer why.step"


def test_14_location() -> None:
    state = position(phase="demote_upper", law=lawful(4), turn=2, p2="Gg8 Wl7", p1="Rl5 Rl9")
    assert _answers(state.position) == {"demote g8=W", "demote g8=X"}
    assert why(state, "demote l7=R") == "refuse.answer why.abroad"
    ally = position(phase="demote_upper", law=lawful(4, allied=True), turn=2, p2="Wg11", p0="Re12 Ri12")
    assert _answers(ally.position) == {"demote g11=R"}


def test_a_new_peasant_comes_to_a_free_point_and_is_recruited_at_once() -> None:
    state = position(phase="peasant", p1="Sf5 Sh5")
    assert len(_answers(state.position)) == 9
    assert fate.safe_choice(state.position, S).text == "peasant g5"
    assert at(act(state, "peasant g5"), "g5") == "1p"
    assert why(state, "peasant g6") == "refuse.answer why.no_point"
    crowded = position(phase="peasant", free="e5 g5 i5 e7 g7 i7 e9 g9 i9")
    assert len(_answers(crowded.position)) == 37 - 9


def test_the_silent_demote_an_admiral_before_an_assassin_but_not_by_version_1() -> None:
    for rules, wire in ((1, "demote g6=R"), (2, "demote h6=W")):
        state = position(phase="demote_upper", p1="Xg6 Ah6", law=lawful(rules=rules))
        assert fate.safe_choice(state.position, S).text == wire
    promoted = position(phase="promote_upper", p1="Xg6 Ah6")
    assert fate.safe_choice(promoted.position, S).text == "promote h6=P"


def test_the_silent_promote_the_most_advanced_and_demote_the_least() -> None:
    for phase, wire in (("promote_upper", "promote g6=P"), ("demote_upper", "demote h6=R")):
        assert fate.safe_choice(position(phase=phase, p1="Gg6 Wh6").position, S).text == wire


def test_a_recruited_peasant_is_unarmed_and_stands_in_the_way() -> None:
    state = position(p1="pg7 Gg4 Gd7", p0="Sg8 Sh8")
    assert reach(state, "g7") == squares("f7 h7 g6")
    assert why(state, "g7-g8") == "refuse.move why.peasant_unarmed"
    assert why(state, "g4-g7") == "refuse.move why.own"
    assert why(state, "g4-g8") == "refuse.move why.blocked"


def test_peasants_may_be_killed_free_and_recruited_alike() -> None:
    state = position(p1="Gg4", p0="pd4", free="g9")
    for wire, said in (("g4-g9", "kill_free"), ("g4-d4", "kill")):
        done = step(state, wire)
        assert keys(done.facts) == [said]
        assert done.state.position.stirred


def test_a_contest_ends_with_the_peasant() -> None:
    state = position(p1="Gf5 Gh5 Ad2", p0="Sg4 Sg6", free="g5")
    assert consequences.contested(state.position) == [INDEX["g5"]]
    assert consequences.contested(act(state, "d2-g5").position) == []


def test_an_emperor_moves_one_square_and_strikes_and_the_princes_loss_alone_ends_nothing() -> None:
    state = position(p1="Eg7", p0="Ph8 Sf7")
    assert reach(state, "g7") == squares("f6 f7 f8 g6 g8 h6 h7 h8")
    struck = act(state, "g7-h8").position
    assert (struck.phase, struck.out) == ("fate", ())
    assert why(state, "g7-g9") == "refuse.move why.shape.emperor"


def test_who_was_turned_serves_at_once() -> None:
    state = position(p0="Rg7", p1="Sf6 Sg6 Sh6 Sf7 Sh7 Sf8 Sg8 Sh9")
    turned = act(act(act(act(state, "h9-h8"), "fate no"), "a13-a12"), "fate no")
    opened = act(act(act(act(turned, "g8-g9"), "fate no"), "a12-a13"), "fate no")
    assert reach(opened, "g7") == {"g8"}


def test_the_allies_who_straddle_are_asked_clockwise() -> None:
    law = lawful(4, allied=True)
    state = position(turn=1, law=law, p2="Rf4 Rh4", p0="Gg3 Gg5", free="g4")
    assert at(state, "g4") == "2p", "south comes first after east"
    foes = position(turn=1, law=law, p2="Rf4 Rh4", p1="Gg3 Gg5", free="g4")
    assert at(foes, "g4") == "p"
