"""The odds of one attack order: how likely it takes the country, and what is left on both sides then.

Until a number of armies or a lead, for some rolls, or for one roll with fewer dice: each is counted to its
own end, roll by roll.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from games.domination.commands.prompts import Moment
from games.domination.rules import dice
from games.domination.rules.actions import Action

_LIMIT: Final = 80
"""Armies counted one by one; larger ones are scaled down, as odds hardly depend on the numbers then."""


class Chance(NamedTuple):
    """What an attack order comes to."""

    wins: float
    """Chance that the country is taken."""
    left: float
    """Armies at the origin then, before any move in; 0 if it can't be."""
    remain: float
    """Armies at the origin otherwise; 0 if it is sure to win."""
    against: float
    """Armies in the country otherwise."""


class _Sum(NamedTuple):
    wins: float
    left: float
    remain: float
    against: float


_Key = tuple[int, int, int]


@lru_cache(maxsize=1 << 12)
def chance(armies: int, against: int, how: str, n: int, defence: int) -> Chance:
    """The odds of an attack with so many armies on so many, with a stop as in actions.How.

    armies, against: in the two countries; defence: dice of the defender at most.
    """
    if how in ("until", "lead") and max(armies, against) > _LIMIT:
        scale = max(armies, against) / _LIMIT
        small = chance(
            max(2, round(armies / scale)),
            max(1, round(against / scale)),
            how,
            max(1, round(n / scale)),
            defence,
        )
        return Chance(small.wins, small.left * scale, small.remain * scale, small.against * scale)
    found = _sum(armies, against, how, n, defence)
    lost = 1.0 - found.wins
    return Chance(
        found.wins,
        found.left / found.wins if found.wins > 0.0 else 0.0,
        found.remain / lost if lost > 0.0 else 0.0,
        found.against / lost if lost > 0.0 else 0.0,
    )


def _sum(armies: int, against: int, how: str, n: int, defence: int) -> _Sum:
    """Walk through all that may happen, from the state that is reached first to the last."""
    reached: dict[_Key, float] = {(armies, against, 0): 1.0}
    wins = left = remain = theirs = 0.0
    while reached:
        after: dict[_Key, float] = {}
        for (ours, others, rolls), weight in reached.items():
            if not others:
                wins += weight
                left += weight * ours
                continue
            if ours < 2 or (rolls and _stops(ours, others, rolls, how, n)):
                remain += weight * ours
                theirs += weight * others
                continue
            thrown = min(n if how == "dice" else dice.ATTACK_DICE, ours - 1)
            count = rolls + 1 if how in ("x", "dice") else 1
            for minus, kills, part in _floats(thrown, min(defence, others)):
                key = (ours - minus, others - kills, count)
                after[key] = after.get(key, 0.0) + weight * part
        reached = after
    return _Sum(min(1.0, wins), left, remain, theirs)


def _stops(ours: int, others: int, rolls: int, how: str, n: int) -> bool:
    if how == "until":
        return ours <= n
    if how == "lead":
        return ours - others < n
    return rolls >= (1 if how == "dice" else n)


@lru_cache(maxsize=16)
def _floats(attack: int, defence: int) -> tuple[tuple[int, int, float], ...]:
    return tuple((lost, killed, float(part)) for lost, killed, part in dice.distribution(attack, defence))


def of_action(moment: Moment, action: Action) -> Chance:
    """The odds of an attack order."""
    index, armies = moment.atlas.index, moment.position.armies
    src, dst = index[action.a], index[action.b]
    return chance(armies[src], armies[dst], action.how, action.n, moment.position.table.law.defence)


def percent(of: float) -> int:
    """What is neither certain nor impossible is never rounded to it."""
    return max(1, min(99, round(100 * of))) if 0.0 < of < 1.0 else round(100 * of)
