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

WAYS: dict[str, tuple[int, dict[str, Any]]] = {
    "2": (2, {}),
    "3": (3, {}),
    "4": (4, {}),
    "partners": (4, {"partners": True}),
    "2 fast": (2, {"fast": True}),
    "3 fast": (3, {"fast": True}),
    "4 fast": (4, {"fast": True}),
}
"""Every way to play, as arguments of `Game.setup`."""


def position(piles: str, turn: str, seats: int = 2, **more: Any) -> State:
    """`position("e4=RRG b4=GR", turn="G", reserve={"R": 1})`: piles from the bottom to the top."""
    laid = dict(pile.split("=") for pile in piles.split())
    data: dict[str, Any] = {"seats": seats, "piles": laid, "turn": turn}
    return GAME.load(data | more, 1)


def begin(way: str, first: int = 0) -> State:
    """The first turn of the seat `first`."""
    seats, options = WAYS[way]
    state = GAME.start(GAME.setup(seats, options)).state
    return GAME.apply(state, CHANCE, FirstPlayer(first)).state


def seat_to_act(state: State) -> Seat:
    """The one seat that is to act."""
    (seat,) = GAME.to_act(state)
    return seat


def act(state: State, text: str) -> tuple[State, tuple[Msg, ...]]:
    """Type a move for whoever is to act: the position after it, and what is said."""
    seat = seat_to_act(state)
    read = GAME.parse(state, seat, text)
    assert isinstance(read, Done), read
    step = GAME.apply(state, seat, read.action)
    return step.state, tuple(fact.msg for fact in step.facts)


def after(state: State, *texts: str) -> State:
    """The position after some moves."""
    for text in texts:
        state, _ = act(state, text)
    return state


def why_not(state: State, text: str) -> str:
    """The reason, without the game's prefix, for which a text is rejected for whoever is to act."""
    read = GAME.parse(state, seat_to_act(state), text)
    assert isinstance(read, Rejected), read
    return read.why.key.removeprefix("focus.refuse.")


def legal(state: State) -> list[str]:
    """What whoever is to act may do, as typed."""
    return [GAME.format(state, action) for action in GAME.actions(state, seat_to_act(state))]


def pile(state: State, space: str) -> str:
    """What stands on a space, the top last."""
    return PILE[state.board[SPACES.index(space)]]


def turn(state: State) -> str:
    """The colour to act."""
    return state.variant.colours[seat_to_act(state)]


def reserve(state: State, colour: str) -> int:
    """How many pieces a colour has in hand."""
    return state.reserve[state.variant.seat_of[colour]]


def captured(state: State, by: str) -> dict[str, int]:
    """What a colour took out of play."""
    row = state.captured[state.variant.seat_of[by]]
    return {colour: n for colour, n in zip(state.variant.colours, row, strict=True) if n}


def result(state: State) -> tuple[str, tuple[int, ...]]:
    """How it ended, and the ranks; nobody is to act any more."""
    outcome = GAME.outcome(state)
    assert isinstance(outcome, Outcome)
    assert GAME.to_act(state) == frozenset()
    return outcome.why.key.removeprefix("focus.outcome."), outcome.ranks


def greedy(state: State, random: Random) -> Action:
    """The action that looks best at once; among equals, any."""
    seat = seat_to_act(state)
    actions = list(GAME.actions(state, seat))
    random.shuffle(actions)
    return max(actions, key=lambda a: GAME.evaluate(GAME.apply(state, seat, a).state, seat))
