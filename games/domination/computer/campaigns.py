"""Campaigns: which countries a computer player thinks of taking in a row, where from, and what that brings.

A campaign serves one goal: a continent, a seat to be beaten, a continent of others to be broken, a mission,
one country for the card. All that serve any goal are weighed, and the best one is begun. Nothing is kept
between two choices: armies that stand together make the same campaign the best one again.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from typing import Final, NamedTuple

from games.domination.computer.worth import Sight, clash
from games.domination.maps.atlas import ANY
from games.domination.rules.goals import target
from games.domination.rules.position import NONE

_PRICE: Final = 0.86
"""Armies that each defender costs, about."""
_SOURCES: Final = 2
"""Countries that a campaign for a goal is tried from."""
_EVEN: Final = 0.45
"""Chance below which no single conquest is tried."""
_GIVEN_UP: Final = 0.2
"""Chance below which a row of conquests isn't followed further."""
_GOALS: Final = 500
_RAIDS: Final = 2000
_STEPS: Final = 1500
"""On maps of so many countries one goal of a kind is thought of, one raid, one step; on smaller ones more."""
_LARGE: Final = 120
"""On larger maps a campaign is tried from one country."""


class Goal(NamedTuple):
    """Countries to take: all of them, or any."""

    countries: frozenset[int]
    one: bool = False


class Campaign(NamedTuple):
    """What would be done, and what it is worth by expectation."""

    worth: float
    gain: float
    """More than if armies just stood there."""
    steps: tuple[tuple[int, int], ...]
    """From where and what is attacked, in order."""
    chance: float
    """That all of it succeeds."""
    goal: Goal


