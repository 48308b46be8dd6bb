"""Turn evaluations into shares of a match: what each seat may expect of its one point.

A share is the probability of winning, with half a point for a draw of two. Team mates each have the share of
their team; the shares of all teams add up to 1.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import exp, hypot
from typing import Any, Final

from games.engine.game import AnyGame, Seat
from games.engine.search import WIN, SearchState

LOST: Final = -1.0
"""What `Game.evaluate` returns for a seat that can no longer win."""
_LEAST: Final = 0.001
"""Smallest share of a team that isn't beaten, as long as nothing is proved."""
PROOF: Final = WIN - 2_000
"""Value from which on a search has seen the end, 2,000 moves away at most."""
_MIXED: Final = WIN // 25
"""Value that no evaluation has: it is an average over dice, some of which decide the match."""


def proves(value: int) -> bool:
    """Return whether a search's value means that the match is decided."""
    return abs(value) >= PROOF


def is_mixed(value: int) -> bool:
    """Return whether a value is an average of decided and undecided positions."""
    return _MIXED < abs(value) < PROOF


def odds_ratio(value: float, scale: float) -> float:
    """Return the odds of winning that an evaluation stands for; `scale` multiplies them by e."""
    return exp(max(-40.0, min(40.0, value / scale)))


def share_of_value(value: int, scale: float) -> float:
    """Return the share of the seat's team that a value against one other team stands for."""
    if proves(value):
        return 1.0 if value > 0 else 0.0
    if is_mixed(value):
        return (1.0 + value / WIN) / 2
    odds = odds_ratio(value, scale)
    return max(_LEAST, min(1.0 - _LEAST, odds / (1.0 + odds)))


def share_error(share: float, state: SearchState, sampling: float) -> float:
    """Return the standard deviation of a share from the truth: by the search's spread and its samples."""
    return hypot(share * (1.0 - share) * state.spread / state.odds_scale, sampling)


def spread_shares(
    own: float, seat: Seat, teams: Sequence[int], weights: Sequence[float]
) -> tuple[float, ...]:
    """Return the shares of all seats, given that of one seat; the other teams share the rest by weights.

    Teams whose weights are all 0 are beaten, and get nothing as long as another team plays.
    """
    rest = {team: 0.0 for team in teams if team != teams[seat]}
    for other, team in enumerate(teams):
        if team in rest:
            rest[team] = max(rest[team], weights[other])
    whole = sum(rest.values())
    if not whole:
        rest, whole = dict.fromkeys(rest, 1.0), float(len(rest))
    return tuple(own if team == teams[seat] else (1.0 - own) * rest[team] / whole for team in teams)


def unproved(shares: tuple[float, ...], seat: Seat, teams: Sequence[int]) -> tuple[float, ...]:
    """Return estimated shares, the seat's kept away from 0 and 1, which are for what is proved."""
    own = max(_LEAST, min(1.0 - _LEAST, shares[seat]))
    return shares if own == shares[seat] else spread_shares(own, seat, teams, shares)


def shares_of_evaluations(values: Sequence[float], teams: Sequence[int]) -> tuple[float, ...]:
    """Return the shares that `Game.evaluate` stands for, given its value for each seat from -1.0 to 1.0."""
    powers = dict.fromkeys(teams, 0.0)
    for value, team in zip(values, teams, strict=True):
        powers[team] = max(powers[team], (1.0 + value) / 2)
    whole = sum(powers.values())
    if not whole:
        return tuple(1.0 / len(powers) for _ in teams)
    return tuple(powers[team] / whole for team in teams)


def beaten(game: AnyGame, view: Any, seats: Collection[int]) -> frozenset[int]:
    """Return the seats that can no longer win: they resigned, or were eliminated."""
    return frozenset(seat for seat in seats if game.evaluate(view, Seat(seat)) <= LOST)
