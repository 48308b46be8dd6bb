"""Questions that the rule text leaves open: what can never happen, tried on every domain."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import pytest

from games.engine.game import CHANCE, Seat
from games.two_domains import GAME
from games.two_domains.domain import domain
from games.two_domains.rules import State
from tests.games.two_domains.helpers import after, lines, may, position, why_not


def domains(*sizes: int) -> Iterator[str]:
    """Return every domain of these sizes that can be in play."""
    for size in sizes:
        for faces in product("123456", repeat=size):
            dice = "".join(faces)
            if not domain(dice).civil_war and (size > 1 or dice == "1"):
                yield dice


def outcomes(state: State, wire: str) -> list[State]:
    """Return the possible results of an action of the first seat, with each roll that it needs."""
    begun = GAME.apply(state, Seat(0), GAME.decode(wire)).state
    return [GAME.apply(begun, CHANCE, roll).state for roll in GAME.actions(begun, CHANCE)] or [begun]


def test_never_are_both_sides_down_to_one_die() -> None:
    for mine in domains(2, 3):
        for theirs in domains(1, 2):
            if "battle" in may(mine, theirs):
                for there in outcomes(position(mine, theirs), "battle"):
                    assert max(map(len, there.domains)) > 1


@pytest.mark.slow
def test_nobody_wins_and_falls_into_civil_war_by_the_same_action() -> None:
    for mine in domains(2, 3, 4, 5):
        if "battle" in domain(mine).allowed:
            for there in outcomes(position(mine, "1"), "battle"):
                assert there.ended != "emptied" or not domain(there.domains[0]).civil_war


def test_an_own_battle_brings_civil_war_by_a_roll_of_one_only() -> None:
    for mine in domains(4, 5):
        if "battle" in domain(mine).allowed:
            fallen = [
                there.domains[0][-1] for there in outcomes(position(mine, "2222"), "battle") if there.ended
            ]
            assert fallen == (["1"] if mine.count("6") > 2 and mine.count("5") == 0 else [])


def test_dissonance_is_cured_by_growth_by_a_roll_and_by_a_loss() -> None:
    assert why_not(position("15546", "22222"), "battle") == "battle"
    assert domain(lines("15526", "22222", "grow 2")[0]).capitals == 1
    assert domain(lines("15526", "22222", "gather", 3)[0]).capitals == 1
    beaten = after(position("12336", "22255"), "battle", 2)
    assert domain(beaten.domains[1]).capitals == 1


def test_equal_neighbours_are_in_order() -> None:
    for dice in domains(2, 3, 4):
        falling = any(left > right for left, right in pairwise(dice))
        assert ("mobilise" in domain(dice).allowed) is falling


def test_a_roll_is_an_entry_between_two_positions_and_the_action_is_chosen_before() -> None:
    state = position("12336", "22225")
    begun = GAME.apply(state, Seat(0), GAME.decode("battle")).state
    assert begun.domains == state.domains
    assert GAME.to_act(begun) == {CHANCE}
    assert GAME.refuse(begun, Seat(0), GAME.decode("gather")) is not None
