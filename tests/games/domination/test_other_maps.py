"""Rules on another map: one-way borders, few cards, many wild ones; positions that carry their map."""

from __future__ import annotations

import json

import pytest

from games.domination.maps import playable_maps
from games.domination.maps.atlas import NOWHERE, Atlas, Card, Continent, Country
from games.domination.rules import cards, judge, opening, options, position_json
from games.domination.rules.actions import decode
from games.domination.rules.position import start_armies
from games.engine.game import Seat
from tests.games.domination.helpers import act, why

SMALL = Atlas(
    "ring",
    "Ring",
    (200, 100),
    (Continent("we", "West", 2, "#aa8855"), Continent("ea", "East", 3, "#5588aa")),
    tuple(Country(f"c{n}", f"Country {n}", n // 4, (20 + 20 * n, 50)) for n in range(1, 8)),
    ((1,), (0, 2), (1, 3, 6), (2, 4), (3, 5), (4, 6), (5,)),
    (Card("infantry", 0), Card("cannon", 0), Card("cavalry", 1), *(Card("wild", NOWHERE) for _ in range(5))),
    (),
)
LAW = options.load({"seats": 2, "even": False})._replace(atlas=SMALL)


def test_a_border_may_lead_one_way() -> None:
    state = opening.begin(LAW._replace(setup="auto"))
    dealt = act(state, "deal 0,0,0,1,1,0,1", "spread 1,1,4,1,2,2,5")
    assert dealt.position.phase == "place"
    state = act(dealt, "place c3 5")
    assert why(state, "attack c3 c7 until 1") == ""
    assert why(state, "fortify c3 c7 1") == "not_yours"
    back = act(state, "end", "place c7 3")
    assert why(back, "attack c7 c3 until 1") == "border"
    assert why(back, "attack c7 c6 until 1") == ""
    assert judge.legal(judge.view(back, 1), 1)


def test_a_position_carries_its_map() -> None:
    state = act(opening.begin(LAW), "queue c1", "queue c2", "claim c3")
    data = json.loads(json.dumps(position_json.dump(state)))
    assert position_json.load(data) == state
    assert playable_maps.map_value(SMALL) == data["law"]["atlas"]
    assert playable_maps.find_map(playable_maps.map_value(SMALL)) == SMALL
    damaged = {**data, "law": {**data["law"], "atlas": {"v": 1}}}
    with pytest.raises(ValueError, match="map"):
        position_json.load(damaged)


def test_cards_are_told_apart_even_if_they_show_the_same_country() -> None:
    assert cards.deck(SMALL).names == ("c1", "c1*2", "c2", *("*",) * 5)
    assert cards.sets_in_hand(SMALL, "fixed", (0, 1, 2)) == ((0, 1, 2),)
    assert len(cards.sets_in_hand(SMALL, "increasing", (0, 3, 4, 5))) == 2, "wild ones are all alike"
    assert cards.sets_in_hand(SMALL, "italian", (0, 2, 3, 4, 5)) == (), (
        "three wild ones may leave a hand without a set"
    )
    assert decode("trade c1 c1*2 *").cards == ("c1", "c1*2", "*")


def test_armies_follow_the_size_of_the_map() -> None:
    assert [start_armies(seats, 42) for seats in range(2, 7)] == [40, 35, 30, 25, 20]
    assert [start_armies(seats, 64) for seats in (2, 4, 6)] == [64, 48, 32]
    assert start_armies(2, 7) == 8


def test_whoever_claims_last_may_get_one_country_more() -> None:
    state = opening.begin(LAW)
    for code in ("c1", "c3", "c5", "c7"):
        state = act(state, f"queue {code}")
    state = act(state, "done")
    for code in ("c2", "c4", "c6"):
        by = Seat(1)
        action = decode(f"queue {code}")
        assert judge.refuse(state, by, action) is None
        state = opening.claim(state, by, action).state
    state = opening.claim(state, 1, decode("done")).state
    assert (state.position.phase, list(state.position.owner)) == ("setup", [0, 1, 0, 1, 0, 1, 0])
    assert [own.pool for own in state.own] == [8 - 4, 8 - 3]
