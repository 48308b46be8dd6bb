"""The author's text, sentence by sentence, in its order. What a test says is in its name.

What has no test here is named in docs/rules/two-domains.md as not applicable.
"""

from __future__ import annotations

from itertools import product

import pytest

from games.engine.dice import Dice
from games.engine.game import CHANCE, Seat
from games.two_domains import GAME
from games.two_domains.actions import FIRST, ROLLS
from games.two_domains.domain import domain
from games.two_domains.facts import FACE_KEYS
from tests.games.two_domains.helpers import (
    act,
    after,
    begin,
    legal,
    lines,
    may,
    position,
    result,
    seat_to_act,
    why_not,
)
from tests.rows import rows

# --- setup ----------------------------------------------------------------------------------------------


def test_ten_dice_and_every_domain_begins_as_five_villages() -> None:
    assert begin().domains == ("22222", "22222")


def test_the_faces_are_king_village_town_city_capital_army() -> None:
    assert list(FACE_KEYS.items()) == [
        ("1", "king"), ("2", "village"), ("3", "town"), ("4", "city"), ("5", "capital"), ("6", "army"),
    ]  # fmt: skip


def test_home_gathering_place_and_front_are_the_first_the_second_and_the_last() -> None:
    board = GAME.scene(begin(), None).board
    labels = [(at, label.key.rpartition(".")[2]) for at, label in getattr(board, "labels", ())]
    assert labels == [
        ("a1", "home"), ("a2", "gathering"), ("a5", "front"),
        ("b1", "home"), ("b2", "gathering"), ("b5", "front"),
    ]  # fmt: skip


# --- actions --------------------------------------------------------------------------------------------


def test_who_goes_first_is_decided_after_the_setup_by_chance() -> None:
    state = GAME.start(GAME.setup(2)).state
    assert GAME.to_act(state) == {CHANCE}
    drawn = {GAME.draw(state, Dice(b"secret", "T-1", seq, "salt")) for seq in range(40)}
    assert drawn == set(FIRST) == set(GAME.actions(state, CHANCE))
    for first in FIRST:
        step = GAME.apply(state, CHANCE, first)
        assert GAME.to_act(step.state) == {first.n}
        assert step.facts[0].msg.key == "two_domains.fact.first"


def test_players_alternate() -> None:
    state, seats = begin(1), []
    for _ in range(5):
        seats.append(seat_to_act(state))
        state = after(state, legal(state)[0])
    assert seats == [1, 0, 1, 0, 1]


def test_in_each_turn_exactly_one_action_must_be_chosen() -> None:
    state = after(begin(), "grow 1")
    assert state.completed == 1
    assert seat_to_act(state) == 1
    assert why_not(begin(), "grow 1 gather") == "mismatch"
    assert why_not(begin(), "gather, battle") == "single"


def test_only_battle_touches_the_other_domain() -> None:
    for mine in ("14526", "25431", "12346"):
        state = position(mine, "22222")
        for text in legal(state):
            if text != "battle":
                assert after(state, text, 3 if text == "gather" else None).domains[1] == "22222"


# --- growth ---------------------------------------------------------------------------------------------


@rows(
    "line, grown",
    [("22222", "22322"), ("22322", "22422"), ("22422", "22522"), ("12522", "12622")],
)
def test_growth_adds_one_village_town_city_capital_army(line: str, grown: str) -> None:
    assert lines(line, "22222", "grow 3")[0] == grown


def test_one_die_only_grows() -> None:
    assert lines("33333", "22222", "grow 4")[0] == "33343"


def test_growth_is_there_when_a_die_can_grow() -> None:
    assert [text for text in may("61111") if text.startswith("grow")] == []
    assert [text for text in may("61211") if text.startswith("grow")] == ["grow 3"]
    assert why_not(position("61111", "22222"), "grow") == "nothing"


@rows("line", ["14522", "14552", "24255"])
def test_a_city_becomes_no_capital_while_there_are_capitals(line: str) -> None:
    assert "grow 2" not in may(line)
    assert why_not(position(line, "22222"), "grow 2") == "city"


@rows("line, why", [("22522", "no_king"), ("11522", "kings"), ("11512", "kings"), ("12522", None)])
def test_a_capital_becomes_an_army_with_exactly_one_king_only(line: str, why: str | None) -> None:
    state = position(line, "22222")
    if why is None:
        assert "grow 3" in legal(state)
    else:
        assert why_not(state, "grow 3") == why


