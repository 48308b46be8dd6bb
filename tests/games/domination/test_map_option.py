"""Maps of others as the option of a match: whole, in one form only, never under the name of one of ours."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from games.domination.game import Domination
from games.domination.maps import map_json, playable_maps
from games.domination.maps.drawing import board
from games.domination.maps.islands import ISLANDS
from games.domination.maps.playable_maps import MAP_READER
from games.domination.maps.world import WORLD
from games.domination.rules import options
from games.engine.game import Setup
from games.engine.message import msg
from games.engine.scene import Ground
from tests.games.domination.mapfiles import SMALL, atlas, tube
from tests.rows import rows

KEY = "0123456789abcdef" * 2


def whole(**changes: Any) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(map_json.dump(atlas(SMALL)))
    return {**value, **changes}


def test_a_whole_map_is_admitted_and_comes_back() -> None:
    value = whole(ground=KEY)
    assert options.admits("map", value)
    assert playable_maps.find_map(value) == replace(atlas(SMALL), ground=KEY)
    assert playable_maps.map_value(playable_maps.find_map(value)) == value
    assert options.choice("map", value) == msg("domination.option.map.other", title="Two Lakes")
    assert options.law_of(Setup(2, (0, 1), {**_printed(), "map": value})).atlas.key == "small"


def test_the_key_of_a_picture_makes_another_map() -> None:
    assert atlas(SMALL) != replace(atlas(SMALL), ground=KEY)
    assert board(replace(atlas(SMALL), ground=KEY), None, lambda one: msg(one.name)).ground == Ground(KEY)
    assert board(atlas(SMALL), None, lambda one: msg(one.name)).ground is None


@rows(
    "value",
    [
        "small",
        7,
        None,
        [],
        {},
        whole(v=2),
        whole(key="world"),
        whole(key="islands"),
        whole(ground="../../etc/passwd"),
        whole(ground=""),
        whole(more=1),
        whole(borders=[[7], [], [], [], [], []]),
        whole(title=""),
        whole(title="a" * 61),
        whole(title=[[[]]]),
        whole(missions=[[0, 0, 0, [], "a" * 401]]),
        whole(missions=[[0, 0, 0, [], "two\nlines"]]),
        whole(cards=[[0, 0]] * 501),
        whole(countries=[]),
    ],
)
def test_nothing_else_is(value: Any) -> None:
    assert not options.admits("map", value)
    assert not options.admits("mode", whole())


def test_what_is_too_deep_is_refused() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert not options.admits("map", {"v": 1, "size": deep})


def test_our_own_go_by_their_keys() -> None:
    for one in (WORLD, ISLANDS):
        assert playable_maps.find_map(one.key) is one
        assert playable_maps.map_value(one) == one.key
        assert not options.admits("map", json.loads(map_json.dump(one)))
    assert options.choice("map", "world") is None


def test_a_reader_tells_what_a_map_has() -> None:
    found = MAP_READER.read(tube(), {})
    assert not isinstance(found, tuple)
    counts, land = MAP_READER.describe(json.loads(found.to_json()))
    assert dict(counts.values)["cards"] == msg("domination.map.has_cards", n=127)
    assert dict(land.values)["name"] == "Land 1"
    assert dict(land.values)["countries"] == (msg("domination.map.has_countries", n=61),)
    assert MAP_READER.option == "map"
    assert (MAP_READER.key(whole()), MAP_READER.key("world")) == ("small", "")
    with pytest.raises(ValueError, match="map"):
        MAP_READER.describe({})


def _printed() -> dict[str, Any]:
    return {option.key: option.default for option in Domination.options}
