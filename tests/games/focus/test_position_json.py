"""Positions as JSON: back and forth without loss, and a reason for every invalid one."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.game import Seat
from games.focus import GAME
from games.focus.board import SPACES, get_variant
from tests.games.focus.helpers import VARIANTS, act, after, begin, greedy, legal, position, seat_to_act
from tests.games.position_json import comes_back, is_tried, through_json
from tests.rows import rows
from tests.soak import examples


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_position_of_a_game_comes_back(variant: str) -> None:
    seats, options = VARIANTS[variant]
    for greed in (0.0, 0.8):
        random, nth = Random(f"{variant} {greed}"), 0
        state = GAME.start(GAME.setup(seats, options)).state
        while True:
            over, nth = not GAME.to_act(state), nth + 1
            if over or is_tried(nth):
                comes_back(GAME, state)
            if over:
                break
            seat = seat_to_act(state)
            if seat >= 0 and random.random() < greed:
                action = greedy(state, random)
            else:
                action = random.choice(list(GAME.actions(state, seat)))
            state = GAME.apply(state, seat, action).state


@pytest.mark.slow
@settings(max_examples=examples(25), deadline=None)
@given(st.sampled_from(list(VARIANTS)), st.integers(0, 2**32), st.integers(0, 100))
def test_a_game_goes_on_from_a_loaded_position_as_if_nothing_had_happened(
    variant: str, seed: int, turns: int
) -> None:
    random, state = Random(seed), begin(variant)
    for _ in range(turns):
        if not GAME.to_act(state):
            break
        seat = seat_to_act(state)
        if random.random() < 0.02:
            state = GAME.forfeit(state, seat, "resign").state
            assert through_json(GAME, state) == state
            continue
        action = random.choice(list(GAME.actions(state, seat)))
        fresh = GAME.apply(through_json(GAME, state), seat, action)
        step = GAME.apply(state, seat, action)
        assert (fresh.state, fresh.facts) == (step.state, step.facts)
        state = step.state


def test_the_text_is_readable() -> None:
    state = position("e4=RRG b4=GR", turn="G", reserve={"R": 1}, captured={"G": {"R": 2}}, quiet=4)
    dumped = GAME.dump(state)
    assert isinstance(dumped, dict)
    past = dumped.pop("past")
    assert dumped == {
        "seats": 2, "fast": False, "partners": False, "piles": {"b4": "GR",
        "e4": "RRG"}, "reserve": {"R": 1},
        "captured": {"G": {"R": 2}}, "thirteenth": "", "turn": "G", "resigned": "",
        "quiet": 4, "ended": None,
    }  # fmt: skip
    assert isinstance(past, list)
    piles = {"b4": "GR", "e4": "RRG"}
    assert past == [",".join(piles.get(space, "") for space in SPACES) + " 1,0 - G"]


def test_repr_shows_the_piles() -> None:
    shown = repr(position("e4=RRG b4=GR", turn="G"))
    assert "b4=GR e4=RRG" in shown
    assert "turn='G'" in shown


GOOD: dict[str, Any] = {"seats": 2, "piles": {"e4": "RRG", "b4": "GR"}, "turn": "G"}
THREE: dict[str, Any] = {"seats": 3, "piles": {"e4": "R", "b4": "G", "c3": "B"}, "turn": "G"}
FOUR: dict[str, Any] = {"seats": 4, "piles": {"e4": "R", "b4": "G", "c3": "B", "d5": "Y"}, "turn": "G"}
KEYS = sorted(dict[str, Any](GAME.dump(begin("2"))))  # type: ignore[arg-type]  # it is an object
LINE = "," * 51 + " 0,0 - G"


@rows(
    "data, reason",
    [
        (None, "object"), ([], "object"), ("G", "object"), ({}, "seats"), (GOOD | {"more": 1}, "more"),
        (GOOD | {"seats": 5}, "5 seats"), (GOOD | {"seats": True}, "seats"),
        (GOOD | {"seats": "2"}, "seats"),
        (GOOD | {"fast": 1}, "true nor false"), (GOOD | {"partners": True}, "not played"),
        (FOUR | {"partners": True, "fast": True}, "not played"), (GOOD | {"piles": None}, "piles"),
        (GOOD | {"piles": {"a1": "G"}}, "a1"), (GOOD | {"piles": {"e4": "GRGRGR"}}, "GRGRGR"),
        (GOOD | {"piles": {"e4": ""}}, "valid pile"), (GOOD | {"piles": {"e4": "B"}}, "valid pile"),
        (GOOD | {"piles": {"e4": 3}}, "valid pile"), (GOOD | {"reserve": []}, "reserve"),
        (GOOD | {"reserve": {"B": 1}}, "reserve.B: unknown"), (GOOD | {"reserve": {"G": -1}}, "reserve"),
        (GOOD | {"reserve": {"G": 1.5}}, "reserve"), (GOOD | {"reserve": {"G": 17}}, "more than 18"),
        (GOOD | {"captured": {"G": 3}}, "captured"), (GOOD | {"captured": {"Z": {}}}, "captured"),
        (GOOD | {"captured": {"G": {"G": 1}}}, "own side"),
        (FOUR | {"partners": True, "captured": {"G": {"Y": 1}}}, "own side"),
        (GOOD | {"captured": {"G": {"R": 16}}}, "more than 18"), (GOOD | {"turn": "B"}, "turn"),
        (GOOD | {"turn": None}, "turn"), (GOOD | {"turn": ["G"]}, "turn"),
        (GOOD | {"thirteenth": "G"}, "thirteenth"),
        (THREE | {"thirteenth": "GG"}, "thirteenth"), (THREE | {"thirteenth": 1}, "thirteenth"),
        (GOOD | {"resigned": "B"}, "resigned"), (GOOD | {"resigned": "R"}, "one side"),
        (THREE | {"resigned": "G"}, "nothing to play"),
        (FOUR | {"partners": True, "resigned": "R"}, "pair"),
        (GOOD | {"quiet": -1}, "quiet"), (GOOD | {"quiet": 60}, "drawn"),
        (GOOD | {"ended": "boredom"}, "boredom"),
        (GOOD | {"ended": "quiet"}, "quiet"), (GOOD | {"ended": "repetition"}, "repetition"),
        (GOOD | {"ended": "domination"}, "domination"), (GOOD | {"ended": "standing"}, "standing"),
        (GOOD | {"ended": "captures"}, "captures"), (GOOD | {"ended": ["quiet"]}, "not one of"),
        (GOOD | {"piles": {"e4": "RRG"}}, "one side"), (GOOD | {"past": 3}, "list"),
        (GOOD | {"past": []}, "list"),
        (GOOD | {"past": ["nonsense"]}, "nonsense"), (GOOD | {"past": [7]}, "past"),
        (GOOD | {"past": [LINE]}, "not this"),
        (GOOD | {"turn": "chance", "past": [LINE]}, "nothing is to be listed"),
        (THREE | {"turn": "chance", "ended": "domination"}, "domination"),
        (position("a3=R h6=G", turn="R"), "object"),
    ],
)  # fmt: skip
def test_an_invalid_position_is_refused_with_a_reason(data: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        GAME.load(data, 1)


def test_an_impossible_past_is_refused() -> None:
    state = after(position("a3=R h6=G", turn="R"), "a3-a4", "h6-h5")
    dumped = GAME.dump(state)
    assert isinstance(dumped, dict)
    past = dumped["past"]
    assert isinstance(past, list)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"quiet": 1}, "fewer turns"),
        ({"past": past[:-1]}, "not this one"),
        ({"past": [LINE, *past[1:]]}, "come and go"),
        ({"past": [*past, past[-1], past[-1]], "quiet": 9}, "drawn"),
        ({"past": [str(past[0]).replace("-", "R"), *past[1:]]}, "come and go"),
        ({"past": [str(past[0]).replace("0,0", "00,0"), *past[1:]]}, "valid position"),
        ({"past": [str(past[0]).replace("0,0", "0,999"), *past[1:]]}, "valid position"),
        ({"past": [str(past[0]).replace(" R", " chance"), *past[1:]]}, "valid position"),
    ]
    for change, reason in wrong:
        with pytest.raises(ValueError, match=reason):
            GAME.load(dumped | change, 1)


@pytest.mark.slow
@settings(max_examples=examples(150), deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=6,
    ),
    st.sampled_from(KEYS),
)
def test_anything_else_is_refused_as_a_value_error(value: Any, key: str) -> None:
    try:
        state = GAME.load(GOOD | {key: value}, 1)
    except ValueError:
        return
    assert GAME.load(GAME.dump(state), 1) == state


def test_another_version_of_the_rules_is_refused() -> None:
    with pytest.raises(ValueError, match="version 2"):
        GAME.load(GOOD, 2)


@pytest.mark.slow
def test_the_same_game_whatever_the_hash_seed() -> None:
    script = (
        "from random import Random\n"
        "from tests.games.focus.helpers import *\n"
        "import json\n"
        "r, s = Random(5), begin('4')\n"
        "while GAME.to_act(s):\n"
        "    seat = seat_to_act(s)\n"
        "    s = GAME.apply(s, seat, r.choice(list(GAME.actions(s, seat)))).state\n"
        "print(json.dumps(GAME.dump(s)), GAME.outcome(s))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[3],
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


# --- set-ups --------------------------------------------------------------------------------------------


def test_setups_that_are_accepted() -> None:
    for seats, options in VARIANTS.values():
        assert GAME.refuse_setup(GAME.setup(seats, options)) is None


@rows(
    "seats, options, why",
    [
        (1, {}, "seats"), (5, {}, "seats"), (2, {"partners": True}, "for"),
        (3, {"partners": True}, "for"),
        (4, {"partners": True, "fast": True}, "fast"), (2, {"fast": 1}, "options"),
        (2, {"slow": True}, "options"),
        (2, {"fast": "yes"}, "options"), (4, {"partners": None}, "options"),
    ],
)  # fmt: skip
def test_setups_that_are_refused(seats: int, options: dict[str, Any], why: str) -> None:
    refused = GAME.refuse_setup(GAME.setup(seats, options))
    assert refused is not None
    assert refused.key.endswith(f".setup.{why}")


def test_setups_with_foreign_teams_or_rules() -> None:
    setup = GAME.setup(4)
    for changed, why in ((replace(setup, teams=(0, 1, 0, 1)), "teams"), (replace(setup, rules=2), "rules")):
        refused = GAME.refuse_setup(changed)
        assert refused is not None
        assert refused.key.endswith(f".setup.{why}")


def test_unsupported_combinations_have_no_variant() -> None:
    with pytest.raises(ValueError, match="not played"):
        get_variant(6, fast=False, partners=False)


def test_a_position_is_not_changed_by_what_is_done_with_it() -> None:
    state = position("b3=RGRG f3=GRR h3=R", turn="G")
    copy = through_json(GAME, state)
    act(state, "b3-f3")
    GAME.forfeit(state, Seat(0), "resign")
    legal(state)
    GAME.scene(state, None)
    assert state == copy
