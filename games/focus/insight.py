"""How good a position is for a seat, judged at a glance: what it controls, what it holds, what it took.

The glance is cheap and knows no next move. A player who always takes the best glance beats chance.
"""

from __future__ import annotations

from typing import Final

from games.focus.board import HEIGHT_UNDER, PILE
from games.focus.facts import DRAWS
from games.focus.rules import State
from games.focus.setups import FAST_EACH, FAST_TEN

_PILE_WORTH: Final = (0.0, 1.0, 1.35, 1.7, 2.0, 2.3)
"""A pile on top of which one is, by height: taller ones reach further and hold others down."""
_RESERVE_WORTH: Final = 1.8
"""A piece in hand goes anywhere and can't be covered."""
_WORTH: Final = {
    colour: {sign: _PILE_WORTH[height] + 0.05 * PILE[sign].count(colour) for sign, height in signs.items()}
    for colour, signs in HEIGHT_UNDER.items()
}


def evaluate(state: State, seat: int) -> float:
    """From -1.0 (lost) to 1.0 (won); 0.0 is a draw, or neither better nor worse than the others."""
    variant = state.variant
    if state.outcome is not None:
        if state.ended in DRAWS:
            return 0.0 if state.outcome.ranks[seat] == 1 else -1.0
        return 1.0 if state.outcome.ranks[seat] == 1 else -1.0
    if seat in state.resigned:
        return -1.0
    strength: dict[int, float] = {}
    for other, team in enumerate(variant.teams):
        if other not in state.resigned:
            strength[team] = strength.get(team, 0.0) + _strength(state, other)
    own = strength.pop(variant.teams[seat])
    against = sum(strength.values()) / len(strength)
    balance = (own - against) / (own + against + 1.0)
    if variant.fast:
        goals = {
            other: _progress(state, other) for other in range(variant.seats) if other not in state.resigned
        }
        mine = goals.pop(seat)
        balance = 0.4 * balance + 0.6 * (mine - max(goals.values()))
    return max(-0.99, min(0.99, balance))


def _strength(state: State, seat: int) -> float:
    worth = _WORTH[state.variant.colours[seat]]
    piles = sum(worth[sign] for sign in state.board if sign in worth)
    hand = state.reserve[seat] + state.thirteenth[seat]
    return piles + _RESERVE_WORTH * hand


def _progress(state: State, seat: int) -> float:
    """How much of what ends a fast game a seat has, from 0.0 to 1.0."""
    each, taken = FAST_EACH[state.variant.seats], state.captured[seat]
    others = [other for other in range(state.variant.seats) if other != seat and other not in state.resigned]
    captures = sum(min(taken[other], each) for other in others) / (each * len(others))
    if state.variant.seats == 2:
        return captures
    return min(1.0, max(captures, (sum(taken) + state.reserve[seat]) / FAST_TEN))
