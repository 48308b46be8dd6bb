"""People of known strength who play each other: how well ratings find them out and predict them.

Strengths are normally distributed. A performance is the strength and a deviation with Gumbel's distribution,
so that differences mean what they mean in Elo; that of a team is the sum over its members. The same seed
gives the same matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from random import Random
from typing import Final

from games.engine.strengths import SCALE
from matches.standing.ratings import START, updated
from matches.standing.ratings import expected as chance_of

SPREAD: Final = 250
"""Standard deviation of the strengths, in points."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """What came of a simulation.

    `correlation` is Spearman's, between ratings and strengths. `pairs` has for each two who met in its second
    half the chance that the ratings gave the first one, and whether they came before the second; nobody is
    predicted in teams.
    """

    correlation: float
    pairs: tuple[tuple[float, bool], ...]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Of `pairs` with predicted chances in a range: their mean, the share that came true, and its error."""

    pairs: int
    predicted: float
    observed: float
    error: float


def simulate(seats: int, team: int, people: int, matches: int, seed: int) -> Simulated:
    """Let people play about `matches` each, with `seats` in teams of `team`, and rate them."""
    dice = Random(seed)  # noqa: S311 - no secret
    true = [dice.gauss(START.points, SPREAD) for _ in range(people)]
    known = [START] * people
    seen: list[tuple[float, bool]] = []
    rounds = matches * people // seats
    for played in range(rounds):
        sitting = dice.sample(range(people), seats)
        sides = [sitting[at : at + team] for at in range(0, seats, team)]
        shown = [
            sum(true[one] for one in side) - SCALE * sqrt(team) * log(dice.expovariate(1)) for side in sides
        ]
        places = [1 + sum(other > one for other in shown) for one in shown]
        if team == 1 and 2 * played > rounds:
            seen += [
                (chance_of(known[sitting[a]], known[sitting[b]]), places[a] < places[b])
                for a in range(seats)
                for b in range(a)
            ]
        found = updated([[known[one] for one in side] for side in sides], places)
        for side, after in zip(sides, found, strict=True):
            for one, rating in zip(side, after, strict=True):
                known[one] = rating
    return Simulated(_spearman([one.mu for one in known], true), tuple(seen))


def calibrated(pairs: Sequence[tuple[float, bool]], low: float, high: float) -> Calibration | None:
    """Return what came of predictions from `low` to below `high`, each pair once; None if there were none."""
    turned = [(chance, won) if chance >= 0.5 else (1 - chance, not won) for chance, won in pairs]
    some = [(chance, won) for chance, won in turned if low <= chance < high]
    if not some:
        return None
    share = sum(won for _, won in some) / len(some)
    predicted = sum(chance for chance, _ in some) / len(some)
    return Calibration(len(some), predicted, share, sqrt(share * (1 - share) / len(some)))


def _spearman(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Return the correlation of ranks."""
    apart = sum((one - other) ** 2 for one, other in zip(_ranks(ours), _ranks(theirs), strict=True))
    return 1 - 6 * apart / (len(ours) * (len(ours) ** 2 - 1))


def _ranks(values: Sequence[float]) -> list[int]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0] * len(values)
    for rank, n in enumerate(order):
        ranks[n] = rank
    return ranks
