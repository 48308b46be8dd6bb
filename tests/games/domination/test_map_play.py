"""Matches on added maps with every quirk: they are played, recorded and read again."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from games.domination.maps.map_file import parse
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import CHANCE, Done, Json, Seat
from games.engine.match import Change, Kind, Match, begin, fold, leave, play
from games.engine.record import export, read
from games.engine.scene import Ground, Map
from tests.games.domination.mapfiles import PICTURES, SMALL, grid, small, tube

GAME = registry.get("domination")
SEALED = Sealed(b"k" * 32, "C-MAP", "salt")
KEY = "ab" * 16
WILD = {**SMALL, "small.cards": SMALL["small.cards"].replace("wildcard", "wildcard\n" * 66)}
FEW = {**SMALL, "small.cards": "[cards]\nCannon 2\ncannon 2\nINFANTRY 5\n"}
MAPS: dict[str, tuple[dict[str, str], dict[str, Json]]] = {
    "small": (SMALL, {"setup": "draft"}),
    "missions": (
        grid(6, 30, 6) | {"grid.map": grid(6, 30, 6)["grid.map"].replace("nomission", "risk")},
        {"mode": "mission"},
    ),
    "one way": (small(old="\n6 3 5", new="\n6 5"), {"mode": "capital"}),
    "tube": (tube(), {"setup": "deal"}),
    "few cards": (FEW, {"recycle": False}),
    "wild cards": (WILD, {"cards": "italian"}),
    "largest": (grid(16, 254, 40), {"fortify": "connected"}),
    "smallest": (grid(3, 6, 1), {}),
}


def value(files: dict[str, str], ground: str = "") -> dict[str, Any]:
    """Return a map as the value of the option."""
    plan = parse(files, PICTURES)
    assert not isinstance(plan, tuple), plan
    found: dict[str, Any] = json.loads(plan.to_json(ground))
    return found


def some(match: Match, seat: Seat, rng: random.Random) -> Any:
    """Return one of the first few hundred legal actions."""
    found = []
    for action in GAME.actions(GAME.view(match.state, seat), seat):
        found.append(action)
        if len(found) == 300:
            break
    return rng.choice(found)


def played(match: Match, count: int) -> Match:
    """Play random actions; the text of each is read back."""
    rng = random.Random(4)
    for _ in range(count):
        seat = min(match.to_act, default=CHANCE)
        if seat == CHANCE:
            break
        action = some(match, seat, rng)
        view = GAME.view(match.state, seat)
        assert GAME.parse(view, seat, GAME.format(view, action)) == Done(action)
        change = play(match, seat, action, SEALED)
        assert isinstance(change, Change), change
        match = change.match
    return match


@pytest.mark.slow
@pytest.mark.parametrize("name", MAPS)
def test_a_map_is_played_on_and_its_record_carries_it(name: str) -> None:
    files, options = MAPS[name]
    whole = value(files, KEY)
    setup = GAME.setup(3, {"setup": "auto", **options, "map": whole})
    assert GAME.refuse_setup(setup) is None
    assert GAME.choice("map", whole).key == "domination.option.map.other"
    match = begin(GAME, setup, SEALED).match
    assert whole["title"] in match.log[0].data
    match = played(match, 60)
    assert match.seq > 60
    assert fold(match.log).state == match.state
    scene = GAME.scene(GAME.view(match.state, None), None)
    assert isinstance(scene.board, Map)
    assert scene.board.ground == Ground(KEY)
    assert len(scene.board.areas) == len(whole["countries"])
    while match.ending is None:
        change = leave(match, min(match.playing), "resign", SEALED)
        assert isinstance(change, Change), change
        match = change.match
    text = export(match.log)
    again = read(text).match
    assert again.setup.options["map"] == whole
    assert again.state == match.state
    assert again.log[0].kind is Kind.START


def test_a_map_too_small_or_without_missions_is_refused_for_a_reason() -> None:
    few = GAME.setup(6, {"map": value(grid(3, 6, 1)), "mode": "mission"})
    why = GAME.refuse_setup(few)
    assert why is not None
    assert why.key == "domination.setup.missions"


def test_a_map_that_was_changed_on_its_way_is_refused() -> None:
    whole = value(SMALL)
    for changed in ({**whole, "key": "world"}, {**whole, "borders": []}, {**whole, "more": 1}, "small"):
        why = GAME.refuse_setup(GAME.setup(2, {"map": changed}))
        assert why is not None
        assert why.key == "match.setup.options"
