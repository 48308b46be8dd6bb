"""Computers get on with a match: they don't go back and forth, and whoever is ahead goes for the Emperor."""

from __future__ import annotations

from typing import Any

import pytest

from games.ai.players import SearchingPlayer
from games.dominion import GAME
from games.dominion.position import TRAIL, State
from games.dominion.search.state import DominionSearch
from games.dominion.search.weights import RETURN
from games.engine.dice import Dice
from games.engine.game import CHANCE, Seat
from games.engine.levels import Budget, Level
from tests.games.dominion.helpers import act, position

_BUDGET = Budget("alpha-beta", 200)
PLAYER = SearchingPlayer(Level(_BUDGET, _BUDGET, 60.0))
SIEGE: dict[str, Any] = {"p0": "Pf2 Se12 Ei12", "p1": "Eh3 pd5", "free": "e9 g9", "round": 101, "quiet": 26}
"""A few pieces far from each other, where a search of these few moves sees nothing to do."""
FRONT: dict[str, Any] = {"p0": "Gd3 Se4 Sj6 Ed13", "p1": "Ec2 Sh5 pi7 Sl7 Gl9", "round": 111, "quiet": 9}


def searched(state: State) -> DominionSearch:
    seat = Seat(state.position.turn)
    found = GAME.search_state(GAME.view(state, seat), seat, Dice(b"", "", 0, ""))
    assert found is not None
    return found


def played_on(state: State, limit: int) -> tuple[int, int]:
    """Return how many moves a search makes for all seats, and how many go straight back."""
    moves = back = seq = 0
    last: dict[int, tuple[int, int]] = {}
    while GAME.outcome(state) is None and moves < limit:
        (seat,) = GAME.to_act(state)
        dice, seq = Dice(b"progress", "", seq, str(seat)), seq + 1
        if seat == CHANCE:
            action = GAME.draw(state, dice)
        else:
            action = PLAYER.choose(GAME, GAME.view(state, seat), seat, dice)
            moves += action.kind == "move"
            back += last.get(seat) == (action.b, action.a)
            last[seat] = (action.a, action.b)
        state = GAME.apply(state, seat, action).state
    return moves, back


@pytest.mark.slow
@pytest.mark.parametrize("pieces", [SIEGE, FRONT], ids=["siege", "front"])
def test_hardly_any_move_goes_straight_back(pieces: dict[str, Any]) -> None:
    moves, back = played_on(position(**pieces), 40)
    assert back <= 0.05 * moves


def moved(state: State, *moves: str) -> State:
    """Let the seats move in turn; Fate does nothing."""
    for move in moves:
        state = act(act(state, move), "fate no")
    return state


def returns(state: State) -> set[str]:
    search = searched(state)
    search.press()
    return {search.action(move).text for move in search._returns}


def test_a_move_costs_that_leads_back_to_where_its_side_has_been() -> None:
    begun = position(p0="Gb12 Xc12", p1="Gg3")
    assert returns(begun) == set()
    once = moved(begun, "g3-g5", "b12-b11")
    assert returns(once) == {"g5-g3"}
    twice = moved(once, "g5-g7", "b11-b10")
    assert returns(twice) == {"g7-g5", "g7-g3"}
    assert returns(moved(twice, "m1-l1", "b10-b9")) == {"l1-m1"}, "with the other piece where it is now"
    search, pressed = searched(once), searched(once)
    pressed.press()
    for each in (search, pressed):
        each.make(each.find(next(a for a in map(each.action, each.moves()) if a.text == "g5-g3")))
    assert pressed.evaluate(1) == search.evaluate(1) - RETURN
    assert pressed.key != search.key


def test_what_came_before_an_elimination_is_forgotten() -> None:
    begun = moved(position(p0="Sb7 Xc12", p1="Gg3"), "g3-g7", "c12-c11")
    taken = moved(begun, "g7-b7", "c11-c10")
    assert begun.position.trail
    assert returns(taken) == set()


def test_only_so_many_moves_are_kept() -> None:
    state = position(p0="Gb12", p1="Gg3")
    for _ in range(TRAIL):
        state = moved(state, "g3-g4", "b12-b11", "g4-g3", "b11-b12")
        state = State(state.position._replace(quiet=0), state.chosen)
    assert len(state.position.trail) == TRAIL


def test_pressing_grows_with_the_calm_and_leaves_the_value_of_the_moment() -> None:
    pieces: dict[str, Any] = {"p0": "Eg13", "p1": "Eg1 Gg4 Gh4 Wf4"}
    forces = []
    for quiet in (0, 10, 40):
        search = searched(position(**pieces, quiet=quiet))
        before = search.evaluate(1)
        search.press()
        assert search.evaluate(1) == before
        search.make(search.find(next(a for a in map(search.action, search.moves()) if a.text == "g4-g7")))
        forces.append(search.evaluate(1))
    assert forces == sorted(set(forces)), "a step towards the Emperor counts more and more"