def test_with_dissonance_and_one_king_each_capital_may_still_become_an_army() -> None:
    assert {"grow 3", "grow 4"} <= set(may("12552"))


def test_kings_and_armies_never_grow() -> None:
    assert why_not(position("12226", "22222"), "grow 1") == "king"
    assert why_not(position("12226", "22222"), "grow 5") == "army"


# --- gathering ------------------------------------------------------------------------------------------


@rows("roll", range(1, 7))
def test_gathering_rolls_the_die_at_the_gathering_place(roll: int) -> None:
    assert lines("23456", "22222", "gather", roll)[0] == f"2{roll}456"


def test_gathering_may_crown_or_overthrow_a_king_or_found_a_second_capital() -> None:
    assert lines("22222", "22222", "gather", 1)[0] == "21222"
    assert lines("21222", "22222", "gather", 4)[0] == "24222"
    assert lines("52222", "22222", "gather", 5)[0] == "55222"


def test_gathering_can_be_the_only_choice() -> None:
    assert may("11116") == ["gather"]
    assert may("116") == ["gather"]


def test_gathering_is_there_with_two_dice_or_more() -> None:
    for size in range(2, 6):
        assert "gather" in may("2" * size)
    assert domain("1").actions == ()


def test_a_roll_is_one_of_six_equal_faces_from_the_verifiable_dice() -> None:
    begun = GAME.apply(begin(), Seat(0), GAME.decode("gather")).state
    drawn = [GAME.draw(begun, Dice(b"secret", "T-1", seq, "salt")) for seq in range(600)]
    assert set(drawn) == set(ROLLS) == set(GAME.actions(begun, CHANCE))
    assert all(60 < drawn.count(roll) < 140 for roll in ROLLS)


# --- mobilisation ---------------------------------------------------------------------------------------


def test_mobilisation_is_there_when_the_dice_are_unsorted() -> None:
    for faces in product("126", repeat=3):
        line = "".join(faces)
        assert ("mobilise" in may(line)) is (list(faces) != sorted(faces))
    assert why_not(position("12226", "22222"), "mobilise") == "mobilise"


@rows(
    "line, then",
    [
        ("26321", "12236"),  # one king stands at Home, an army at the Front
        ("26113", "11236"),  # of two kings the second stands at the Gathering Place
        ("36612", "12366"),
        ("25312", "12235"),  # without an army the capital stands at the Front
    ],
)
def test_mobilisation_sorts_from_home_to_front(line: str, then: str) -> None:
    assert lines(line, "22222", "mobilise")[0] == then


# --- battle ---------------------------------------------------------------------------------------------


@rows(
    "line, missing",
    [
        ("12364", ["army"]),
        ("22346", ["no_king"]),
        ("11346", ["kings"]),
        ("15526", ["capitals"]),
        ("55322", ["army", "no_king", "capitals"]),
        ("11552", ["army", "kings", "capitals"]),
    ],
)
def test_battle_needs_an_army_at_the_front_one_king_and_no_dissonance(line: str, missing: list[str]) -> None:
    why = GAME.refuse(position(line, "22222"), Seat(0), GAME.decode("battle"))
    assert why is not None
    (name, said), *rest = why.values
    assert (name, rest) == ("missing", [])
    assert isinstance(said, tuple)
    assert [getattr(each, "key", "") for each in said] == [f"two_domains.missing.{m}" for m in missing]


@rows("target", "12345")
def test_with_consensus_any_target_but_an_army_is_removed_without_a_roll(target: str) -> None:
    assert lines("12356", f"22{target}", "battle") == ("12354", "22")


def test_with_consensus_an_army_becomes_a_village_and_the_own_army_a_city() -> None:
    assert lines("12356", "2226", "battle") == ("12354", "2222")


@rows("roll", range(2, 7))
@rows("target, left", [("6", "4"), ("5", "3"), ("4", "2"), ("3", ""), ("2", ""), ("1", "")])
def test_without_consensus_a_roll_damages_the_target_and_is_kept(target: str, left: str, roll: int) -> None:
    assert lines("12336", f"22{target}", "battle", roll) == (f"1233{roll}", f"22{left}")


@rows("target", "123456")
def test_the_lost_symbol_is_the_king_on_which_the_target_is_unharmed_and_the_roll_kept(target: str) -> None:
    assert lines("12336", f"22{target}", "battle", 1) == ("12331", f"22{target}")


def test_a_roll_of_five_without_consensus_founds_a_capital() -> None:
    assert domain(lines("12336", "222", "battle", 5)[0]).capitals == 1


