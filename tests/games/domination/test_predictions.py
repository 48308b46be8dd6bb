"""What computers of Domination predict, compared with what happens: by hand, and over matches of hard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from cli.matchups import play
from games.domination.computer.position_model import PositionModel, Strategy
from games.domination.computer.predictions import TurnPredictions
from games.domination.game import COMPUTERS, GAME
from games.domination.rules import judge
from games.domination.rules.position import State
from games.engine.predictions import Prediction, compared
from games.engine.values import Seat
from tests.games.domination.helpers import CODES, position, step
from tests.soak import SOAK, sampled

ERRORS = 3.0
"""Standard errors allowed: continents of one match have much in common."""
FEWEST = 15
"""Predictions of a bin below which nothing follows from it."""


SETTINGS: dict[str, tuple[int, dict[str, Any], int]] = {
    "two": (2, {"setup": "deal"}, 6),
    "fixed": (2, {"cards": "fixed"}, 10),
    "italian": (2, {"cards": "italian"}, 8),
    "capitals": (4, {"mode": "capital"}, 16),
    "missions": (3, {"mode": "mission"}, 16),
    "three": (3, {}, 3),
    "three-fixed": (3, {"cards": "fixed"}, 2),
    "six": (6, {}, 2),
}
"""Seats, options and number of matches."""


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(SETTINGS, ("capitals", "three-fixed")))
def test_what_is_predicted_comes_true_as_often(name: str) -> None:
    seats, options, number = SETTINGS[name]
    hard = COMPUTERS["hard"]
    setup = GAME.setup(seats, options)
    found: list[Prediction] = []
    for nth in range(20 * number if SOAK else max(2, number // 2)):
        one = play(GAME, setup, (hard,), (0,) * seats, f"held {nth}", GAME.predictions())
        found += one.predictions
    kinds = {each.kind for each in found}
    assert kinds >= {"continent", "campaign"} | ({"capital"} if "capital" in options.values() else set())
    assert len(found) > 100
    for part in compared(found):
        if part.times >= FEWEST:
            assert abs(part.came_true - part.mean) <= max(0.05, ERRORS * part.error), part


def watched(states: Sequence[State]) -> list[Prediction]:
    watch = TurnPredictions(Strategy())
    return [each for state in states for each in watch(state)]


HELD = {1: "sia 9", 0: "ino 3 ngu wau eau"}


@pytest.mark.parametrize(
    ("later", "came_true"), [(HELD, True), ({1: "sia 6 ino 3", 0: "ngu wau eau"}, False)]
)
def test_a_continent_is_awaited_until_the_seats_next_turn(later: dict[int, str], *, came_true: bool) -> None:
    states = [
        position(HELD, phase="attack", turn=0, step=2),
        position(HELD, phase="place", pool=3, turn=1),
        position(later, phase="attack", turn=1, step=2),
        position(later, phase="place", pool=3, turn=0, round=2),
    ]
    found = [each for each in watched(states) if each.seat == 0 and each.kind == "continent"]
    assert [(each.seat, each.came_true) for each in found] == [(0, came_true)]
    assert 0.0 < found[0].chance < 1.0
    assert not [each for each in watched(states[:3]) if each.kind == "continent"]


REST = " ".join(f"{code} 9" for code in CODES if code not in ("sia", "ind", "ino"))
HANDS = {1: "ala kam jap ven"}


def fought(own: str, *rolls: str) -> list[State]:
    """Return the states of a turn in which seat 0 attacks the last country of seat 1, and what follows."""
    start = position({2: REST, 0: own, 1: "ino 1"}, None, HANDS, phase="attack", turn=0, step=2)
    states = [start, step(start, "attack sia ino until 1").state]
    for roll in rolls:
        states.append(step(states[-1], roll).state)
    return states


def test_a_campaign_that_beats_a_seat_is_a_kill() -> None:
    found = watched(fought("sia 12 ind 2", "roll 111 6", "roll 611 1"))
    assert [(each.kind, each.came_true) for each in found] == [("campaign", True), ("kill", True)]
    assert found[0].chance == found[1].chance > 0.99


def test_a_battle_that_is_lost_makes_a_campaign_fail() -> None:
    states = fought("sia 2", "roll 1 6")
    states.append(position({2: REST, 0: "sia 1 ind", 1: "ino 1"}, phase="place", pool=3, turn=2))
    found = watched(states)
    assert {(each.kind, each.came_true) for each in found} == {("campaign", False), ("kill", False)}


def test_a_campaign_that_is_dropped_is_fought_on_with_other_dice() -> None:
    before = {2: REST, 0: "sia 12 ind 2", 1: "ino 1"}
    start = position(before, None, HANDS, phase="attack", turn=0, step=2)
    found = watched([start, position(before, phase="place", pool=3, turn=2)])
    assert [each.came_true for each in found] == [True, True], "12 armies against one"


def chance(among: int = 1, **holds: str) -> float:
    """Return the chance of seat 0 to keep Oceania, one of `among` continents.

    Seats 1 and 2 hold what is named, seat 0 all else.
    """
    named = {seat: holds[name] for seat, name in enumerate(("own", "foe", "third")) if name in holds}
    state = position({0: "", **named}, phase="place", pool=3, step=0)
    model = PositionModel(judge.view(state, Seat(0)), 0, Strategy())
    n = model.tables.continent[CODES.index("ino")]
    return model.hold_chance(model.owner, model.armies, model.tables.rims[n], model.fears[n], among)


def test_a_stack_behind_ones_own_weak_countries_is_feared_and_one_behind_strong_ones_is_not() -> None:
    beside = chance(foe="sia 12")
    behind = chance(foe="ind 12")
    barred = chance(foe="ind 12", own="sia 30")
    far = chance(foe="arg 2")
    assert beside < behind < barred < far
    assert behind < 0.5, "one army on the way, and one on the rim"
    assert barred > 0.8


def test_a_single_rival_may_spare_what_it_could_take_and_comes_to_one_continent_of_several() -> None:
    assert 0.03 < chance(foe="sia 90") < 0.05
    assert chance(foe="sia 9") < chance(2, foe="sia 9") < chance(3, foe="sia 9")
    of_two = chance(foe="sia 90", third="arg 2")
    assert of_two == chance(2, foe="sia 90", third="arg 2") < 0.01


def test_a_large_bonus_is_coveted_most() -> None:
    for seats in (2, 3, 6):
        start = position(dict(zip(range(seats), CODES, strict=False)), phase="place", pool=3)
        model = PositionModel(judge.view(start, Seat(0)), 0, Strategy())
        by_bonus = sorted(zip(model.tables.values, model.fears, strict=True))
        assert [fear for _, fear in by_bonus] == sorted(model.fears)
        assert by_bonus[0][1] < model.fear < by_bonus[-1][1]
