"""Campaigns: rows of conquests that a computer player considers, with their origin and expected worth.

A campaign serves one goal: a continent, a seat to eliminate, a rival's continent to break, a mission, one
country for the card. The campaigns for all goals are compared, and the best one is begun. Nothing is stored
between decisions: armies gathered for a campaign make it the best one again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush
from operator import attrgetter, itemgetter
from typing import Final, NamedTuple, TypeAlias

from games.domination.computer.position_model import ATTACK_COST, Explored, PositionModel, battle_odds
from games.domination.maps.atlas import ANY
from games.domination.rules.battle_odds import armies_left
from games.domination.rules.position import NONE
from games.engine.search import Stop

_MAX_ORIGINS: Final = 2
"""Maximum number of origins tried for a goal."""
_MIN_RAID_CHANCE: Final = 0.45
"""Minimum chance to win of a single conquest that is tried."""
_MIN_CAMPAIGN_CHANCE: Final = 0.2
"""Chance of success below which a campaign isn't continued."""
_EASY_PREY: Final = 0.7
"""A rival's armies, as a share of one's own, below which it is the next to be beaten."""
_GOAL_BUDGET: Final = 500
"""Goals considered of each kind times countries of the map: large maps get fewer."""
_RAID_BUDGET: Final = 2000
"""Raids considered times countries of the map."""
_STEP_BUDGET: Final = 1500
"""Conquests in a campaign times countries of the map."""
_ANY_CONTINENTS: Final = 3
"""Maximum number of continents considered where a mission leaves the choice."""
_MANY_COUNTRIES: Final = 120
"""Maximum number of countries of a map on which several origins are tried."""

_Places: TypeAlias = tuple[tuple[int, int], ...]
"""Countries, and the armies to place there."""


class Goal(NamedTuple):
    """Countries to take: all of them, or any one."""

    countries: frozenset[int]
    any_one: bool = False


class Campaign(NamedTuple):
    """A row of conquests and its expected worth, in armies."""

    worth: float
    gain: float
    """Worth beyond that of doing nothing."""
    steps: tuple[tuple[int, int], ...]
    """Origin and target of each attack, in order."""
    goal: Goal
    places: _Places
    """Where armies are placed for it, and how many: its first origin comes first."""


