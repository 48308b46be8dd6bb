"""The course of a match: the throw, the secret Sergeants, turns, every way to end it, and the edges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games.dominion import actions, endings, fate, judge, position_json, turns
from games.dominion.actions import Action
from games.dominion.game import Dominion
from games.dominion.position import VERSION, State, View
from games.engine.dice import Sealed
from games.engine.game import CHANCE, Done, Partial, Rejected, Seat, SeatLook, Setup
from games.engine.message import msg
from games.engine.scene import Scene
from tests.games.dominion.helpers import N, S, act, any_action, at, keys, lawful, position, ready, step, why
from tests.rows import rows


class Bare(Dominion):
    """The game with the log's notation and without a scene."""

    def look(self, setup: Setup, seat: Seat) -> SeatLook:
        return SeatLook(msg("bare"), "red", "disc", "B", "b")

    def read(self, view: View, seat: int, text: str) -> Done[Action] | Partial | Rejected:
        return Done(self.decode(text), spans=((0, len(text)),))

    def format(self, view: View, action: Action) -> str:
        return action.text

    def scene(self, view: View, viewer: int | None) -> Scene:
        raise LookupError("there is no picture here")


GAME = Bare()
SETUPS: list[dict[str, Any]] = [
    {"seats": 2},
    {"seats": 3, "options": {"empty": "south", "sandwiched": "first"}},
    {"seats": 4, "options": {"sticks": "sticks", "fate": 2}},
    {"seats": 4, "options": {"allied": True, "succession": "kind"}},
]


def _played(setup: Setup, seed: int) -> Iterator[tuple[State, Seat, Action]]:
    """Play a match like the engine: chance by dice, seats at random."""
    rng, sealed = Random(seed), Sealed(bytes([seed]) * 32, "A1", "salt")
    state = GAME.start(setup).state
    for seq in range(GAME.max_actions(setup) + 1):
        due = GAME.to_act(state)
        if not due:
            assert GAME.outcome(state) is not None
            return
        assert GAME.outcome(state) is None
        if due == {CHANCE}:
            seat, action = CHANCE, GAME.draw(state, sealed.dice(seq))
        else:
            seat, action = any_action(state, rng)
        yield state, seat, action
        assert GAME.refuse(state, seat, action) is None
        state = GAME.apply(state, seat, action).state
    raise AssertionError("the bound was passed")


@pytest.mark.parametrize("setup", SETUPS)
def test_matches_end_within_their_bound_and_wires_come_back(setup: dict[str, Any]) -> None:
    made = GAME.setup(**setup)
    assert GAME.refuse_setup(made) is None
    for _, _, action in _played(made, 7):
        assert GAME.decode(GAME.encode(action)) == action


def test_setups_are_judged() -> None:
    for bad in (
        GAME.setup(5),
        GAME.setup(2, {"allied": True}),
        GAME.setup(4, {"fate": 1}),
        GAME.setup(4, {"allied": 1}),
        Setup(2, (0, 0), GAME.setup(2).options),
        Setup(2, (0, 1), {}),
        Setup(2, (0, 1), GAME.setup(2).options, 3),
    ):
        assert GAME.refuse_setup(bad) is not None


# --- the start -------------------------------------------------------------------------------------------


def test_the_highest_throw_starts_and_tied_leaders_throw_again() -> None:
    state = turns.begin(lawful(4))
    for bad in (
        "throw 6,6,1,1",
        "throw 6,1,1",
        "throw 0,1,2,3",
        "throw 6,1,1,1/6",
        "throw 6,6,1,1/6,1,1",
        "pass",
    ):
        assert judge.refuse(state.position, CHANCE, actions.decode(bad)) is not None, bad
    begun = act(state, "throw 5,5,1,5/2,6,6/3,4")
    assert begun.position.first == 3
    assert judge.to_act(begun.position) == {0, 1, 2, 3}


def test_the_sandwiched_team_may_begin() -> None:
    begun = turns.begin(lawful(3, "west", sandwiched="first")).position
    assert begun.law.sides[begun.first] == 1
    assert begun.phase == "sergeants"


def test_sergeants_are_chosen_in_secret_and_revealed_together() -> None:
    state = act(turns.begin(lawful()), "throw 1,2")
    one = turns.play(state, S, actions.decode("sergeants f3 h3")).state
    assert at(one, "f3") == "1S"
    assert judge.to_act(one.position) == {N}
    assert judge.view(one, S).own is not None
    other = turns.play(state, S, actions.decode("sergeants e3 i3")).state
    for viewer in (None, N):
        assert judge.view(one, viewer) == judge.view(other, viewer)
    assert why(one, "sergeants f3 g3", S) == "refuse.chosen"
    assert why(one, "sergeants f11 g12", N) == "refuse.sergeants"
    both = turns.play(one, N, actions.decode("sergeants e12 i12")).state
    assert [at(both, square) for square in ("f3", "h3", "e12", "i12")] == ["1R", "1R", "0R", "0R"]
    assert (both.position.phase, both.position.turn) == ("move", S)
    assert both.chosen == (None, None)


