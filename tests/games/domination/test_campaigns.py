"""Campaigns of the planning players: their exact odds, and kills one after another."""

from __future__ import annotations

import pytest

from games.domination.computer.campaigns import Campaign, best_campaign, exact_chance, possible_campaigns
from games.domination.computer.position_model import PositionModel, Strategy
from games.domination.game import COMPUTERS
from games.domination.maps.world import WORLD
from games.domination.rules import judge
from games.domination.rules.position import State
from games.engine.dice import Dice
from games.engine.game import CHANCE
from games.engine.values import Seat
from tests.games.domination.helpers import CODES, GAME, acted, position


def planned(state: State, pool: int) -> Campaign:
    found = best_campaign(PositionModel(judge.view(state, Seat(0)), 0, Strategy()), pool)
    assert found is not None
    return found


def test_the_chance_of_a_campaign_counts_each_number_of_armies_left() -> None:
    state = position({1: "ino ngu wau eau", 0: "sia 4"}, phase="attack", turn=0, step=2)
    model = PositionModel(judge.view(state, Seat(0)), 0, Strategy())
    sia, ino, ngu = (CODES.index(code) for code in ("sia", "ino", "ngu"))
    three, two, one = 855 / 1296, 125 / 216, 15 / 36
    first = three, (1 - three) * two, (1 - three) * (1 - two) * one
    assert exact_chance(model, [(sia, ino)]) == pytest.approx(sum(first))
    then = (two + (1 - two) * one, one, 0.0)
    assert exact_chance(model, [(sia, ino), (ino, ngu)]) == pytest.approx(
        sum(a * b for a, b in zip(first, then, strict=True))
    )


REST = " ".join(f"{code} 9" for code in CODES if code not in ("sia", "ino", "ngu", "wau", "eau"))


@pytest.mark.parametrize(
    ("cards", "taken"),
    [("ven bra per nwt", {"ino", "ngu", "wau", "eau"}), ("ven", {"ino"})],
    ids=["a-set", "no-set"],
)
def test_a_kill_is_followed_by_another_with_the_set_that_it_brings(cards: str, taken: set[str]) -> None:
    holds = {3: REST, 0: "sia 7", 1: "ino", 2: "ngu 4 wau eau"}
    state = position(holds, None, {0: "ala kam jap", 1: cards}, phase="attack", turn=0, step=2)
    assert {CODES[dst] for _, dst in planned(state, 0).steps} == taken


def test_no_set_is_due_without_a_limit_of_the_hand() -> None:
    hands = {0: "ala kam jap", 1: "ven bra per nwt"}
    for law, armies in (({}, 4), ({"hand": 0}, 0)):
        state = position({3: REST, 0: "sia 7", 1: "ino", 2: "ngu 4 wau eau"}, law, hands, turn=0, step=2)
        assert PositionModel(judge.view(state, Seat(0)), 0, Strategy()).inherited_armies(1) == armies


@pytest.mark.parametrize(
    ("others", "factor"), [({1: REST}, 2.0), ({1: "ino", 2: REST}, 1.0)], ids=["two", "three"]
)
def test_losses_of_the_rival_may_count_for_more_in_a_match_for_two(
    others: dict[int, str], factor: float
) -> None:
    view = judge.view(position({0: "sia 7", **others}, phase="attack", turn=0, step=2), Seat(0))
    plain, keen = (PositionModel(view, 0, Strategy(rival_losses=each)).weights[1] for each in (1.0, 2.0))
    assert plain > 0.0
    assert keen == pytest.approx(factor * plain)


EUROPE, AUSTRALIA, CHOICE = 2, 5, -1


def on_a_mission(continents: tuple[int, ...], lacks: str, armies: int) -> State:
    """Return a position of seat 0, placing 12 armies, who lacks few countries of its continents."""
    number = next(n for n, mission in enumerate(WORLD.missions) if mission.continents == continents)
    held = [at for n in continents if n != CHOICE for at in WORLD.countries_of[n]]
    mine = " ".join(CODES[at] for at in held if CODES[at] not in lacks)
    theirs = " ".join(f"{code} {armies}" for code in lacks.split())
    own = [{"mission": number}, {"mission": int(not number)}]
    return position({1: theirs, 0: mine}, {"mode": "mission"}, own=own, phase="place", pool=12, turn=0)


def test_armies_are_divided_between_the_parts_of_a_mission() -> None:
    state = on_a_mission((0, AUSTRALIA), "gre eau", 3)
    found = planned(state, 12)
    assert {CODES[dst] for _, dst in found.steps} >= {"gre", "eau"}
    assert sorted(n for _, n in found.places) == [6, 6]
    wau, ngu = CODES.index("wau"), CODES.index("ngu")
    assert {at for at, _ in found.places} & {wau, ngu}
    assert COMPUTERS["hard"].choose(GAME, judge.view(state, Seat(0)), Seat(0), Dice(b"", "", 0, "")).n == 6


def test_a_mission_with_a_free_choice_includes_the_continent_that_is_nearest() -> None:
    state = on_a_mission((EUROPE, AUSTRALIA, CHOICE), "ice eau", 1)
    south = WORLD.countries_of[1]
    found = planned(state, 12)
    assert found.goal.countries == {*south, CODES.index("ice"), CODES.index("eau")}


@pytest.mark.parametrize(("mode", "seats"), [("mission", 2), ("mission", 3), ("capital", 4)])
def test_a_campaign_places_the_whole_pool_on_countries_of_the_seat(mode: str, seats: int) -> None:
    divided = 0
    for n in range(3):
        state, seq = GAME.start(GAME.setup(seats, {"mode": mode})).state, 0
        while state.position.info.outcome is None and state.position.info.round < 4:
            seat, action = acted(state, [COMPUTERS["average"]] * seats, 1000 * n + seq)
            view = judge.view(state, seat)
            secret = state.position.phase == "setup"
            pool = view.own.pool if view.own is not None and secret else state.position.pool
            if seat != CHANCE and pool and (secret or state.position.phase == "place"):
                for each in possible_campaigns(PositionModel(view, seat, Strategy()), pool):
                    assert sum(armies for _, armies in each.places) == pool
                    assert all(state.position.owner[at] == seat and armies for at, armies in each.places)
                    divided += len(each.places) > 1
            state, seq = GAME.apply(state, seat, action).state, seq + 1
    assert divided
