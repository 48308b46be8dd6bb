"""Positions as JSON: invalid ones are refused with a reason, and valid ones can be played on."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.domination.rules import judge, position_json
from games.domination.rules.actions import decode
from games.engine.game import CHANCE, Seat
from tests.games.domination.helpers import GAME, act, position
from tests.laws.fuzz import json_mutants, wire_mutants
from tests.rows import rows


def test_a_position_needs_its_countries_only() -> None:
    state = position_json.load({"countries": {}})
    assert state.position.owner == bytes(42)
    assert len(state.deck) == 44


@rows(
    "parts, reason",
    [
        ({"law": {"seats": 7}}, "seats"),
        ({"law": {"map": "world"}}, "law"),
        ({"law": {"atlas": "moon"}}, "map"),
        ({"law": {"mode": "peace"}}, "mode"),
        ({"law": {"defence": 4}}, "defence"),
        ({"law": {"cap": 0}}, "cap"),
        ({"countries": {"moon": [0, 1]}}, "countries"),
        ({"countries": {"ala": [2, 1]}}, "countries"),
        ({"countries": {"ala": [0, 0]}}, "countries"),
        ({"countries": {"ala": [None, 0]}}, "countries"),
        ({"phase": "tea"}, "phase"),
        ({"phase": "roll"}, "order"),
        ({"phase": "over"}, "outcome"),
        ({"turn": 1, "out": [1]}, "turn"),
        ({"own": [{}]}, "own"),
        ({"own": [{"hand": ["ala"]}, {"hand": ["ala"]}]}, "twice"),
        ({"own": [{"hand": ["ala", "ala"]}, {}]}, "twice"),
        ({"own": [{"mission": 1}, {}]}, "mission"),
        ({"own": [{"wishes": ["ala"]}, {}]}, "wishes"),
        ({"own": [{"spread": {"ala": 1}}, {}]}, "spread"),
        ({"capitals": ["ala", "ala"]}, "capitals"),
        ({"order": ["ala", "kam", "until", 1, 3, 3, 0, 0]}, "order"),
        ({"phase": "vote"}, "victor"),
        ({"phase": "setup"}, "own"),
        ({"phase": "capital", "ready": [True, True]}, "ready"),
        ({"step": 3}, "step"),
        ({"moon": 1}, "moon"),
    ],
)
def test_what_is_no_position_has_a_reason(parts: dict[str, Any], reason: str) -> None:
    whole: Any = {"countries": {"kam": [1, 1]}, **parts}
    with pytest.raises(ValueError, match=reason):
        position_json.load(whole)


@pytest.mark.slow
def test_damaged_positions_are_refused_or_can_be_played_on() -> None:
    hands = {0: "ala alb wus", 1: "ice"}
    states = [
        position({1: "", 0: "ala 5 kam"}, {"cap": 3}, hands, phase="place", pool=3),
        act(position({1: "", 0: "ala 5 nwt"}), "attack ala kam until 1"),
        act(position({1: "", 0: "ala 9 nwt"}), "attack ala kam until 1", "roll 666 1"),
        act(GAME.start(GAME.setup(2)).state, "queue ala", "claim kam"),
        position({0: "", 1: "kam"}, phase="setup", own=[{"pool": 1, "spread": {"ala": 2}}, {"pool": 2}]),
        GAME.forfeit(position({1: "", 0: "ala 9"}), Seat(0), "resign").state,
    ]
    read = 0
    for state in states:
        for mutant in json_mutants(json.loads(json.dumps(GAME.dump(state)))):
            try:
                found = GAME.load(mutant, GAME.rules)
            except ValueError:
                continue
            read += 1
            assert GAME.load(json.loads(json.dumps(GAME.dump(found))), GAME.rules) == found
            due = GAME.to_act(found)
            assert (GAME.outcome(found) is None) == bool(due)
            for seat in due - {CHANCE}:
                for action in judge.legal(GAME.view(found, seat), seat)[:2]:
                    assert GAME.refuse(found, seat, action) is None
                    GAME.apply(found, seat, action)
    assert read > 50
    with pytest.raises(ValueError, match="version"):
        GAME.load({}, GAME.rules + 1)


def test_wires_are_written_one_way() -> None:
    wires = (
        *("claim ala", "queue ala", "done", "capital ala", "place ala 5", "keep", "trade ala nwt *"),
        *("trade ala nwt alb bonus ala", "attack ala kam until 3", "attack ala kam x 2", "move 3", "end"),
        *("attack ala kam dice 1", "attack ala kam lead 2", "fortify ala nwt 3", "continue", "stop"),
        *("deal 0,1,2", "missions 3,1", "spread 1,2,3", "roll 654 32", "card *"),
    )
    for wire in wires:
        assert GAME.encode(decode(wire)) == wire
        for mutant in wire_mutants(wire):
            try:
                action = GAME.decode(mutant)
            except ValueError:
                continue
            assert GAME.encode(action) == mutant
    for bad in (
        "attack ala kam  until 3",
        "attack ala kam for 3",
        "place ala 05",
        "place ala -1",
        "roll 7 1",
        "x",
    ):
        with pytest.raises(ValueError, match="an action"):
            decode(bad)