def test_turns_go_clockwise_and_over_who_is_out() -> None:
    state = ready(lawful(4), first=2)
    seen = []
    for wire in ("e3-e4", "c5-d5", "e11-e10", "k5-j5"):
        seen.append(state.position.turn)
        state = act(act(state, wire), "fate no")
    assert seen == [2, 3, 0, 1]
    assert state.position.round == 2
    gone = turns.forfeit(state, Seat(3)).state
    assert act(act(gone, "e4-e5" if at(gone, "e5") == "" else "i3-i4"), "fate no").position.turn == 0


def test_who_is_not_to_act_is_told_why() -> None:
    state = ready(lawful())
    assert why(state, "e3-e4", S) == "refuse.turn"
    assert why(state, "fate no", CHANCE) == "refuse.chance"
    assert why(state, "e3-e4") == "refuse.not_yours"
    assert why(state, "e5-e6") == "refuse.free_peasant"
    assert why(state, "a1-a2") == "refuse.empty"
    assert why(state, "pass") == "refuse.pass"
    assert why(state, "stay") == "refuse.due.move"


def test_who_has_no_move_passes_and_fate_is_asked() -> None:
    state = position(turn=N, p0="Ea13 Sa12 Sb13 Sb12", p1="Gg1", free="a11 b11 c12 c13")
    assert "pass" not in {action.text for action in judge.legal(state.position, N)}
    stuck = position(turn=N, p0="Ea13 pa12 pb13 pb12", p1="Em1 Sm2", free="a11 b11 c12 c13")
    assert [action.text for action in judge.legal(stuck.position, N)] == ["pass"]
    assert step(stuck, "pass").state.position.phase == "fate"


# --- the end ---------------------------------------------------------------------------------------------


@rows(
    "south, ranks, reason",
    [("Gg7 Gh6", (2, 1), "points"), ("Sg7", (1, 1), "draw"), ("Rg7", (2, 1), "points")],
)
def test_too_long_without_an_event_and_the_points_are_counted(
    south: str, ranks: tuple[int, int], reason: str
) -> None:
    state = position(p1=f"Em1 {south}", p0="Ea13", quiet=59)
    last = act(act(state, "m1-m2"), "fate no")
    assert last.position.outcome is not None
    assert last.position.outcome.ranks == ranks
    assert last.position.outcome.why.key == f"dominion.outcome.{reason}"


@pytest.mark.parametrize(("rules", "reason"), [(1, "points"), (2, "draw")])
def test_an_admiral_counts_three_points_and_five_by_version_1(rules: int, reason: str) -> None:
    """Winning against a Sergeant's 2 points takes 4.5."""
    state = position(p1="Em1 Ag7", p0="Ea13 Ra10", quiet=59, law=lawful(rules=rules))
    last = act(act(state, "m1-m2"), "fate no")
    assert endings.half_points(last.position) == (4, 6 if rules == 2 else 10)
    assert last.position.outcome is not None
    assert last.position.outcome.why.key == f"dominion.outcome.{reason}"


@pytest.mark.parametrize("rules", [1, 2])
def test_a_position_of_either_version_comes_back(rules: int) -> None:
    state = GAME.start(replace(GAME.setup(2), rules=rules)).state
    assert state.position.law.rules == rules
    data: Any = GAME.dump(state)
    assert "rules" not in data["law"], "the match says it, not the position"
    assert GAME.load(data, rules) == state
    assert GAME.load(data, 3 - rules) != state


def test_events_begin_the_count_anew() -> None:
    state = position(p1="Em1 Gg7", p0="Ea13", free="g9", quiet=59)
    assert act(act(state, "g7-g9"), "fate no").position.quiet == 0


def test_the_last_round() -> None:
    state = position(turn=1, round=endings.max_rounds(2), p1="Gg7", p0="Sa10")
    assert act(act(state, "g7-g8"), "fate no").position.phase == "over"
    early = position(turn=1, round=endings.max_rounds(2) - 1, p1="Gg7", p0="Sa10")
    assert act(act(early, "g7-g8"), "fate no").position.phase == "move"


def test_giving_up_is_a_fall_without_an_heir() -> None:
    two = turns.forfeit(ready(lawful()), Seat(S)).state
    assert two.position.outcome is not None
    assert two.position.outcome.ranks == (1, 2)
    three = ready(lawful(3))
    gone = turns.forfeit(three, Seat(0)).state
    assert (gone.position.turn, gone.position.phase) == (1, "move"), "no throw after it"
    assert at(gone, "e11") == "p"
    assert at(gone, "g12") == ""
    done = turns.forfeit(gone, Seat(2)).state
    assert done.position.outcome is not None
    assert done.position.outcome.ranks == (3, 1, 2)
    with pytest.raises(ValueError, match="can't resign"):
        turns.forfeit(gone, Seat(0))