@pytest.mark.parametrize("mine", ["12336", "12356"])
def test_the_last_king_is_always_fought_with_a_roll(mine: str) -> None:
    for roll in range(2, 7):
        state = after(position(mine, "1"), "battle", roll)
        assert state.domains == (f"{mine[:-1]}{roll}", "")
        assert result(state) == ("emptied", (1, 2))
    state = after(position(mine, "1"), "battle", 1)
    assert state.domains == (mine[:-1], "16")


@rows("line", ["15526", "11346", "12364", "22346"])
def test_the_conditions_hold_against_the_last_king_too(line: str) -> None:
    assert "battle" not in may(line, "1")


# --- small domains --------------------------------------------------------------------------------------


def test_the_front_moves_towards_home_with_every_lost_die() -> None:
    state = position("12356", "22326")
    state = after(state, "battle")
    assert state.domains == ("12354", "22322")
    state = after(position("12356", "2232"), "battle")
    assert state.domains[1] == "223"
    assert "a4" not in [at for at, _ in getattr(GAME.scene(state, None).board, "labels", ()) if at[0] == "b"]


def test_with_two_dice_gathering_place_and_front_are_one() -> None:
    assert lines("12", "22222", "gather", 6)[0] == "16"
    assert "battle" in may("16")


def test_with_one_die_home_and_front_are_one_and_there_is_no_gathering_place() -> None:
    labels = getattr(GAME.scene(position("16", "1"), None).board, "labels", ())
    assert [(at, label.key.rpartition(".")[2]) for at, label in labels if at[0] == "b"] == [
        ("b1", "home"),
        ("b1", "front"),
    ]


# --- winning and scenarios ------------------------------------------------------------------------------


def test_an_empty_domain_has_lost() -> None:
    assert result(after(position("16", "1"), "battle", 6)) == ("emptied", (1, 2))


@rows("line, roll", [("1266", 1), ("14666", 1), ("12116", 6), ("1216", 6)])
def test_civil_war_in_a_domain_loses_at_once(line: str, roll: int) -> None:
    state = after(position(line, "22222"), "gather", roll)
    assert domain(state.domains[0]).civil_war
    assert result(state) == ("civil_war", (2, 1))


def test_civil_war_needs_two_kings_and_two_armies() -> None:
    assert domain("1166").civil_war
    assert domain("11166").civil_war
    assert not domain("1126").civil_war
    assert not domain("1266").civil_war


@rows(
    "line, names",
    [
        ("22222", []),
        ("12222", ["authority"]),
        ("11222", ["turmoil"]),
        ("12226", ["authority", "vigilance"]),
        ("12562", ["authority", "consensus"]),
        ("25552", ["dissonance"]),
        ("15556", ["authority", "vigilance", "dissonance"]),
        ("11566", ["turmoil", "vigilance", "consensus", "civil_war"]),
        ("1", ["authority", "endurance"]),
    ],
)
def test_seven_scenarios_several_at_once(line: str, names: list[str]) -> None:
    assert list(domain(line).scenarios) == names


@rows("face", "23456")
def test_the_last_die_becomes_a_king_if_it_was_none(face: str) -> None:
    state, said = act(position("12336", f"{face}2"), "battle", 4)
    assert state.domains == ("12334", "1")
    assert [each.key for each in said[-2:]] == ["two_domains.fact.endurance", "two_domains.fact.skip"]


def test_a_king_may_be_removed_too() -> None:
    assert lines("12336", "2221", "battle", 4) == ("12334", "222")


def test_with_one_die_no_action_can_be_chosen_and_the_turn_is_skipped_every_time() -> None:
    state = position("22334", "1")
    for text in ("grow 1", "grow 1", "grow 2"):
        state, said = act(state, text)
        assert seat_to_act(state) == 0
        assert said[-1].key == "two_domains.fact.skip"
        why = GAME.refuse(state, Seat(1), GAME.decode("gather"))
        assert why is not None
        assert why.key == "two_domains.refuse.endurance"
    assert state.completed == 3


def test_after_a_pledge_the_former_victim_may_battle_at_once() -> None:
    state = after(position("16", "1"), "battle", 1)
    assert legal(state) == ["gather", "battle"]
    assert result(after(state, "battle", 3)) == ("emptied", (2, 1))


def test_both_domains_can_fight_back_and_forth_with_one_army() -> None:
    state = after(position("16", "1"), "battle", 1)
    state = after(state, "battle", 1)
    assert state.domains == ("16", "1")
    assert seat_to_act(state) == 0