def goals_of(sight: Sight, pool: float) -> list[Goal]:
    """What is worth a thought, in this position."""
    me, owner, armies, mind = sight.seat, sight.owner, sight.armies, sight.mind
    force = sum(n for n, by in zip(armies, owner, strict=True) if by == me) + pool
    lands: list[tuple[float, Goal]] = []
    broken: list[tuple[float, Goal]] = []
    for row, value in zip(sight.ground.of, sight.ground.values, strict=True):
        others = frozenset(at for at in row if owner[at] != me)
        if not value or not others:
            continue
        against = sum(armies[at] for at in others)
        if against < 1.2 * force:
            lands.append((against / value, Goal(others)))
        if mind.breaks and len({owner[at] for at in row}) == 1:
            broken.append((-value, Goal(others, one=True)))
    most = max(2, _GOALS // sight.size)
    found = dict.fromkeys(goal for each in (lands, broken) for _, goal in sorted(each, key=_first)[:most])
    if mind.hunts:
        for each, _ in sight.prizes:
            held = frozenset(at for at, by in enumerate(owner) if by == each)
            if sum(armies[at] for at in held) < 1.3 * force:
                found[Goal(held)] = None
    found.update(dict.fromkeys(_asked(sight)))
    enemies = frozenset(at for at, by in enumerate(owner) if by != me)
    found[Goal(enemies)] = None
    return list(found)


def _first(ranked: tuple[float, Goal]) -> float:
    return ranked[0]


def _asked(sight: Sight) -> list[Goal]:
    """What the mode asks for."""
    table, owner, me = sight.place.table, sight.owner, sight.seat
    if table.mode == "capital":
        lost = frozenset(at for at in table.capitals if at != NONE and owner[at] != me)
        return [Goal(lost), Goal(lost, one=True)] if lost else []
    if sight.mission == NONE:
        return []
    mission = sight.law.atlas.missions[sight.mission]
    aim = target(sight.place, me, mission)
    if aim != NONE:
        held = frozenset(at for at, by in enumerate(owner) if by == aim)
        return [Goal(held), Goal(held, one=True)] if held else []
    rows = [sight.ground.of[n] for n in mission.continents if n != ANY]
    named = frozenset(at for row in rows for at in row if owner[at] != me)
    return [Goal(named)] if named else []


def best(sight: Sight, pool: int, goals: Iterable[Goal] | None = None) -> Campaign | None:
    """The campaign that is worth most, all the pool being placed where it begins; None if none can begin."""
    stand = sight.worth(sight.owner, sight.armies, sight.place.taken)
    found: Campaign | None = None
    for goal in goals_of(sight, pool) if goals is None else goals:
        for src in _sources(sight, goal, pool):
            each = campaign(sight, goal, src, pool, stand + pool)
            if each is not None and (found is None or each.worth > found.worth):
                found = each
    for each in _raids(sight, pool, stand + pool):
        if found is None or each.worth > found.worth:
            found = each
    return found


def _raids(sight: Sight, pool: int, stand: float) -> list[Campaign]:
    """One conquest, from any country to any neighbour."""
    me, owner, armies, defence = sight.seat, sight.owner, sight.armies, sight.defence
    pairs: list[tuple[float, int, int]] = []
    for src, by in enumerate(owner):
        if by != me or armies[src] + pool < 2:
            continue
        for dst in sight.ground.borders[src]:
            if owner[dst] == me:
                continue
            wins, lost, _ = clash(round(armies[src] + pool), round(armies[dst]), defence)
            if wins > _EVEN:
                pairs.append((lost / wins, src, dst))
    pairs.sort()
    found = []
    for _, src, dst in pairs[: max(6, _RAIDS // sight.size)]:
        each = campaign(sight, Goal(frozenset((dst,)), one=True), src, pool, stand)
        if each is not None:
            found.append(each)
    return found


def _sources(sight: Sight, goal: Goal, pool: float) -> list[int]:
    """The countries from which the goal is reached best."""
    cost = _costs(sight, goal.countries)
    near = [at for at in cost if sight.armies[at] + pool >= 2]
    near.sort(key=lambda at: (cost[at] - sight.armies[at], at))
    return near[: _SOURCES if sight.size <= _LARGE else 1]


def _costs(sight: Sight, ends: Iterable[int]) -> dict[int, float]:
    """What it costs to fight from each of the seat's countries to the nearest of these."""
    me, owner, armies, into = sight.seat, sight.owner, sight.armies, sight.ground.into
    seen: set[int] = set()
    found: dict[int, float] = {}
    heap = [(_PRICE * armies[at] + 1.0, at) for at in ends if owner[at] != me]
    heapify(heap)
    while heap:
        cost, at = heappop(heap)
        if at in seen:
            continue
        seen.add(at)
        for n in into[at]:
            if owner[n] == me:
                found.setdefault(n, cost)
            elif n not in seen:
                heappush(heap, (cost + _PRICE * armies[n] + 1.0, n))
    return found


def _next(sight: Sight, owner: list[int], armies: list[float], head: int, wanted: set[int]) -> int:
    """The country that is attacked next from a country; NONE if nothing wanted is reached from there."""
    borders, me = sight.ground.borders, sight.seat
    near = [at for at in borders[head] if at in wanted]
    if len(near) == 1:
        return near[0]
    if near:
        # dead ends first: who passes them by has to come back for them
        return min(near, key=lambda at: (sum([n in wanted for n in borders[at]]), armies[at], at))
    seen = {head}
    heap = [(_PRICE * armies[at] + 1.0, at, at) for at in borders[head] if owner[at] != me]
    heapify(heap)
    while heap:
        cost, at, first = heappop(heap)
        if at in wanted:
            return first
        if at in seen:
            continue
        seen.add(at)
        for n in borders[at]:
            if n not in seen and owner[n] != me:
                heappush(heap, (cost + _PRICE * armies[n] + 1.0, n, first))
    return NONE


def campaign(sight: Sight, goal: Goal, src: int, pool: int, stand: float) -> Campaign | None:
    """Follow a goal from a country as far as it pays; other stacks go on where the first one is stuck."""
    me, mind = sight.seat, sight.mind
    owner, armies = sight.owner.copy(), sight.armies.copy()
    armies[src] += pool
    wanted = {at for at in goal.countries if owner[at] != me}
    steps: list[tuple[int, int]] = []
    head, chance, failed, found = src, 1.0, 0.0, None
    before = stand
    longest = min(mind.chain, max(5, _STEPS // sight.size))
    while wanted and len(steps) < longest:
        dst = _next(sight, owner, armies, head, wanted) if armies[head] >= 1.5 else NONE
        if dst == NONE:
            head = _reserve(sight, owner, armies, wanted)
            if head == NONE or not steps:
                break
            continue
        wins, lost, killed = clash(round(armies[head]), max(1, round(armies[dst])), sight.defence)
        if wins * chance < _GIVEN_UP:
            break
        enemy = owner[dst]
        failed += chance * (1.0 - wins) * (before - (armies[head] - 1.0) + sight.weights[enemy] * killed)
        chance *= wins
        left = max(2.0, armies[head] - lost)
        armies[head], armies[dst], owner[dst] = 1.0, left - 1.0, me
        steps.append((head, dst))
        head = dst
        wanted.discard(dst)
        before = sight.worth(owner, armies, True)
        worth = failed + chance * before
        if found is None or worth > found.worth:
            found = Campaign(worth, worth - stand, tuple(steps), chance, goal)
        if goal.one and dst in goal.countries:
            break
    return found


def _reserve(sight: Sight, owner: list[int], armies: list[float], wanted: set[int]) -> int:
    """The strongest stack that stands beside something wanted; NONE if there is none."""
    most, found = 2.5, NONE
    for at in wanted:
        for n in sight.ground.into[at]:
            if owner[n] == sight.seat and armies[n] > most:
                most, found = armies[n], n
    return found
