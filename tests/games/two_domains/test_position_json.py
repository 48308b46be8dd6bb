"""Positions as JSON: what is written, what is read, and every refusal with its reason."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.game import CHANCE, Seat
from games.two_domains import GAME
from games.two_domains.actions import BATTLE, GATHER
from tests.games.two_domains.helpers import after, begin, position
from tests.rows import rows

START: dict[str, Any] = {
    "red": "22222",
    "blue": "22222",
    "turn": "chance",
    "roll": "first",
    "completed": 0,
    "ended": None,
    "winner": None,
}


def test_the_start_is_written_and_read() -> None:
    start = GAME.start(GAME.setup(2)).state
    assert GAME.dump(start) == START
    assert GAME.load(dict(START), 2) == start


def test_omitted_fields_default_to_the_start_of_a_turn() -> None:
    for rules in (1, 2):
        assert GAME.load({"red": "22222", "blue": "22222", "turn": "blue"}, rules) == begin(1, rules)


@rows(
    "state",
    [
        begin(),
        GAME.apply(begin(), Seat(0), GATHER).state,
        GAME.apply(position("12336", "222"), Seat(0), BATTLE).state,
        GAME.apply(position("12356", "1", "blue"), Seat(1), BATTLE).state,
        after(position("12336", "1"), "battle", 2),
        after(position("13266", "22222", "blue"), "gather", 1),
        after(position("222", "22222", completed=499), "gather", 1),
        after(position("222", "222", completed=499), "gather", 1),
        after(position("222", "22222", completed=499, rules=1), "gather", 1),
        after(position("222", "222", completed=499, rules=1), "gather", 1),
        GAME.forfeit(begin(), Seat(0), "resign").state,
    ],
)
def test_every_kind_of_position_comes_back(state: Any) -> None:
    again = GAME.load(GAME.dump(state), state.rules)
    assert again == state
    assert hash(again) == hash(state)


@rows(
    "change, reason",
    [
        ({"red": 2}, "red: 2 is not a valid line"),
        ({"red": "222222"}, "at most five"),
        ({"blue": "27"}, "faces from 1 to 6"),
        ({"blue": "3"}, "single die is a king"),
        ({"turn": "green"}, "turn: 'green' is not a valid seat"),
        ({"turn": None}, "turn"),
        ({"roll": "roll"}, "roll: 'roll' is not one of"),
        ({"completed": True}, "not a whole number"),
        ({"completed": 501}, "not a whole number"),
        ({"completed": 500}, "500 actions are completed"),
        ({"ended": "bored"}, "ended: 'bored' is not one of"),
        ({"winner": "red"}, "nobody has won yet"),
        ({"colour": 1}, "colour: unknown"),
        ({"red": "1", "blue": "1"}, "two dice or more"),
        ({"red": "1"}, "no turn in Kingly Endurance"),
        ({"blue": ""}, "the end of the game"),
        ({"blue": "1166"}, "the end of the game"),
        ({"turn": "chance"}, "before the first action only"),
        ({"roll": "first"}, "before the first action only"),
        ({"turn": "chance", "roll": "first", "completed": 2}, "at the start only"),
        ({"turn": "chance", "roll": "first", "red": "22223"}, "at the start only"),
        ({"roll": "battle"}, "there can be no battle"),
        ({"roll": "battle", "red": "12356"}, "there can be no battle"),
        ({"roll": "battle", "red": "12336", "blue": "1"}, "there can be no battle"),
        ({"roll": "endurance", "red": "12336"}, "there can be no endurance"),
        ({"roll": "endurance", "red": "22336", "blue": "1"}, "there can be no endurance"),
        ({"ended": "emptied", "completed": 9}, "does not end like this: emptied"),
        ({"ended": "emptied", "blue": ""}, "does not end like this: emptied"),
        ({"ended": "emptied", "red": "", "completed": 9}, "does not end like this: emptied"),
        ({"ended": "civil_war", "completed": 9}, "does not end like this: civil_war"),
        ({"ended": "civil_war", "blue": "1166", "completed": 9}, "does not end like this: civil_war"),
        ({"ended": "limit", "completed": 499}, "does not end like this: limit"),
        ({"ended": "limit", "completed": 500, "red": "222", "winner": "blue"}, "has not won"),
        ({"ended": "even", "completed": 500}, "ended: 'even' is not one of"),
        ({"ended": "dice", "completed": 500, "red": "222"}, "ended: 'dice' is not one of"),
        ({"ended": "left", "completed": 9}, "winner: red or blue is needed"),
        ({"ended": "left", "completed": 500, "winner": "red"}, "does not end like this: left"),
        ({"ended": "left", "completed": 5, "winner": "red", "blue": ""}, "does not end like this: left"),
        (
            {"ended": "left", "completed": 5, "winner": "red", "roll": "gather"},
            "does not end like this: left",
        ),
        ({"ended": "left", "completed": 5, "winner": "red", "turn": "chance"}, "first action only"),
        ({"ended": "emptied", "blue": "", "completed": 9, "winner": "blue"}, "has not won"),
    ],
)
def test_each_wrong_position_has_its_reason(change: dict[str, Any], reason: str) -> None:
    data: dict[str, Any] = {"red": "22222", "blue": "22222", "turn": "red"}
    with pytest.raises(ValueError, match=reason):
        GAME.load(data | change, 2)


@rows(
    "change, reason",
    [
        ({"ended": "dice", "completed": 500}, "does not end like this: dice"),
        ({"ended": "dice", "completed": 499, "red": "222"}, "does not end like this: dice"),
        ({"ended": "even", "completed": 500, "red": "222"}, "does not end like this: even"),
        ({"ended": "even", "completed": 500, "winner": "red"}, "has not won"),
        ({"ended": "limit", "completed": 500}, "ended: 'limit' is not one of"),
    ],
)
def test_positions_of_version_1_keep_its_endings(change: dict[str, Any], reason: str) -> None:
    data: dict[str, Any] = {"red": "22222", "blue": "22222", "turn": "red"}
    with pytest.raises(ValueError, match=reason):
        GAME.load(data | change, 1)


def test_other_things_are_no_positions() -> None:
    odd: tuple[Any, ...] = (None, [], "22222", 5)
    for data in odd:
        with pytest.raises(ValueError, match="an object"):
            GAME.load(data, 1)
    for rules in (0, 3):
        with pytest.raises(ValueError, match=f"no version {rules}"):
            GAME.load(dict(START), rules)


def test_a_position_reads_well_in_a_traceback() -> None:
    assert repr(begin()) == "State(22222 v 22222, turn=0, 0)"
    assert GAME.to_act(GAME.load(dict(START), 1)) == {CHANCE}
