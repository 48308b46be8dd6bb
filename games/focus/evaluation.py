"""Static evaluation of a position for a seat: piles controlled, pieces in reserve, captures.

It is cheap and looks at no next move. A player that always moves to the best evaluation beats a random one.
"""

from __future__ import annotations

from typing import Final

from games.focus.board import CONTROLLED_HEIGHTS, FAST_CAPTURES_EACH, FAST_TOTAL, PILE
from games.focus.facts import DRAWS
from games.focus.rules import State

_PILE_VALUE: Final = (0.0, 1.0, 1.35, 1.7, 2.0, 2.3)
"""Value of a controlled pile by height: taller ones reach further and hold others down."""
_RESERVE_VALUE: Final = 1.8
"""Value of a piece in reserve: it can go anywhere and can't be covered."""
_VALUES: Final = {
    colour: {char: _PILE_VALUE[height] + 0.05 * PILE[char].count(colour) for char, height in chars.items()}
    for colour, chars in CONTROLLED_HEIGHTS.items()
}


def evaluate(view: State, seat: int) -> float:
    """Return the value from -1.0 (lost) to 1.0 (won); 0.0 is a draw or an even position."""
    variant = view.variant
    if view.outcome is not None:
        best = 0.0 if view.ended in DRAWS else 1.0
        return best if view.outcome.ranks[seat] == 1 else -1.0
    if seat in view.resigned:
        return -1.0
    strength: dict[int, float] = {}
    for other, team in enumerate(variant.teams):
        if other not in view.resigned:
            strength[team] = strength.get(team, 0.0) + _strength(view, other)
    own = strength.pop(variant.teams[seat])
    against = sum(strength.values()) / len(strength)
    balance = (own - against) / (own + against + 1.0)
    if variant.fast:
        goals = {
            other: _progress(view, other) for other in range(variant.seats) if other not in view.resigned
        }
        mine = goals.pop(seat)
        balance = 0.4 * balance + 0.6 * (mine - max(goals.values()))
    return max(-0.99, min(0.99, balance))


def piles(view: State) -> tuple[float, ...]:
    """Return by seat the piles it controls and its pieces in reserve: what it can move."""
    colours = view.variant.colours
    return tuple(
        float(sum(char in CONTROLLED_HEIGHTS[colour] for char in view.board) + hand + extra)
        if seat not in view.resigned
        else 0.0
        for seat, (colour, hand, extra) in enumerate(zip(colours, view.reserve, view.thirteenth, strict=True))
    )


def _strength(state: State, seat: int) -> float:
    values = _VALUES[state.variant.colours[seat]]
    piles = sum(values[char] for char in state.board if char in values)
    hand = state.reserve[seat] + state.thirteenth[seat]
    return piles + _RESERVE_VALUE * hand


def _progress(state: State, seat: int) -> float:
    """Return a seat's progress towards winning a fast game, from 0.0 to 1.0."""
    each, taken = FAST_CAPTURES_EACH[state.variant.seats], state.captured[seat]
    others = [other for other in range(state.variant.seats) if other != seat and other not in state.resigned]
    captures = sum(min(taken[other], each) for other in others) / (each * len(others))
    if state.variant.seats == 2:
        return captures
    return min(1.0, max(captures, (sum(taken) + state.reserve[seat]) / FAST_TOTAL))
