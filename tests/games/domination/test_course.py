"""Whole matches: all modes, scales, setups and numbers of seats come to an end; logs can be replayed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from games.domination.rules.actions import Action
from games.domination.rules.position import State
from games.engine import registry
from games.engine.dice import Dice, Sealed
from games.engine.game import CHANCE, Seat, Setup
from games.engine.match import Change, Match, begin, fold, leave, play, verify
from games.engine.message import Msg
from tests.games.domination.helpers import GAME
from tests.soak import sampled

pytestmark = pytest.mark.slow

MODES = ("domination", "capital", "mission")
SCALES = ("increasing", "fixed", "italian")
SETUPS = ("draft", "deal", "auto")
HOUSE: list[dict[str, Any]] = [
    {"defence": 3, "hand": 0, "recycle": False, "minimum": 0},
    {"cards": "italian", "italian_bonus": "each", "fortify": "connected", "hand": 5, "defence": 2},
    {"mode": "mission", "onward": "end", "minimum": 0, "fortify": "connected"},
    {"mode": "capital", "onward": "end", "even": True, "setup": "auto"},
]


@pytest.fixture(autouse=True)
def seated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let logs find the test's game, which isn't in the registry."""
    before = registry.get
    monkeypatch.setattr(registry, "get", lambda key: GAME if key == GAME.key else before(key))


def choice(state: State, seat: Seat, rng: Random) -> Action:
    """Return a random action, mostly a decisive one: an attack to the last army."""
    legal = list(GAME.actions(GAME.view(state, seat), seat))
    bold = [action for action in legal if action.how == "until" and action.n == 1]
    return rng.choice(bold if bold and rng.random() < 0.9 else legal)


def played(setup: Setup, seed: int) -> Match:
    """Play a whole match by random choices."""
    rng, sealed = Random(seed), Sealed(bytes([seed]) * 32, "C-1", "salt")
    change = begin(GAME, setup, sealed)
    while not change.match.ending:
        seat = rng.choice(sorted(change.match.to_act))
        after = play(change.match, seat, choice(change.match.state, seat, rng), sealed)
        assert isinstance(after, Change), after
        change = after
    return change.match


def walked(setup: Setup, seed: int) -> Iterator[tuple[State, Seat, Action]]:
    """Play a match without the engine, yielding each state and its action."""
    rng, sealed = Random(seed), Sealed(bytes([seed]) * 32, "C-1", "salt")
    state = GAME.start(setup).state
    for seq in range(GAME.max_actions(setup)):
        due = GAME.to_act(state)
        assert (GAME.outcome(state) is None) == bool(due)
        assert not due & GAME.eliminated(state)
        if not due:
            return
        seat = rng.choice(sorted(due))
        action = GAME.draw(state, sealed.dice(seq)) if seat == CHANCE else choice(state, seat, rng)
        assert GAME.refuse(state, seat, action) is None
        yield state, seat, action
        state = GAME.apply(state, seat, action).state
    raise AssertionError("the bound was passed")


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("mode", MODES)
def test_every_way_to_play_comes_to_its_end(mode: str, seats: int) -> None:
    for n, scale in sampled(enumerate(SCALES), list(enumerate(SCALES))[seats % 2 :: 2]):
        start = SETUPS[(n + seats) % 3]
        setup = GAME.setup(seats, {"mode": mode, "cards": scale, "setup": start, "cap": 10})
        assert GAME.refuse_setup(setup) is None
        for state, seat, action in walked(setup, 1 + n):
            place = state.position
            held = [len(own.hand) for own in state.own]
            assert (held, len(state.deck)) == (list(place.info.cards), place.info.left)
            assert GAME.decode(GAME.encode(action)) == action
            assert seat == CHANCE or -1.0 <= GAME.evaluate(GAME.view(state, seat), seat) <= 1.0


@pytest.mark.parametrize("options", HOUSE)
def test_house_rules_come_to_their_end(options: dict[str, Any]) -> None:
    setup = GAME.setup(2 if "even" in options else 3, {"cap": 10, "setup": "deal", **options})
    assert GAME.refuse_setup(setup) is None
    assert sum(1 for _ in walked(setup, 5)) > 0


