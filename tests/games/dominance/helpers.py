"""Positions in one line, and the few steps that every test of Dominance takes."""

from __future__ import annotations

from random import Random
from typing import Any

from games.dominance import GAME
from games.dominance.actions import Action
from games.dominance.board import names_of
from games.dominance.rules import State
from games.engine.game import Done, Fact, Outcome, Rejected, Seat

BOARD_KEYS = ("hex4", "hex5", "sq7")


def position(red: str, black: str, turn: str = "R", **more: Any) -> State:
    """`position("c3 f4", "d4", lost={"B": 8})`: pools as left over from ten."""
    return GAME.load({"pieces": {"R": red.split(), "B": black.split()}, "turn": turn} | more, 1)


def begin(board: str = "hex4") -> State:
    """Return the empty board."""
    return GAME.start(GAME.setup(2, {"board": board})).state


def seat_to_act(state: State) -> Seat:
    """Return the one seat that is to act."""
    (seat,) = GAME.to_act(state)
    return seat


def step(state: State, text: str) -> tuple[State, tuple[Fact, ...]]:
    """Type an action for the seat to act; return the position after it, and the facts."""
    seat = seat_to_act(state)
    read = GAME.parse(state, seat, text)
    assert isinstance(read, Done), read
    done = GAME.apply(state, seat, read.action)
    return done.state, done.facts


def after(state: State, *texts: str) -> State:
    """Return the position after some actions."""
    for text in texts:
        state, _ = step(state, text)
    return state


def told(state: State, text: str) -> list[str]:
    """Return the keys of the facts of an action, without the game's prefix."""
    return [fact.msg.key.removeprefix("dominance.fact.") for fact in step(state, text)[1]]


def why_not(state: State, text: str) -> str:
    """Return the reason, without the game's prefix, for which a text is rejected for the seat to act."""
    read = GAME.parse(state, seat_to_act(state), text)
    assert isinstance(read, Rejected), read
    return read.why.key.removeprefix("dominance.refuse.")


def legal(state: State) -> list[str]:
    """Return what the seat to act may do, as typed."""
    return [GAME.format(state, action) for action in GAME.actions(state, seat_to_act(state))]


def spawns(state: State) -> list[str]:
    """Return the spawn spaces on which the seat to act may spawn."""
    return [text[1:] for text in legal(state) if text.startswith("+")]


def red(state: State) -> str:
    """Return where Red stands."""
    return " ".join(names_of(state.men[0]))


def black(state: State) -> str:
    """Return where Black stands."""
    return " ".join(names_of(state.men[1]))


def turn(state: State) -> str:
    """Return who is to act."""
    return "RB"[seat_to_act(state)]


def result(state: State) -> tuple[str, tuple[int, ...]]:
    """Return how it ended, and the ranks; no one is to act any more."""
    outcome = GAME.outcome(state)
    assert isinstance(outcome, Outcome)
    assert GAME.to_act(state) == frozenset()
    return outcome.why.key.removeprefix("dominance.outcome."), outcome.ranks


def greedy(state: State, random: Random) -> Action:
    """Return the action with the best evaluation; among equals, any."""
    seat = seat_to_act(state)
    actions = list(GAME.actions(state, seat))
    random.shuffle(actions)
    return max(actions, key=lambda a: GAME.evaluate(GAME.apply(state, seat, a).state, seat))
