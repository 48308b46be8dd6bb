"""Positions of Three Walkers as JSON that people can read and tests can write."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

from games.engine.fields import Fields, Json, checked, list_of, one_of, optional, whole
from tests.toy.rules import FILES, HAND, Phase, State

_NAMES = tuple(field.name for field in fields(State))
_TEAMS = ((0, 1), (0, 1, 2), (0, 1, 0))
_PHASES: tuple[Phase, ...] = get_args(Phase)


def dump(state: State) -> Json:
    """Return every field under its own name."""
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
    """Return the position that `dump` wrote. Raises ValueError for an invalid one."""
    part = Fields(data, _NAMES)
    teams = part("teams", checked(list_of(whole(2)), _TEAMS.__contains__, "teams are 0 1, 0 1 2 or 0 1 0"))
    seats = len(teams)
    card = whole(HAND * seats, least=1)
    state = State(
        teams,
        part("rounds", whole(HAND, least=1)),
        part("phase", one_of(_PHASES)),
        part("round", whole(HAND, least=1)),
        part("hands", list_of(list_of(card), seats, seats)),
        part("down", list_of(optional(card), seats, seats)),
        part("at", list_of(whole(FILES - 1), seats, seats)),
        frozenset(part("gone", list_of(whole(seats - 1)))),
    )
    _check(state)
    return state


def _check(state: State) -> None:
    cards = [card for row in (*state.hands, state.down) for card in row if card is not None]
    if len(set(cards)) < len(cards):
        raise ValueError("a card is there twice")
    if state.round > state.rounds:
        raise ValueError("round: there are fewer")
    playing = set(range(len(state.teams))) - state.gone
    if state.phase == "roll" and not any(state.down):
        raise ValueError("a roll needs cards on the table")
    waiting = [s for s in playing if state.down[s] is None]
    if state.phase == "choose" and not (waiting and all(state.hands[s] for s in waiting)):
        raise ValueError("someone with a card has to choose")
