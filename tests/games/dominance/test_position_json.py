"""Positions as JSON: back and forth without loss, and a reason for every invalid one."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.dominance import GAME
from games.engine.game import Seat
from tests.games.dominance.helpers import BOARD_KEYS, after, begin, legal, position, seat_to_act, step
from tests.games.position_json import comes_back, is_tried, through_json
from tests.rows import rows
from tests.soak import examples


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARD_KEYS)
def test_every_position_of_a_game_comes_back(board: str) -> None:
    random, state, nth = Random(board), begin(board), 0
    while True:
        over, nth = not GAME.to_act(state), nth + 1
        if over or is_tried(nth):
            comes_back(GAME, state)
        if over:
            break
        state = after(state, random.choice(legal(state)))


@pytest.mark.slow
@settings(max_examples=examples(40), deadline=None)
@given(st.sampled_from(BOARD_KEYS), st.integers(0, 2**32), st.integers(0, 100))
def test_a_game_goes_on_from_a_loaded_position_as_if_nothing_had_happened(
    board: str, seed: int, count: int
) -> None:
    random, state = Random(seed), begin(board)
    for _ in range(count):
        if not GAME.to_act(state):
            break
        text = random.choice(legal(state))
        assert step(through_json(GAME, state), text) == step(state, text)
        state = after(state, text)


def test_the_text_is_readable() -> None:
    state = after(position("c3 a1", "d6", lost={"B": 2}, quiet=4), "c3-c4")
    assert GAME.dump(state) == {
        "board": "hex4",
        "pieces": {"R": ["a1", "c4"], "B": ["d6"]},
        "pool": {"R": 8, "B": 7},
        "lost": {"R": 0, "B": 2},
        "turn": "B",
        "quiet": 5,
        "past": ["a1,c3 d6 R", "a1,c4 d6 B"],
        "ended": None,
    }
    dumped = GAME.dump(begin())
    assert isinstance(dumped, dict)
    assert dumped["past"] == ["- - R"]


def test_repr_shows_the_pieces() -> None:
    shown = repr(position("c3 a1", "d6"))
    assert "red='a1 c3'" in shown
    assert "turn='red'" in shown


GOOD: dict[str, Any] = {"pieces": {"R": ["c3", "a1"], "B": ["d6", "e6"]}, "turn": "R"}
KEYS = sorted(dict[str, Any](GAME.dump(begin())))  # type: ignore[arg-type]  # it is an object
LOCK: dict[str, Any] = {"pieces": {"R": ["a1", "a4", "g1", "g4"], "B": ["d1"]}, "turn": "R"}
SHUT_IN: dict[str, Any] = {"pieces": {"R": ["a4", "a2", "b1", "c2", "g1", "g4"], "B": ["a1"]}, "turn": "B"}


@rows(
    "data, reason",
    [
        (None, "object"), ([], "object"), ("R", "object"), ({}, "pieces"), (GOOD | {"more": 1}, "more"),
        (GOOD | {"board": "hex6"}, "valid board"), (GOOD | {"board": ["hex4"]}, "valid board"),
        (GOOD | {"board": None}, "valid board"), (GOOD | {"pieces": None}, "pieces"),
        (GOOD | {"pieces": {"G": []}}, "pieces.G: unknown"), (GOOD | {"pieces": {"R": "c3"}}, "list"),
        (GOOD | {"pieces": {"R": ["h1"]}}, "h1"), (GOOD | {"pieces": {"R": [3]}}, "3"),
        (GOOD | {"pieces": {"R": [["c3"]]}}, "not a valid space"),
        (GOOD | {"pieces": {"R": ["a5"]}}, "not a valid space of hex4"),
        (GOOD | {"pieces": {"R": ["c3", "c3"]}}, "pieces.R.1: is there twice"),
        (GOOD | {"pieces": {"R": ["c3"], "B": ["c3"]}}, "two pieces"),
        (GOOD | {"pieces": {"R": ["c3", "c4"], "B": ["d4"]}}, "d4 is dominated"),
        (GOOD | {"pieces": {"R": ["d4"], "B": ["c3", "e4"]}}, "d4 is dominated"),
        (GOOD | {"pool": []}, "pool"), (GOOD | {"pool": {"R": 9}}, "10 pieces"),
        (GOOD | {"pool": {"R": "8"}}, "pool"), (GOOD | {"pool": {"R": True}}, "pool"),
        (GOOD | {"pool": {"G": 8}}, "pool.G: unknown"), (GOOD | {"lost": {"R": 9}}, "10 pieces"),
        (GOOD | {"lost": {"R": -1}}, "lost"), (GOOD | {"lost": {"R": 11}}, "lost"),
        (GOOD | {"pieces": {"R": ["c3"], "B": []}, "lost": {"R": 9}}, "9 losses"),
        (GOOD | {"turn": None}, "turn"), (GOOD | {"turn": "G"}, "turn"), (GOOD | {"turn": ""}, "turn"),
        (GOOD | {"turn": "RB"}, "turn"), (GOOD | {"turn": ["R"]}, "turn"),
        (GOOD | {"quiet": -1}, "quiet"), (GOOD | {"quiet": 101}, "quiet"), (GOOD | {"quiet": 100}, "drawn"),
        (GOOD | {"quiet": 1.0}, "quiet"), (GOOD | {"ended": "boredom"}, "boredom"),
        (GOOD | {"ended": ["nine"]}, "not one of"), (GOOD | {"ended": "nine"}, "this: nine"),
        (GOOD | {"ended": "ninth"}, "this: ninth"), (GOOD | {"ended": "lock"}, "this: lock"),
        (GOOD | {"ended": "quiet"}, "this: quiet"), (GOOD | {"ended": "repetition"}, "this: repetition"),
        (GOOD | {"ended": "stuck"}, "this: stuck"),
        (GOOD | {"ended": "resigned", "past": ["- - R"]}, "nothing is to be listed"),
        (GOOD | {"ended": "resigned", "lost": {"R": 8}, "quiet": 100}, "this: resigned"),
        (GOOD | {"past": 3}, "list"), (GOOD | {"past": []}, "list"), (GOOD | {"past": [7]}, "valid position"),
        (GOOD | {"past": ["nonsense"]}, "valid position"), (GOOD | {"past": ["- - R"]}, "not this one"),
        (GOOD | {"past": ["- - R", "a1,c3 d6,e6 R"], "quiet": 1}, "come and go"),
        (GOOD | {"past": ["a1,c4 d6,e6 B", "a1,c3 d6,e6 R"]}, "fewer actions"),
        (GOOD | {"past": ["c3,a1 d6,e6 R"]}, "valid position"),
        (GOOD | {"past": ["a1,c3 d6,e6 G"]}, "valid position"),
        (GOOD | {"past": ["a1,c3 d6,a5 R"]}, "valid position"),
        (GOOD | {"past": ["a1,c3  R"]}, "valid position"),
        (GOOD | {"past": ["a1,c3 d6,e6 R"] * 3, "quiet": 9}, "drawn"),
        (GOOD | {"lost": {"R": 8, "B": 8}, "ended": "quiet"}, "this: quiet"),
        (GOOD | {"pieces": {"R": ["c3"]}, "lost": {"R": 9}, "ended": "lock"}, "this: lock"),
        (LOCK | {"turn": "B"}, "locked out"), (SHUT_IN, "nothing to do"),
        (LOCK | {"turn": "B", "ended": "lock"}, "this: lock"),
        (LOCK | {"ended": "lock", "quiet": 3}, "this: lock"),
        (position("a1", "d6"), "object"),
    ],
)  # fmt: skip
def test_an_invalid_position_is_refused_with_a_reason(data: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        GAME.load(data, 1)


def test_omitted_fields_default_to_the_start() -> None:
    assert GAME.load({"pieces": {}, "turn": "R"}, 1) == begin()
    assert GAME.load({"pieces": {}, "turn": "R", "board": "sq7"}, 1) == begin("sq7")
    assert GAME.load(LOCK | {"ended": "lock"}, 1) == after(position("a1 a4 g1 f5", "d1"), "f5-g4")


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


def test_a_position_is_not_changed_by_what_is_done_with_it() -> None:
    state = position("d5 b2", "c3 c4 d3 e3")
    copy = through_json(GAME, state)
    step(state, "d5-d4")
    GAME.forfeit(state, Seat(0), "resign")
    legal(state)
    GAME.scene(state, None)
    assert state == copy
    assert seat_to_act(state) == 0


# --- set-ups --------------------------------------------------------------------------------------------


@rows("board", BOARD_KEYS)
def test_every_board_can_be_played_by_two(board: str) -> None:
    setup = GAME.setup(2, {"board": board})
    assert GAME.refuse_setup(setup) is None
    assert GAME.start(setup).state.board == board


def test_the_small_hexagon_is_the_default() -> None:
    assert GAME.start(GAME.setup(2)).state.board == "hex4"


def test_invalid_set_ups_are_refused() -> None:
    good = GAME.setup(2)
    wrong = {
        "seats": [GAME.setup(1), GAME.setup(3), replace(good, seats=True)],
        "rules": [replace(good, rules=2)],
        "options": [
            GAME.setup(2, {"board": "hex6"}),
            GAME.setup(2, {"board": True}),
            GAME.setup(2, {"board": ["hex4"]}),
            GAME.setup(2, {"bored": "hex4"}),
            replace(good, options={}),
        ],
        "teams": [replace(good, teams=(0, 0)), replace(good, teams=(1, 0))],
    }
    for why, setups in wrong.items():
        for setup in setups:
            refused = GAME.refuse_setup(setup)
            assert refused is not None
            assert refused.key == f"match.setup.{why}"
