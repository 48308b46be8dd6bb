"""Positions in one line, and the few steps that every test of Two Domains takes."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from games.engine.game import CHANCE, Done, Outcome, Rejected, Seat
from games.engine.message import Msg
from games.two_domains import GAME
from games.two_domains.actions import FIRST, ROLLS, Action
from games.two_domains.rules import State


def position(mine: str, theirs: str, turn: str = "red", *, rules: int = GAME.rules, **more: Any) -> State:
    """Return the lines of the seat to act and of the other side, from Home to Front."""
    other = "blue" if turn == "red" else "red"
    return GAME.load({turn: mine, other: theirs, "turn": turn, **more}, rules)


def begin(first: int = 0, rules: int = GAME.rules) -> State:
    """Return the first turn of the seat `first`."""
    setup = replace(GAME.setup(2), rules=rules)
    return GAME.apply(GAME.start(setup).state, CHANCE, FIRST[first]).state


def seat_to_act(state: State) -> Seat:
    """Return the one seat that is to act; chance where dice are due."""
    (seat,) = GAME.to_act(state)
    return seat


def act(state: State, text: str, roll: int | None = None) -> tuple[State, tuple[Msg, ...]]:
    """Type an action for the seat to act and roll if due; return the position then, and the facts."""
    seat = seat_to_act(state)
    read = GAME.parse(state, seat, text)
    assert isinstance(read, Done), read
    step = GAME.apply(state, seat, read.action)
    said = step.facts
    assert bool(step.state.roll) == (roll is not None), "a roll is given exactly where one is due"
    if roll is not None:
        assert GAME.to_act(step.state) == {CHANCE}
        assert GAME.refuse(step.state, CHANCE, ROLLS[roll - 1]) is None
        step = GAME.apply(step.state, CHANCE, ROLLS[roll - 1])
        said += step.facts
    return step.state, tuple(fact.msg for fact in said)


def after(state: State, text: str, roll: int | None = None) -> State:
    """Return the position after one action."""
    return act(state, text, roll)[0]


def lines(mine: str, theirs: str, text: str, roll: int | None = None) -> tuple[str, str]:
    """Return both lines after one action of the first; the same for either seat."""
    red = after(position(mine, theirs, "red"), text, roll)
    blue = after(position(mine, theirs, "blue"), text, roll)
    assert red.domains == blue.domains[::-1]
    assert not GAME.to_act(red) or seat_to_act(red) == 1 - seat_to_act(blue)
    return red.domains


def legal(state: State) -> list[str]:
    """Return what the seat to act may do, as typed."""
    return [GAME.format(state, action) for action in GAME.actions(state, seat_to_act(state))]


def may(mine: str, theirs: str = "22222") -> list[str]:
    """Return what the owner of a line may do."""
    return legal(position(mine, theirs))


def why_not(state: State, text: str) -> str:
    """Return the reason, without the game's prefix, for which a text is rejected for the seat to act."""
    read = GAME.parse(state, seat_to_act(state), text)
    assert isinstance(read, Rejected), read
    return read.why.key.removeprefix("two_domains.refuse.")


def result(state: State) -> tuple[str, tuple[int, ...]]:
    """Return how it ended, and the ranks; no one is to act any more."""
    outcome = GAME.outcome(state)
    assert isinstance(outcome, Outcome)
    assert GAME.to_act(state) == frozenset()
    return outcome.why.key.removeprefix("two_domains.outcome."), outcome.ranks


def greedy(state: State, random: Random) -> Action:
    """Return the action with the best evaluation; among equals, any."""
    seat = seat_to_act(state)
    actions = list(GAME.actions(state, seat))
    random.shuffle(actions)
    return max(actions, key=lambda a: GAME.evaluate(GAME.apply(state, seat, a).state, seat))
