"""Positions in one line, and the few steps that every test of Focus takes."""

from __future__ import annotations

from random import Random
from typing import Any

from games.engine.game import CHANCE, Done, Outcome, Rejected, Seat
from games.engine.message import Msg
from games.focus import GAME
from games.focus.actions import Action, FirstPlayer
from games.focus.board import PILE, SPACES
from games.focus.rules import State

VARIANTS: dict[str, tuple[int, dict[str, Any]]] = {
    "2": (2, {}),
    "3": (3, {}),
    "4": (4, {}),
    "partners": (4, {"partners": True}),
    "2 fast": (2, {"fast": True}),
    "3 fast": (3, {"fast": True}),
    "4 fast": (4, {"fast": True}),
}
"""Every variant, as arguments of `Game.setup`."""


def position(piles: str, turn: str, seats: int = 2, **more: Any) -> State:
    """`position("e4=RRG b4=GR", turn="G", reserve={"R": 1})`: piles from the bottom to the top."""
    laid = dict(pile.split("=") for pile in piles.split())
    data: dict[str, Any] = {"seats": seats, "piles": laid, "turn": turn}
    return GAME.load(data | more, 1)


def begin(variant: str, first: int = 0) -> State:
    """Return the first turn of the seat `first`."""
    seats, options = VARIANTS[variant]
    state = GAME.start(GAME.setup(seats, options)).state
    return GAME.apply(state, CHANCE, FirstPlayer(first)).state


def seat_to_act(state: State) -> Seat:
    """Return the one seat that is to act."""
    (seat,) = GAME.to_act(state)
    return seat


def act(state: State, text: str) -> tuple[State, tuple[Msg, ...]]:
    """Type a move for the seat to act; return the position after it, and the facts."""
    seat = seat_to_act(state)
    read = GAME.parse(state, seat, text)
    assert isinstance(read, Done), read
    step = GAME.apply(state, seat, read.action)
    return step.state, tuple(fact.msg for fact in step.facts)


def after(state: State, *texts: str) -> State:
    """Return the position after some moves."""
    for text in texts:
        state, _ = act(state, text)
    return state


def why_not(state: State, text: str) -> str:
    """Return the reason, without the game's prefix, for which a text is rejected for the seat to act."""
    read = GAME.parse(state, seat_to_act(state), text)
    assert isinstance(read, Rejected), read
    return read.why.key.removeprefix("focus.refuse.")


def legal(state: State) -> list[str]:
    """Return what the seat to act may do, as typed."""
    return [GAME.format(state, action) for action in GAME.actions(state, seat_to_act(state))]


def pile(state: State, space: str) -> str:
    """Return what stands on a space, the top last."""
    return PILE[state.board[SPACES.index(space)]]


def turn(state: State) -> str:
    """Return the colour to act."""
    return state.variant.colours[seat_to_act(state)]


def reserve(state: State, colour: str) -> int:
    """Return how many pieces a colour has in reserve."""
    return state.reserve[state.variant.seat_of[colour]]


def captured(state: State, by: str) -> dict[str, int]:
    """Return what a colour took out of play."""
    row = state.captured[state.variant.seat_of[by]]
    return {colour: n for colour, n in zip(state.variant.colours, row, strict=True) if n}


def result(state: State) -> tuple[str, tuple[int, ...]]:
    """Return how it ended, and the ranks; no one is to act any more."""
    outcome = GAME.outcome(state)
    assert isinstance(outcome, Outcome)
    assert GAME.to_act(state) == frozenset()
    return outcome.why.key.removeprefix("focus.outcome."), outcome.ranks


def greedy(state: State, random: Random) -> Action:
    """Return the action with the best evaluation; among equals, any."""
    seat = seat_to_act(state)
    actions = list(GAME.actions(state, seat))
    random.shuffle(actions)
    return max(actions, key=lambda a: GAME.evaluate(GAME.apply(state, seat, a).state, seat))