def test_giving_up_before_the_first_move() -> None:
    thrown = turns.forfeit(turns.begin(lawful(3)), Seat(0)).state
    begun = act(thrown, "throw 2,5")
    assert judge.to_act(begun.position) == {1, 2}
    one = turns.play(begun, 1, actions.sergeants(*_pair(begun, 1))).state
    last = turns.forfeit(one, Seat(2)).state
    assert last.position.phase == "over"
    four = act(turns.begin(lawful(4)), "throw 6,1,1,1")
    for seat in (1, 2, 3):
        four = turns.play(four, seat, actions.sergeants(*_pair(four, seat))).state
    revealed = turns.forfeit(four, Seat(0)).state
    assert (revealed.position.phase, revealed.position.turn) == ("move", 1)


def _pair(state: State, seat: int) -> tuple[int, int]:
    first = judge.legal(state.position, seat)[0]
    return first.a, first.b


def test_a_camp_loses_when_both_are_out() -> None:
    state = turns.forfeit(ready(lawful(4, allied=True)), Seat(0)).state
    assert state.position.phase == "move"
    done = turns.forfeit(state, Seat(2)).state
    assert done.position.outcome is not None
    assert done.position.outcome.ranks == (2, 1, 2, 1)


def test_allies_don_t_take_recruit_or_contest_with_each_other() -> None:
    law = lawful(4, allied=True)
    state = position(turn=2, law=law, p2="Gg7 Rf4 Rh4", p0="Sg9 pg4")
    assert why(state, "g7-g9") == "refuse.move why.ally"
    assert at(state, "g4") == "0p"
    both = position(turn=2, law=law, p2="Rf4 Rh4", p0="Gg3 Gg5", free="g4")
    assert at(both, "g4") == "2p", "the acting team takes it"
    assert keys(turns.forfeit(both, Seat(2)).facts)[0] == "out"


# --- the edges -------------------------------------------------------------------------------------------


@rows(
    "wire",
    ["", "e4", "e4-e4", "e4-n4", "e3-e4 ", "E3-e4", "promote f3=E", "promote f3", "demote f3=p", "peasant z9",
     "fate 7", "fate", "fate -1", "throw", "throw 1,a", "throw 1,,2", "sergeants f3", "sergeants h3 f3",
     "sergeants f3 f3", "promote f3=", "stay now", "promote f3=WX"],
)  # fmt: skip
def test_no_other_wire_is_read(wire: str) -> None:
    with pytest.raises(ValueError, match="isn't an action of Dominion"):
        actions.decode(wire)


@rows(
    "part, value",
    [("pieces", None), ("pieces", {"7": []}), ("pieces", {"0": ["Eg13", "Gg13"]}), ("pieces", {"0": ["Qg1"]}),
     ("pieces", {"0": "Eg1"}), ("turn", 2), ("turn", True), ("round", -1), ("phase", "tea"), ("out", [0]),
     ("out", [0, 0]), ("pending", [0]), ("stirred", 1), ("ready", [True]), ("chosen", [["f3", "h3"], None]),
     ("chosen", [3, None]), ("outcome", [[1, 2], "last"]), ("outcome", 4), ("law", {"sides": [2, 0]}),
     ("law", {"camps": [0, 0]}), ("law", {"fate": 1}), ("law", {"sticks": "bones"}), ("law", 3),
     ("law", {"sides": []}), ("phase", "over"), ("phase", "heir"), ("phase", "promote_upper"), ("more", 1)],
)  # fmt: skip
def test_no_other_position_is_loaded(part: str, value: Any) -> None:
    good: dict[str, Any] = {"pieces": {"0": ["Eg13"], "1": ["Eg1"]}}
    assert position_json.load(good, VERSION).position.phase == "move"
    with pytest.raises(ValueError, match=":"):
        position_json.load(good | {part: value}, VERSION)


def test_too_many_of_a_kind_are_no_position() -> None:
    for row in (["Eg1", "Eg2"], ["Eg1", "Ga1", "Ga2", "Ga3"], ["Eg1", *(f"R{f}4" for f in "abcd")]):
        data: dict[str, Any] = {"pieces": {"0": ["Eg13"], "1": row}}
        with pytest.raises(ValueError, match="more of a kind"):
            position_json.load(data, VERSION)


def test_more_is_better_and_the_end_is_all_or_nothing() -> None:
    even = ready(lawful())
    assert GAME.evaluate(GAME.view(even, None), Seat(N)) == 0.0
    ahead = position(p1="Gg7", p0="Sa10")
    assert 0 < GAME.evaluate(GAME.view(ahead, None), Seat(S)) < 1
    assert GAME.evaluate(GAME.view(ahead, None), Seat(N)) < 0
    done = turns.forfeit(even, Seat(S)).state
    assert GAME.evaluate(GAME.view(done, None), Seat(S)) == -1.0
    assert GAME.evaluate(GAME.view(done, None), Seat(N)) == 1.0


def test_sticks_are_counted_and_a_die_has_six_faces() -> None:
    assert list(fate.faces(lawful(sticks="sticks"))) == [0, 1, 2, 3, 4, 5, 6]
    assert list(fate.faces(lawful())) == [1, 2, 3, 4, 5, 6]
    sealed = Sealed(bytes(32), "A1", "salt")
    law = lawful(sticks="sticks")
    assert {fate.throw_sticks(law, sealed.dice(seq)) for seq in range(400)} == set(range(7))
