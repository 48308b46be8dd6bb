"""What computers of Domination foretell of continents, compared with what becomes of them over self-play."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest

from games.domination.computer.position_model import PositionModel, Strategy
from games.domination.game import COMPUTERS, GAME
from games.domination.rules import judge
from games.domination.rules.position import Position, State
from games.engine.dice import Dice
from games.engine.game import CHANCE, Seat
from tests.games.domination.helpers import CODES, position
from tests.soak import examples

BINS = ((0.0, 0.35), (0.35, 0.65), (0.65, 0.85), (0.85, 1.01))
ERRORS = 2.5
"""Standard errors allowed: continents of one match have much in common."""


def foretold(state: State, seat: int) -> dict[int, float]:
    """Return the chance to keep each continent that a seat holds, by number."""
    model = PositionModel(judge.view(state, seat), seat, Strategy())
    return {
        n: model.hold_chance(model.owner, model.armies, model.tables.rims[n])
        for n, row in enumerate(model.tables.countries_of)
        if row and model.tables.values[n] and all(model.owner[at] == seat for at in row)
    }


def keeps(place: Position, seat: int, n: int) -> bool:
    return all(place.owner[at] == seat for at in range(len(place.owner)) if CONTINENT[at] == n)


CONTINENT = PositionModel(judge.view(position({0: "ala", 1: "kam"}), 0), 0, Strategy()).tables.continent


def record(seats: int, options: dict[str, Any], nth: int) -> list[tuple[float, bool]]:
    """Play a match; return what was foretold at the end of each turn and came true before the next one."""
    state, seq, turn = GAME.start(GAME.setup(seats, options)).state, 0, (-1, 0)
    waiting: dict[int, dict[int, float]] = {}
    found: list[tuple[float, bool]] = []
    while GAME.outcome(state) is None:
        place = state.position
        if place.phase in ("place", "attack") and (place.turn, place.info.round) != turn:
            if turn[0] in place.living():
                waiting[turn[0]] = foretold(state, turn[0])
            turn = place.turn, place.info.round
            lost = [seat for seat in waiting if seat not in place.living()]
            for seat in (place.turn, *lost):
                found += ((chance, keeps(place, seat, n)) for n, chance in waiting.pop(seat, {}).items())
        seat = Seat(min(GAME.to_act(state)))
        dice, seq = Dice(f"holding {nth}".encode(), "", seq, str(seat)), seq + 1
        if seat == CHANCE:
            action = GAME.draw(state, dice)
        else:
            action = COMPUTERS["hard"].choose(GAME, judge.view(state, seat), seat, dice)
        state = GAME.apply(state, seat, action).state
    place = state.position
    return found + [
        (chance, keeps(place, seat, n)) for seat, row in waiting.items() for n, chance in row.items()
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "options", "matches"),
    [(2, {"even": True, "setup": "deal"}, 12), (3, {}, 4), (6, {}, 2)],
    ids=["two", "three", "six"],
)
def test_continents_are_kept_as_often_as_foretold(seats: int, options: dict[str, Any], matches: int) -> None:
    found = [each for nth in range(examples(matches)) for each in record(seats, options, nth)]
    assert len(found) > 40
    for low, high in BINS:
        inside = [(chance, kept) for chance, kept in found if low <= chance < high]
        if len(inside) < 5:
            continue
        mean = sum(chance for chance, _ in inside) / len(inside)
        share = sum(kept for _, kept in inside) / len(inside)
        error = ERRORS * sqrt(mean * (1 - mean) / len(inside))
        assert abs(share - mean) <= max(0.05, error), (low, len(inside), mean, share)


def chance(**holds: str) -> float:
    """Return the chance of seat 0 to keep Oceania; seat 1 holds what is named, seat 0 all else."""
    state = position({0: holds.get("own", ""), 1: holds["foe"]}, phase="place", pool=3, step=0)
    (n,) = {CONTINENT[CODES.index(code)] for code in ("ino", "wau")}
    return foretold(state, 0)[n]


def test_a_stack_behind_ones_own_weak_countries_is_feared_and_one_behind_strong_ones_is_not() -> None:
    beside = chance(foe="sia 12")
    behind = chance(foe="ind 12")
    barred = chance(foe="ind 12", own="sia 30")
    far = chance(foe="arg 2")
    assert beside < behind < barred < far
    assert behind < 0.5, "one army on the way, and one on the rim"
    assert barred > 0.8