@pytest.mark.parametrize("setup", SETUPS)
def test_logs_replay_and_dice_are_proved(setup: str) -> None:
    for mode in MODES:
        match = played(GAME.setup(3, {"mode": mode, "setup": setup, "cap": 10}), 3)
        again = fold(match.log)
        assert again == match
        assert hash(again.state) == hash(match.state)
        assert verify(match.log) == ()
        assert match.ending is not None
        assert match.ending.outcome is not None
        assert min(match.ending.outcome.ranks) == 1


def test_positions_survive_json() -> None:
    for mode, setup in zip(MODES, SETUPS, strict=True):
        for n, (state, _, _) in enumerate(
            walked(GAME.setup(4, {"mode": mode, "setup": setup, "cap": 10}), 2)
        ):
            if n < 60 or n % 7 == 0:
                data = GAME.dump(state)
                again = GAME.load(json.loads(json.dumps(data)), GAME.rules)
                assert again == state
                assert GAME.dump(again) == data


def test_everybody_may_leave_at_any_time() -> None:
    sealed = Sealed(bytes(32), "C-2", "salt")
    for mode, setup in zip(MODES, SETUPS, strict=True):
        rng = Random(9)
        change = begin(GAME, GAME.setup(4, {"mode": mode, "setup": setup}), sealed)
        stops = 0
        while not change.match.ending and stops < 160:
            stops += 1
            if stops % 8 == 0:
                _all_leave(change.match, sealed, rng)
            seat = rng.choice(sorted(change.match.to_act))
            after = play(change.match, seat, choice(change.match.state, seat, rng), sealed)
            assert isinstance(after, Change)
            change = after


def _all_leave(match: Match, sealed: Sealed, rng: Random) -> None:
    while not match.ending:
        seat = rng.choice(sorted(match.playing))
        change = leave(match, seat, "resign", sealed)
        assert isinstance(change, Change)
        match = change.match
        assert GAME.load(json.loads(json.dumps(GAME.dump(match.state))), GAME.rules) == match.state
        assert (GAME.outcome(match.state) is None) == bool(GAME.to_act(match.state))
        assert seat not in match.to_act
        assert isinstance(leave(match, seat, "resign", sealed), Msg)
        for _ in range(0 if match.ending else 3):
            if not match.ending:
                by = rng.choice(sorted(match.to_act))
                moved = play(match, by, choice(match.state, by, rng), sealed)
                assert isinstance(moved, Change)
                match = moved.match
    assert match.ending.outcome is not None


def test_setups_are_judged() -> None:
    assert GAME.refuse_setup(GAME.setup(6, {"mode": "mission"})) is None
    for bad in (GAME.setup(7), GAME.setup(3, {"even": True}), GAME.setup(2, {"map": "moon"}), GAME.setup(1)):
        assert GAME.refuse_setup(bad) is not None


def test_a_view_shows_ones_own_secrets_only() -> None:
    for state, seat, action in walked(GAME.setup(3, {"mode": "mission", "cap": 10}), 4):
        view = GAME.view(state, seat) if seat != CHANCE else GAME.view(state, None)
        assert (view.own is None) == (seat == CHANCE)
        others = tuple(own if n == seat else own._replace(hand=()) for n, own in enumerate(state.own))
        assert GAME.view(state._replace(own=others, deck=()), None) == GAME.view(state, None)
        if seat != CHANCE:
            silent = GAME.default(view, seat)
            assert silent is not None
            assert GAME.refuse(state, seat, silent) is None
            for dice in (None, Dice(b"guessed", "", 0, "")):
                guess = GAME.guess(view, seat, dice)
                assert guess is None or GAME.view(guess, seat) == view
                assert guess is None or GAME.refuse(guess, seat, action) is None
                assert guess is None or (len(guess.deck), guess.position) == (len(state.deck), state.position)


def test_chance_may_not_do_as_it_likes() -> None:
    setup = GAME.setup(3, {"mode": "mission", "setup": "auto"})
    kinds = set()
    for n, (state, seat, action) in enumerate(walked(setup, 4)):
        if n > 300:
            break
        if seat != CHANCE:
            continue
        kinds.add(action.kind)
        for wire in (
            "deal 0,1,2",
            "missions 1,1,2",
            "missions 0,2,999",
            "spread 1,1",
            "roll 6 1111",
            "card x",
            "end",
        ):
            assert GAME.refuse(state, seat, GAME.decode(wire)) is not None, wire
        assert GAME.refuse(state, Seat(0), action) is not None
    assert kinds == {"deal", "missions", "spread", "roll", "card"}
