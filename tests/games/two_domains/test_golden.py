"""The golden cases of the rules, each under its name: lines from Home to Front, mover first."""

from __future__ import annotations

import pytest

from games.two_domains import GAME
from tests.games.two_domains.helpers import after, lines, may, position, result, seat_to_act, why_not
from tests.rows import rows


def test_t1_the_start() -> None:
    assert may("22222") == ["grow 1", "grow 2", "grow 3", "grow 4", "grow 5", "gather"]
    assert why_not(position("22222", "22222"), "mobilise") == "mobilise"
    assert why_not(position("22222", "22222"), "battle") == "battle"


@pytest.mark.parametrize(("line", "grown"), [("24423", "25423"), ("15423", "16423")])
def test_t2_growth_at_the_gathering_place(line: str, grown: str) -> None:
    assert lines(line, "22222", "grow 2") == (grown, "22222")


@rows(
    "line, text, why",
    [
        ("24523", "grow 2", "city"),
        ("25423", "grow 2", "no_king"),
        ("25423", "grow 3", "city"),
        ("15423", "grow 3", "city"),
        ("16423", "grow 1", "king"),
        ("16423", "grow 2", "army"),
    ],
)
def test_t2_growth_that_is_refused(line: str, text: str, why: str) -> None:
    assert why_not(position(line, "22222"), text) == why


def test_t3_gathering() -> None:
    assert lines("22222", "22222", "gather", 6) == ("26222", "22222")


def test_t4_mobilisation() -> None:
    assert lines("26131", "22222", "mobilise") == ("11236", "22222")
    assert "mobilise" not in may("12226")


@pytest.mark.parametrize(("target", "left"), [("22226", "22222"), ("22224", "2222")])
def test_t5_battle_with_consensus(target: str, left: str) -> None:
    assert lines("12356", target, "battle") == ("12354", left)


@rows(
    "target, roll, mine, theirs",
    [
        ("22225", 3, "12333", "22223"),
        ("22225", 1, "12331", "22225"),
        ("22226", 6, "12336", "22224"),
        ("22223", 5, "12335", "2222"),
    ],
)
def test_t6_battle_with_a_roll(target: str, roll: int, mine: str, theirs: str) -> None:
    assert lines("12336", target, "battle", roll) == (mine, theirs)


@rows("line", ["15526", "11346", "12364", "22346"])
def test_t7_battle_that_is_refused(line: str) -> None:
    assert "battle" not in may(line)
    assert why_not(position(line, "22222"), "battle") == "battle"


def test_t8_the_last_die_becomes_a_king_and_the_mover_goes_on() -> None:
    state = after(position("12336", "23"), "battle", 4)
    assert state.domains == ("12334", "1")
    assert seat_to_act(state) == 0


def test_t8b_the_last_king_falls() -> None:
    state = after(position("12336", "1"), "battle", 2)
    assert result(state) == ("emptied", (1, 2))
    assert result(after(position("12336", "1", "blue"), "battle", 2)) == ("emptied", (2, 1))


def test_t8c_the_army_pledges_allegiance() -> None:
    state = after(position("12336", "1"), "battle", 1)
    assert state.domains == ("1233", "16")
    assert seat_to_act(state) == 1


def test_t8d_a_pledge_that_leaves_the_attacker_with_one_die() -> None:
    state = after(position("16", "1"), "battle", 1)
    assert state.domains == ("1", "16")
    assert seat_to_act(state) == 1


def test_t8e_consensus_does_not_matter_against_the_last_die() -> None:
    assert result(after(position("12356", "1"), "battle", 5)) == ("emptied", (1, 2))


def test_t9_civil_war_by_gathering() -> None:
    state = after(position("13266", "22222"), "gather", 1)
    assert state.domains[0] == "11266"
    assert result(state) == ("civil_war", (2, 1))


def test_t9_civil_war_by_battle() -> None:
    state = after(position("16266", "22222"), "battle", 1)
    assert state.domains == ("16261", "22222")
    assert result(state) == ("civil_war", (2, 1))


def test_t10_two_dice() -> None:
    assert lines("26", "22222", "gather", 1) == ("21", "22222")
    scene = GAME.scene(position("26", "22222"), None)
    assert [label.key for at, label in getattr(scene.board, "labels", ()) if at == "a2"] == [
        "two_domains.board.gathering",
        "two_domains.board.front",
    ]


def test_t12_three_armies_and_a_pledge_are_no_civil_war() -> None:
    state = after(position("1666", "1"), "battle", 1)
    assert state.domains == ("166", "16")
    assert seat_to_act(state) == 1
