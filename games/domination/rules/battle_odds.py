"""The losses of one roll of dice in a battle, and the exact odds of a roll and of a whole battle.

The highest dice are compared, then the second highest, and so on; the defender wins ties.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

MAX_ATTACK_DICE: Final = 3
"""Maximum number of an attacker's dice."""
Faces = tuple[int, ...]


@lru_cache(maxsize=1 << 16)
def losses(attack: Faces, defence: Faces) -> tuple[int, int]:
    """Return the armies that the attacker and the defender lose by one roll; dice in any order."""
    pairs = list(zip(sorted(attack, reverse=True), sorted(defence, reverse=True), strict=False))
    killed = sum(a > d for a, d in pairs)
    return len(pairs) - killed, killed


@lru_cache(maxsize=16)
def distribution(attack: int, defence: int) -> tuple[tuple[int, int, Fraction], ...]:
    """Return (attacker's losses, defender's losses, chance) of a roll with these numbers of dice."""
    counts: Counter[tuple[int, int]] = Counter()
    for (ours, ways), (theirs, their_ways) in product(_rolls(attack), _rolls(defence)):
        counts[losses(ours, theirs)] += ways * their_ways
    total = 6 ** (attack + defence)
    return tuple((lost, killed, Fraction(n, total)) for (lost, killed), n in counts.most_common())


def _rolls(dice: int) -> list[tuple[Faces, int]]:
    """Return the sorted results of a number of dice, each with the number of its orders."""
    return list(Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=dice)).items())


class BattleOdds(NamedTuple):
    """The odds of a battle fought to its end."""

    wins: float
    """Chance that the country is taken."""
    lost: float
    """Armies that the attacker is expected to lose."""
    killed: float
    """Armies that the defender is expected to lose."""


_OVER: Final = (BattleOdds(0.0, 0.0, 0.0), BattleOdds(1.0, 0.0, 0.0))
_LIMIT: Final = 128
"""Maximum number of armies on each side for exact odds; beyond it only the ratio matters."""


def battle(armies: int, against: int, *, keep: int = 1, defence: int = 2) -> BattleOdds:
    """Return the odds of an attack with all dice until it wins or its origin has only `keep` armies.

    armies, against: in the two countries; defence: maximum number of the defender's dice. Large armies are
    scaled down to _LIMIT, and losses scaled up again.
    """
    ours = max(0, armies - max(1, keep))
    size = max(ours, against)
    if size > _LIMIT:
        scale = size / _LIMIT
        spare = max(1, round(ours / scale)) if ours else 0
        near = _exact(spare, 1, max(1, round(against / scale)), defence)
        return BattleOdds(near.wins, near.lost * scale, near.killed * scale)
    # keeping more than three makes no difference: the attacker has three dice to the end
    return _exact(ours, min(max(1, keep), MAX_ATTACK_DICE), against, defence)


@lru_cache(maxsize=1 << 17)
def _exact(ours: int, keep: int, against: int, defence: int) -> BattleOdds:
    """Return the odds with `ours` armies to spare; at most about 200 rolls deep."""
    if not ours or not against:
        return _OVER[not against]
    wins = lost = killed = 0.0
    dice = min(MAX_ATTACK_DICE, ours + keep - 1)
    for minus, kills, chance in float_distribution(dice, min(defence, against)):
        after = _exact(max(0, ours - minus), keep, against - kills, defence)
        wins += chance * after.wins
        lost += chance * (minus + after.lost)
        killed += chance * (kills + after.killed)
    return BattleOdds(wins, lost, killed)


@lru_cache(maxsize=16)
def float_distribution(attack: int, defence: int) -> tuple[tuple[int, int, float], ...]:
    """Return `distribution` with chances as floats."""
    return tuple((lost, killed, float(chance)) for lost, killed, chance in distribution(attack, defence))


def armies_left(armies: int, against: int, *, defence: int = 2) -> dict[int, float]:
    """Return for each number of armies that an attack to the end may leave, the defeated dropped, its chance.

    armies: of the attacker in the origin. Together they are the chance that the country is taken.
    """
    reached, won = {(armies, against): 1.0}, dict[int, float]()
    while reached:
        later: dict[tuple[int, int], float] = {}
        for (ours, theirs), chance in reached.items():
            if not theirs:
                won[ours] = won.get(ours, 0.0) + chance
            elif ours > 1:
                dice = min(MAX_ATTACK_DICE, ours - 1), min(defence, theirs)
                for lost, killed, share in float_distribution(*dice):
                    after = ours - lost, theirs - killed
                    later[after] = later.get(after, 0.0) + chance * share
        reached = later
    return won
