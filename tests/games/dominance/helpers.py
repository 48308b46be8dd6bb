"""Positions in one line, and the few steps that every test of Dominance takes."""

from __future__ import annotations

from random import Random
from typing import Any

from games.dominance import GAME
from games.dominance.actions import Action
from games.dominance.boards import names_of
from games.dominance.rules import State
from games.engine.game import Done, Fact, Outcome, Rejected, Seat

BOARD_KEYS = ("hex4", "hex5", "sq7")


def position(red: str, black: str, turn: str = "R", **more: Any) -> State:
    """`position("c3 f4", "d4", lost={"B": 8})`: pools as left over from ten."""
    return GAME.load({"pieces": {"R": red.split(), "B": black.split()}, "turn": turn} | more, 1)


def begin(board: str = "hex4") -> State:
    """The empty board."""
    return GAME.start(GAME.setup(2, {"board": board})).state


def seat_to_act(state: State) -> Seat:
    """The one seat that is to act."""
    (seat,) = GAME.to_act(state)
    return seat


def step(state: State, text: str) -> tuple[State, tuple[Fact, ...]]:
    """Type an action for whoever is to act: the position after it, and what happened."""
    seat = seat_to_act(state)
    read = GAME.parse(state, seat, text)
    assert isinstance(read, Done), read
    done = GAME.apply(state, seat, read.action)
    return done.state, done.facts


def after(state: State, *texts: str) -> State:
    """The position after some actions."""
    for text in texts:
        state, _ = step(state, text)
    return state


def told(state: State, text: str) -> list[str]:
    """The keys, without the game's prefix, of what is said of an action."""
    return [fact.msg.key.removeprefix("dominance.fact.") for fact in step(state, text)[1]]


def why_not(state: State, text: str) -> str:
    """The reason, without the game's prefix, for which a text is rejected for whoever is to act."""
    read = GAME.parse(state, seat_to_act(state), text)
    assert isinstance(read, Rejected), read
    return read.why.key.removeprefix("dominance.refuse.")


def legal(state: State) -> list[str]:
    """What whoever is to act may do, as typed."""
    return [GAME.format(state, action) for action in GAME.actions(state, seat_to_act(state))]


def spawns(state: State) -> list[str]:
    """The spawn spaces on which whoever is to act may spawn."""
    return [text[1:] for text in legal(state) if text.startswith("+")]


def red(state: State) -> str:
    """Where Red stands."""
    return " ".join(names_of(state.men[0]))


def black(state: State) -> str:
    """Where Black stands."""
    return " ".join(names_of(state.men[1]))


def turn(state: State) -> str:
    """Who is to act."""
    return "RB"[seat_to_act(state)]


def result(state: State) -> tuple[str, tuple[int, ...]]:
    """How it ended, and the ranks; nobody is to act any more."""
    outcome = GAME.outcome(state)
    assert isinstance(outcome, Outcome)
    assert GAME.to_act(state) == frozenset()
    return outcome.why.key.removeprefix("dominance.outcome."), outcome.ranks


def greedy(state: State, random: Random) -> Action:
    """The action that looks best at once; among equals, any."""
    seat = seat_to_act(state)
    actions = list(GAME.actions(state, seat))
    random.shuffle(actions)
    return max(actions, key=lambda a: GAME.evaluate(GAME.apply(state, seat, a).state, seat))
