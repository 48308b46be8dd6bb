"""The odds of one attack order: how likely it takes the country, and the armies left on both sides.

The stops of an order (a number of armies, a lead, a number of rolls, one roll with fewer dice) are followed
exactly, roll by roll.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from games.domination.commands.prompts import OrderContext
from games.domination.rules import dice
from games.domination.rules.actions import Action

_MAX_ARMIES: Final = 80
"""Number of armies from which on they are scaled down, since odds hardly depend on the numbers then."""


class AttackOdds(NamedTuple):
    """The odds of an attack order."""

    wins: float
    """Chance that the country is taken."""
    left: float
    """Expected armies at the origin if the country is taken, before any move in; 0 if it can't be."""
    remain: float
    """Expected armies at the origin if it isn't taken; 0 if it is sure to be."""
    against: float
    """Expected armies in the country if it isn't taken."""


class _WeightedOdds(NamedTuple):
    """Likewise, but each number of armies is multiplied by the chance of its case."""

    wins: float
    left: float
    remain: float
    against: float


_Key = tuple[int, int, int]


@lru_cache(maxsize=1 << 12)
def odds_of(armies: int, against: int, how: str, n: int, defence: int) -> AttackOdds:
    """Return the odds of an attack with a stop as in `actions.StopRule`.

    `armies`, `against`: in the two countries; `defence`: maximum number of the defender's dice.
    """
    if how in ("until", "lead") and max(armies, against) > _MAX_ARMIES:
        scale = max(armies, against) / _MAX_ARMIES
        small = odds_of(
            max(2, round(armies / scale)),
            max(1, round(against / scale)),
            how,
            max(1, round(n / scale)),
            defence,
        )
        return AttackOdds(small.wins, small.left * scale, small.remain * scale, small.against * scale)
    found = _weighted_odds(armies, against, how, n, defence)
    lost = 1.0 - found.wins
    return AttackOdds(
        found.wins,
        found.left / found.wins if found.wins > 0.0 else 0.0,
        found.remain / lost if lost > 0.0 else 0.0,
        found.against / lost if lost > 0.0 else 0.0,
    )


def _weighted_odds(armies: int, against: int, how: str, n: int, defence: int) -> _WeightedOdds:
    """Follow all rolls, adding up the chances of equal states."""
    reached: dict[_Key, float] = {(armies, against, 0): 1.0}
    wins = left = remain = theirs = 0.0
    while reached:
        after: dict[_Key, float] = {}
        for (ours, others, rolls), weight in reached.items():
            if not others:
                wins += weight
                left += weight * ours
                continue
            if ours < 2 or (rolls and _ends(ours, others, rolls, how, n)):
                remain += weight * ours
                theirs += weight * others
                continue
            thrown = min(n if how == "dice" else dice.MAX_ATTACK_DICE, ours - 1)
            count = rolls + 1 if how in ("x", "dice") else 1
            for minus, kills, part in dice.float_distribution(thrown, min(defence, others)):
                key = (ours - minus, others - kills, count)
                after[key] = after.get(key, 0.0) + weight * part
        reached = after
    return _WeightedOdds(min(1.0, wins), left, remain, theirs)


def _ends(ours: int, others: int, rolls: int, how: str, n: int) -> bool:
    """Return whether an attack with this stop ends after a roll."""
    if how == "until":
        return ours <= n
    if how == "lead":
        return ours - others < n
    return rolls >= (1 if how == "dice" else n)


def action_odds(context: OrderContext, action: Action) -> AttackOdds:
    """Return the odds of an attack order."""
    index, armies = context.atlas.index, context.position.armies
    src, dst = index[action.a], index[action.b]
    return odds_of(armies[src], armies[dst], action.how, action.n, context.position.info.law.defence)


def percent(of: float) -> int:
    """Return a chance as a whole percentage; only certainties are 0 or 100."""
    return max(1, min(99, round(100 * of))) if 0.0 < of < 1.0 else round(100 * of)
