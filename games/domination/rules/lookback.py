"""What is shown of turns afterwards: the dice of battles, how lucky they were, a summary of a long turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, TypeAlias

from games.domination.rules import battle_odds
from games.domination.rules.actions import Action
from games.domination.rules.battles import stops
from games.domination.rules.facts import ARMIES_LINE, BATTLE_LINE
from games.domination.rules.position import NEUTRAL, State
from games.engine.game import Fact, Seat
from games.engine.lookback import SIX_SIDED, Fortune, Rolled
from games.engine.message import Msg, msg

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
        minus, kills = battle_odds.losses(roll.items, roll.other)
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
            most = n if how == "dice" else battle_odds.MAX_ATTACK_DICE
            for lost, killed, part in battle_odds.float_distribution(
                min(most, ours - 1), min(defence, theirs)
            ):
                left, others, made = ours - lost, theirs - killed, count + 1 if counted else 1
                if others and not stops(how, n, left, others, made):
                    key = (left, others, made)
                    after[key] = after.get(key, 0.0) + weight * part
                else:
                    score = (not others, (against - others) - (armies - left))
                    ended[score] = ended.get(score, 0.0) + weight * part
        reached = after
    return tuple(sorted(ended.items()))


_SUMMED: Final = {f"domination.fact.{key}": key for key in ("place", "taken", "held", "move")}
_MAX_NAMED: Final = 8
"""Maximum number of taken countries that are listed; more are only counted."""
_WISH: Final = "domination.fact.wish"
_FIRST_WISHES: Final = 3
"""How many countries of a long list of wishes are named."""


def recap(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return facts of one seat with armies placed, battles and wishes as totals, the others unchanged."""
    put: dict[str, list[dict[str, Any]]] = {key: [] for key in _SUMMED.values()}
    wishes = [fact for fact in facts if fact.msg.key == _WISH]
    if len(wishes) <= _MAX_NAMED:
        wishes = []
    others = [_wishes(wishes)] if wishes else []
    for fact in facts:
        if wishes and fact.msg.key == _WISH:
            continue
        if fact.to is None and fact.msg.key in _SUMMED:
            put[_SUMMED[fact.msg.key]].append(dict(fact.msg.values))
        elif not fact.detail:
            others.append(fact)
    by = next((fact.by for fact in facts if fact.by is not None), None)
    short: list[Fact] = []
    if armies := sum(row["n"] for row in put["place"]):
        short.append(Fact(msg("domination.fact.recap_placed", n=armies), line=ARMIES_LINE, by=by))
    if put["taken"] or put["held"]:
        short += (Fact(each, line=BATTLE_LINE, by=by) for each in _fought(put["taken"], put["held"]))
    return (*short, *others)


def _wishes(facts: Sequence[Fact]) -> Fact:
    """Return one fact for a long list of countries that a seat wants to claim."""
    first = tuple(str(dict(fact.msg.values)["at"]) for fact in facts[:_FIRST_WISHES])
    return replace(facts[0], msg=msg("domination.fact.recap_wishes", n=len(facts), at=first))


def _fought(taken: Sequence[dict[str, Any]], held: Sequence[dict[str, Any]]) -> list[Msg]:
    """Return the conquests, the number of repelled attacks, and the losses of both sides."""
    messages: list[Msg] = []
    if taken:
        names = tuple(str(row["dst"]) for row in taken)
        few = msg("domination.fact.recap_taken", n=len(names), at=names)
        messages.append(few if len(names) <= _MAX_NAMED else msg("domination.fact.recap_many", n=len(names)))
    if held:
        messages.append(msg("domination.fact.recap_held", n=len(held)))
    both = (*taken, *held)
    lost, killed = (sum(row[what] for row in both) for what in ("lost", "killed"))
    messages.append(msg("domination.fact.recap_losses", lost=lost, killed=killed))
    return messages
