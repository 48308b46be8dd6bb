"""A position of Three Walkers as JSON that people can read and tests can write: one list a field, by seat."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from games.engine.game import Json
from tests.toy.rules import FILES, HAND, State

_NAMES = tuple(field.name for field in fields(State))


def dump(state: State) -> Json:
    """Every field under its own name."""
    return {
        "teams": list(state.teams),
        "rounds": state.rounds,
        "phase": state.phase,
        "round": state.round,
        "hands": [list(hand) for hand in state.hands],
        "down": list(state.down),
        "at": list(state.at),
        "gone": [*sorted(state.gone)],
    }


def load(data: Json) -> State:
    """The inverse of `dump`. Raises ValueError for what is no position."""
    if not isinstance(data, dict) or data.keys() != set(_NAMES):
        raise ValueError(f"a position has {', '.join(_NAMES)}")
    raw: dict[str, Any] = data
    try:
        state = State(
            tuple(raw["teams"]),
            raw["rounds"],
            raw["phase"],
            raw["round"],
            tuple(tuple(hand) for hand in raw["hands"]),
            tuple(raw["down"]),
            tuple(raw["at"]),
            frozenset(raw["gone"]),
        )
        _check(state)
    except TypeError as error:
        raise ValueError(f"a field has the wrong kind: {error}") from error
    return state


def _check(state: State) -> None:
    seats = len(state.teams)
    cards = [card for hand in state.hands for card in hand] + [
        card for card in state.down if card is not None
    ]
    numbers = (*state.teams, state.rounds, state.round, *state.at, *state.gone, *cards)
    if any(type(number) is not int for number in numbers):
        raise ValueError("teams, rounds, places and cards are whole numbers")
    if state.teams not in ((0, 1), (0, 1, 2), (0, 1, 0)):
        raise ValueError("teams are 0 1, 0 1 2 or 0 1 0")
    if not {len(state.hands), len(state.down), len(state.at)} == {seats}:
        raise ValueError("each seat has a hand, a card that lies or none, and a place")
    if len(set(cards)) < len(cards) or not set(cards) <= set(range(1, HAND * seats + 1)):
        raise ValueError("each card is there once")
    if state.phase not in ("deal", "choose", "roll", "over") or not 1 <= state.round <= state.rounds <= HAND:
        raise ValueError("the phase or the round can't be")
    if not state.gone <= set(range(seats)) or not all(0 <= file < FILES for file in state.at):
        raise ValueError("a seat or a place can't be")
    playing = set(range(seats)) - state.gone
    if state.phase == "roll" and not any(state.down):
        raise ValueError("a roll follows cards that lie")
    waiting = [s for s in playing if state.down[s] is None]
    if state.phase == "choose" and not (waiting and all(state.hands[s] for s in waiting)):
        raise ValueError("somebody with a card has to choose")