def goals_of(model: PositionModel, pool: float) -> list[Goal]:
    """Return the goals worth considering in this position."""
    me, owner, armies, strategy = model.seat, model.owner, model.armies, model.strategy
    force = sum(n for n, by in zip(armies, owner, strict=True) if by == me) + pool
    lands: list[tuple[float, Goal]] = []
    broken: list[tuple[float, Goal]] = []
    for row, value in zip(model.tables.countries_of, model.tables.values, strict=True):
        others = frozenset(at for at in row if owner[at] != me)
        if not value or not others:
            continue
        against = sum(armies[at] for at in others)
        if against < 1.2 * force:
            lands.append((against / value, Goal(others)))
        if strategy.breaks and len({owner[at] for at in row}) == 1:
            broken.append((-value, Goal(others, any_one=True)))
    most = max(2, _GOAL_BUDGET // model.size)
    found = dict.fromkeys(
        goal for each in (lands, broken) for _, goal in sorted(each, key=itemgetter(0))[:most]
    )
    if strategy.hunts:
        for each, _ in model.prizes:
            held = frozenset(at for at, by in enumerate(owner) if by == each)
            if sum(armies[at] for at in held) < 1.3 * force:
                found[Goal(held)] = None
    found.update(dict.fromkeys(_mode_goals(model)))
    enemies = frozenset(at for at, by in enumerate(owner) if by != me)
    found[Goal(enemies)] = None
    return list(found)


def _mode_goals(model: PositionModel) -> list[Goal]:
    """Return the goals that the mode sets."""
    info, owner, me = model.position.info, model.owner, model.seat
    if info.mode == "capital":
        lost = frozenset(at for at in info.capitals if at != NONE and owner[at] != me)
        return [Goal(lost), Goal(lost, any_one=True)] if lost else []
    if model.mission == NONE:
        return []
    if model.target != NONE:
        held = frozenset(at for at, by in enumerate(owner) if by == model.target)
        return [Goal(held), Goal(held, any_one=True)] if held else []
    mission = model.law.atlas.missions[model.mission]
    land = model.tables.countries_of
    rows = [frozenset(at for at in row if owner[at] != me) for row in land]
    named = frozenset[int]().union(*[rows[n] for n in mission.continents if n != ANY])
    found = [named]
    if ANY in mission.continents:
        others = [named | row for n, row in enumerate(rows) if land[n] and n not in mission.continents]
        others.sort(key=lambda each: sum([model.armies[at] for at in each]))
        found = others[:_ANY_CONTINENTS]
    return [Goal(each) for each in found if each]


def best_campaign(model: PositionModel, pool: int, stop: Stop | None = None) -> Campaign | None:
    """Return the campaign worth most, with the whole pool placed for it; None if there is none.

    Once `stop` says so, the remaining goals are left out.
    """
    found: Campaign | None = None
    for each in possible_campaigns(model, pool, stop):
        if found is None or each.worth > found.worth:
            found = each
    return found


def quick_campaign(model: PositionModel, pool: int, stop: Stop | None = None) -> Campaign | None:
    """Return a good campaign with less work: one origin for each goal, and raids only if all those lose."""
    stand = model.worth(model.owner, model.armies, model.position.taken) + pool
    found: Campaign | None = None
    for each in _for_goals(model, pool, stand, 1, stop):
        if found is None or each.worth > found.worth:
            found = each
    if found is not None and found.gain >= model.strategy.min_gain:
        return found
    return max(_raids(model, pool, stand), key=attrgetter("worth"), default=found)


def possible_campaigns(model: PositionModel, pool: int, stop: Stop | None = None) -> Iterator[Campaign]:
    """Yield a campaign for each goal and origin, then those of one conquest, until `stop` says so."""
    stand = model.worth(model.owner, model.armies, model.position.taken) + pool
    yield from _for_goals(model, pool, stand, _MAX_ORIGINS, stop)
    if stop is None or not stop():
        yield from _raids(model, pool, stand)


def _for_goals(
    model: PositionModel, pool: int, stand: float, origins: int, stop: Stop | None
) -> Iterator[Campaign]:
    for goal in goals_of(model, pool):
        if stop is not None and stop():
            return
        starts = [((src, pool),) for src in _origins(model, goal, pool)[:origins]]
        for places in (*starts, *_fronts(model, goal, pool)):
            each = follow(model, goal, places, stand)
            if each is not None:
                yield each


def _raids(model: PositionModel, pool: int, stand: float) -> list[Campaign]:
    """Return campaigns of one conquest, cheapest first."""
    me, owner, armies, defence = model.seat, model.owner, model.armies, model.defence
    pairs: list[tuple[float, int, int]] = []
    for src, by in enumerate(owner):
        if by != me or armies[src] + pool < 2:
            continue
        for dst in model.tables.borders[src]:
            if owner[dst] == me:
                continue
            wins, lost, _ = battle_odds(round(armies[src] + pool), round(armies[dst]), defence)
            if wins > _MIN_RAID_CHANCE:
                pairs.append((lost / wins, src, dst))
    pairs.sort()
    found = []
    for _, src, dst in pairs[: max(6, _RAID_BUDGET // model.size)]:
        each = follow(model, Goal(frozenset((dst,)), any_one=True), ((src, pool),), stand)
        if each is not None:
            found.append(each)
    return found


def _fronts(model: PositionModel, goal: Goal, pool: int) -> list[_Places]:
    """Return how to divide the pool among origins if a mode's goal lies apart; empty if one is enough.

    Each separate part of the goal gets the same number of armies for each that it costs. In matches for the
    world one stack is as good: see docs/measured.md.
    """
    if not pool or goal.any_one or model.position.info.mode == "domination":
        return []
    parts, costs = list(_parts(model, goal)), dict[int, float]()
    if len(parts) < 2:
        return []
    for part in parts:
        near = _costs(model, part)
        if not near:
            return []
        src = min(near, key=lambda at: (near[at] - model.armies[at], at))
        each = [ATTACK_COST * model.armies[at] + 1.0 for at in part]
        costs[src] = costs.get(src, 0.0) + near[src] + sum(each) - min(each)
    while True:  # those that have enough leave the others to share
        level = (pool + sum([model.armies[src] - 1.0 for src in costs])) / max(1.0, sum(costs.values()))
        short = {src: n for src, n in costs.items() if level * n > model.armies[src] - 1.0}
        if len(short) == len(costs):
            break
        costs = short
    shares = {src: round(level * n - model.armies[src] + 1.0) for src, n in costs.items()}
    first = max(shares, key=lambda src: (shares[src], -src), default=NONE)
    others = [(src, n) for src, n in shares.items() if n and src != first]
    rest = pool - sum([n for _, n in others])
    return [((first, rest), *others)] if others and rest > 0 else []


def _parts(model: PositionModel, goal: Goal) -> Iterator[set[int]]:
    """Yield the parts of a goal that don't border each other."""
    left = {at for at in goal.countries if model.owner[at] != model.seat}
    while left:
        part, todo = set[int](), [left.pop()]
        while todo:
            at = todo.pop()
            part.add(at)
            near = left.intersection(model.tables.borders[at])
            left -= near
            todo += near
        yield part


def _origins(model: PositionModel, goal: Goal, pool: float) -> list[int]:
    """Return the countries from which the goal is reached best."""
    cost = _costs(model, goal.countries)
    near = [at for at in cost if model.armies[at] + pool >= 2]
    near.sort(key=lambda at: (cost[at] - model.armies[at], at))
    return near[: _MAX_ORIGINS if model.size <= _MANY_COUNTRIES else 1]


def _costs(model: PositionModel, ends: Iterable[int]) -> dict[int, float]:
    """Return the cost in armies to fight from each of the seat's countries to the nearest of the targets."""
    me, owner, armies, into = model.seat, model.owner, model.armies, model.tables.into
    seen: set[int] = set()
    found: dict[int, float] = {}
    heap = [(ATTACK_COST * armies[at] + 1.0, at) for at in ends if owner[at] != me]
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
                heappush(heap, (cost + ATTACK_COST * armies[n] + 1.0, n))
    return found


def _next_target(
    model: PositionModel, owner: list[int], armies: list[float], head: int, wanted: set[int]
) -> int:
    """Return the country to attack next from a country; NONE if no wanted country can be reached."""
    borders, me = model.tables.borders, model.seat
    near = [at for at in borders[head] if at in wanted]
    if len(near) == 1:
        return near[0]
    if near:
        # dead ends first: going past them means coming back for them
        return min(near, key=lambda at: (sum([n in wanted for n in borders[at]]), armies[at], at))
    seen = {head}
    heap = [(ATTACK_COST * armies[at] + 1.0, at, at) for at in borders[head] if owner[at] != me]
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
                heappush(heap, (cost + ATTACK_COST * armies[n] + 1.0, n, first))
    return NONE


def follow(model: PositionModel, goal: Goal, places: _Places, stand: float) -> Campaign | None:
    """Return the campaign from the first place as far as it pays; other stacks go on where one is stuck."""
    me, strategy = model.seat, model.strategy
    owner, armies = model.owner.copy(), model.armies.copy()
    for at, n in places:
        armies[at] += n
    wanted = {at for at in goal.countries if owner[at] != me}
    steps: list[tuple[int, int]] = []
    head, chance, failed, found = places[0][0], 1.0, 0.0, None
    before = stand
    longest = min(strategy.max_steps, max(5, _STEP_BUDGET // model.size))
    known = model.explored.setdefault(tuple(armies), {})  # two of three steps come again
    while wanted and len(steps) < longest:
        dst = _next_target(model, owner, armies, head, wanted) if armies[head] >= 1.5 else NONE
        if dst == NONE:
            head = _reserve(model, owner, armies, wanted)
            if head == NONE or not steps:
                break
            continue
        wins, lost, killed = battle_odds(round(armies[head]), max(1, round(armies[dst])), model.defence)
        if wins * chance < _MIN_CAMPAIGN_CHANCE:
            break
        enemy = owner[dst]
        failed += chance * (1.0 - wins) * (before - (armies[head] - 1.0) + model.weights[enemy] * killed)
        chance *= wins
        left = max(2.0, armies[head] - lost)
        armies[head], armies[dst], owner[dst] = 1.0, left - 1.0, me
        steps.append((head, dst))
        head = dst
        wanted.discard(dst)
        if enemy not in owner and len(model.living) > 2:
            armies[head] += model.inherited_armies(enemy)
            wanted = wanted or _next_prey(model, owner, armies)
        after = known.get(steps[-1])
        if after is None:
            after = known[steps[-1]] = Explored(model.worth(owner, armies, True), {})
        before, known = after
        worth = failed + chance * before
        if found is None or worth > found.worth:
            found = Campaign(worth, worth - stand, tuple(steps), goal, places)
        if goal.any_one and dst in goal.countries:
            break
    return found


def _next_prey(model: PositionModel, owner: list[int], armies: list[float]) -> set[int]:
    """Return the countries of the rival with fewest armies, if it can be beaten in the same turn."""
    forces = [0.0] * (model.law.seats + 1)
    for by, n in zip(owner, armies, strict=True):
        forces[by] += n
    prey = min(
        (each for each, _ in model.prizes if 0.0 < forces[each] < _EASY_PREY * forces[model.seat]),
        key=lambda each: (forces[each], each),
        default=NONE,
    )
    return {at for at, by in enumerate(owner) if by == prey}


def _reserve(model: PositionModel, owner: list[int], armies: list[float], wanted: set[int]) -> int:
    """Return the strongest stack next to a wanted country; NONE if there is none."""
    most, found = 2.5, NONE
    for at in wanted:
        for n in model.tables.into[at]:
            if owner[n] == model.seat and armies[n] > most:
                most, found = armies[n], n
    return found


def exact_chance(model: PositionModel, steps: Iterable[tuple[int, int]]) -> float:
    """Return the chance that all these battles succeed, each fought to the end, all armies moving in."""
    stacks, chance = dict[int, dict[int, float]](), 1.0
    for src, dst in steps:
        left: dict[int, float] = {}
        for armies, share in stacks.get(src, {round(model.armies[src]): 1.0}).items():
            for n, wins in armies_left(armies, round(model.armies[dst]), defence=model.defence).items():
                left[n - 1] = left.get(n - 1, 0.0) + share * wins
        won = sum(left.values())
        if not won:
            return 0.0
        chance *= won
        stacks[src], stacks[dst] = {1: 1.0}, {n: share / won for n, share in left.items()}
    return chance
