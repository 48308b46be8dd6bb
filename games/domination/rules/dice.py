"""The dice of a battle: who loses what in one roll, and the exact odds of a roll and of a whole battle.

Highest against highest, the second against the second, and so on; a tie is the defender's.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

MOST: Final = 3
"""Dice of an attacker at most."""
Faces = tuple[int, ...]


@lru_cache(maxsize=1 << 16)
def losses(attack: Faces, defence: Faces) -> tuple[int, int]:
    """Armies that the attacker and the defender lose by one roll, thrown in any order."""
    pairs = list(zip(sorted(attack, reverse=True), sorted(defence, reverse=True), strict=False))
    killed = sum(a > d for a, d in pairs)
    return len(pairs) - killed, killed


@lru_cache(maxsize=16)
def distribution(attack: int, defence: int) -> tuple[tuple[int, int, Fraction], ...]:
    """(attacker's losses, defender's losses, chance) of a roll with so many dice; 1 in all."""
    counts: Counter[tuple[int, int]] = Counter()
    for (ours, ways), (theirs, their_ways) in product(_rolls(attack), _rolls(defence)):
        counts[losses(ours, theirs)] += ways * their_ways
    total = 6 ** (attack + defence)
    return tuple((lost, killed, Fraction(n, total)) for (lost, killed), n in counts.most_common())


def _rolls(dice: int) -> list[tuple[Faces, int]]:
    """Return what a number of dice may show, without their order, and in how many orders each comes."""
    return list(Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=dice)).items())


class Battle(NamedTuple):
    """What a battle fought to its end comes to."""

    wins: float
    """Chance that the country is taken."""
    lost: float
    """Armies that the attacker is expected to lose."""
    killed: float
    """Armies that the defender is expected to lose."""


_OVER: Final = (Battle(0.0, 0.0, 0.0), Battle(1.0, 0.0, 0.0))
_LIMIT: Final = 128
"""Armies counted on each side. Beyond, odds no longer depend on the numbers but on who has more."""


def battle(armies: int, against: int, *, keep: int = 1, defence: int = 2) -> Battle:
    """The odds of rolling with as many dice as possible until the origin has `keep` armies or has won.

    armies, against: in the two countries; defence: dice of the defender at most. Large armies are scaled
    down to what is computed exactly, and losses scaled up again.
    """
    ours = max(0, armies - max(1, keep))
    size = max(ours, against)
    if size <= _LIMIT:
        return _exact(ours, max(1, keep), against, defence)
    scale = size / _LIMIT
    near = _exact(max(1, round(ours / scale)) if ours else 0, 1, max(1, round(against / scale)), defence)
    return Battle(near.wins, near.lost * scale, near.killed * scale)


@lru_cache(maxsize=64)
def _grid(keep: int, defence: int) -> list[list[Battle]]:
    """Rows by the attacker's armies to spend, columns by the defender's: filled as far as was asked.

    No row is longer than the one above it.
    """
    return []


def _exact(ours: int, keep: int, against: int, defence: int) -> Battle:
    # keeping more than three changes nothing: the attacker has three dice to the last then
    keep = min(keep, MOST)
    grid = _grid(keep, defence)
    if ours < len(grid) and against < len(grid[ours]):
        return grid[ours][against]
    while len(grid) <= ours:
        grid.append([])
    for spent in range(ours + 1):
        row = grid[spent]
        for left in range(len(row), against + 1):
            row.append(_worth(grid, spent, left, keep, defence))
    return grid[ours][against]


def _worth(grid: list[list[Battle]], ours: int, against: int, keep: int, defence: int) -> Battle:
    if not ours or not against:
        return _OVER[not against]
    dice = min(MOST, ours + keep - 1)
    wins = lost = killed = 0.0
    for minus, kills, chance in _floats(dice, min(defence, against)):
        after = grid[max(0, ours - minus)][against - kills]
        wins += chance * after.wins
        lost += chance * (minus + after.lost)
        killed += chance * (kills + after.killed)
    return Battle(wins, lost, killed)


@lru_cache(maxsize=16)
def _floats(attack: int, defence: int) -> tuple[tuple[int, int, float], ...]:
    return tuple((lost, killed, float(chance)) for lost, killed, chance in distribution(attack, defence))
