"""The dice of battles looked back at: who rolled what, and how lucky the attacker was with a whole battle."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from games.domination.rules import dice
from games.domination.rules.actions import Action
from games.domination.rules.battles import stops
from games.domination.rules.position import NEUTRAL, State
from games.engine.game import Seat
from games.engine.rolls import SIX_SIDED, Fortune, Rolled

_MAX_ARMIES: Final = 90
"""Armies of both sides together beyond which a battle isn't judged: it would take too long to be exact."""
_Score: TypeAlias = tuple[bool, int]
"""Whether the country was taken, and the armies killed less those lost: more is better for the attacker."""


def rolls(before: State, action: Action) -> tuple[Rolled, ...]:
    """Return the dice of both sides; those of the neutral army belong to no seat."""
    position = before.position
    attack = position.attack
    if action.kind != "roll" or attack is None:
        return ()
    holder = position.owner[attack.dst]
    ours, theirs = Seat(position.turn), None if holder == NEUTRAL else Seat(holder)
    found = [Rolled(SIX_SIDED, face - 1, ours) for face in action.items]
    return (*found, *(Rolled(SIX_SIDED, face - 1, theirs) for face in action.other))


def fortune(before: State, draws: Sequence[Action]) -> Fortune | None:
    """Return the attacker's luck in a battle, by its whole result; None for other draws and vast armies."""
    position = before.position
    attack = position.attack
    if attack is None or attack.rolls or draws[0].kind != "roll":
        return None
    armies, against = attack.armies, attack.against
    if armies + against > _MAX_ARMIES:
        return None
    lost = killed = 0
    for roll in draws:
        minus, kills = dice.losses(roll.items, roll.other)
        lost, killed = lost + minus, killed + kills
    got = (killed == against, killed - lost)
    chances = _chances(armies, against, attack.how, attack.n, position.info.law.defence)
    better = sum(chance for score, chance in chances if score >= got)
    worse = sum(chance for score, chance in chances if score <= got)
    return Fortune(Seat(position.turn), min(1.0, better), min(1.0, worse))


@lru_cache(maxsize=1 << 10)
def _chances(armies: int, against: int, how: str, n: int, defence: int) -> tuple[tuple[_Score, float], ...]:
    """Return the results of an attack with a stop as in `actions.StopRule`, and their probabilities."""
    counted = how in ("x", "dice")  # only these stops count rolls
    reached: dict[tuple[int, int, int], float] = {(armies, against, 0): 1.0}
    ended: dict[_Score, float] = {}
    while reached:
        after: dict[tuple[int, int, int], float] = {}
        for (ours, theirs, count), weight in reached.items():
            most = n if how == "dice" else dice.MAX_ATTACK_DICE
            for lost, killed, part in dice.float_distribution(min(most, ours - 1), min(defence, theirs)):
                left, others, made = ours - lost, theirs - killed, count + 1 if counted else 1
                if others and not stops(how, n, left, others, made):
                    key = (left, others, made)
                    after[key] = after.get(key, 0.0) + weight * part
                else:
                    score = (not others, (against - others) - (armies - left))
                    ended[score] = ended.get(score, 0.0) + weight * part
        reached = after
    return tuple(sorted(ended.items()))
