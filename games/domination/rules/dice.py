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
    faces = range(1, 7)
    counts = Counter(losses(dice[:attack], dice[attack:]) for dice in product(faces, repeat=attack + defence))
    total = 6 ** (attack + defence)
    return tuple((lost, killed, Fraction(n, total)) for (lost, killed), n in counts.most_common())


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
    """Rows by the attacker's armies to spend, columns by the defender's: filled as far as was asked."""
    return []


def _exact(ours: int, keep: int, against: int, defence: int) -> Battle:
    # keeping more than three changes nothing: the attacker has three dice to the last then
    grid = _grid(min(keep, MOST), defence)
    keep = min(keep, MOST)
    while len(grid) <= ours or len(grid[0]) <= against:
        size = max(8, 2 * max(len(grid), ours, against) if grid else max(ours, against) + 1)
        _fill(grid, min(size, _LIMIT + 1), keep, defence)
    return grid[ours][against]


def _fill(grid: list[list[Battle]], size: int, keep: int, defence: int) -> None:
    old = len(grid)
    for ours in range(size):
        if ours >= old:
            grid.append([])
        row = grid[ours]
        for against in range(len(row), size):
            row.append(_worth(grid, ours, against, keep, defence))


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
