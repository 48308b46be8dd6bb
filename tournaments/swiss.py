"""Pair a round of a Swiss by maximum weight matching: nobody meets twice, nobody has two byes.

Of all such pairings the best one is taken. Better is, in this order: fewer pairs of one team; fewer pairs in
which both must have the same side; the bye to someone with a lower score; smaller differences of score,
squared; fewer pairs in which both would like the same side; and in a score group, the upper half against the
lower half in order.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from tournaments.event import WIN, Event, Pairing
from tournaments.sides import History, clash, histories, seated

_ALL: Final = 100
"""Number of people up to which every possible pair is weighed."""
_NEAREST: Final = 2
"""Above it, how many of the best opponents of each are weighed among those with the same score and wish for a
side, and scores at most half a point away: enough for the best pairing, or one very near to it, in seconds.
Where not all can be paired so, more are weighed."""
_BYE: Final = 0


def next_round(event: Event) -> tuple[Pairing, ...] | None:
    """Return the pairings of the next round; None if there is none, or it can't be paired by the rules.

    Raises ValueError while a result is missing.
    """
    if event.open:
        raise ValueError("the last round isn't over")
    number = event.round + 1
    present = [one.number for one in event.entrants if not one.left and one.joined <= number]
    if number > event.rounds or len(present) < 2:
        return None
    known = histories(event, present)
    ranked = sorted(known.values(), key=lambda one: (-one.score, one.number))
    found = _matched(ranked, event.rounds)
    if found is None:
        return None
    place = {one.number: rank for rank, one in enumerate(ranked)}
    pairs = sorted(tuple(sorted(pair, key=lambda one: place.get(one, len(ranked)))) for pair in found)
    pairs.sort(key=lambda pair: (_BYE in pair, place[pair[0]]))
    made = []
    for table, (a, b) in enumerate(pairs):
        if b == _BYE:
            made.append(Pairing(number, table, (a,), (WIN,), played=False))
        else:
            made.append(Pairing(number, table, seated(known[a], known[b])))
    return tuple(made)


def _matched(ranked: list[History], rounds: int) -> list[tuple[int, int]] | None:
    """Return the best pairs, with _BYE for someone's bye; None if not all can be paired."""
    costs = _costs(ranked, rounds)
    nodes = len(ranked) + len(ranked) % 2
    nearest, reach = (_NEAREST, 1) if len(ranked) > _ALL else (nodes, 2 * rounds)
    while True:
        edges = _edges(ranked, costs, nearest, reach)
        high = 1 + max((costs[a][b] for a, b in edges), default=0)
        import networkx  # here: it takes as long as half of a start, and few processes pair

        graph: Any = networkx.Graph()
        graph.add_weighted_edges_from((a, b, high - costs[a][b]) for a, b in sorted(edges))
        found = networkx.max_weight_matching(graph, maxcardinality=True)
        if 2 * len(found) == nodes:
            return [(min(pair), max(pair)) for pair in found]
        if nearest >= nodes:
            return None
        nearest, reach = (2 * nearest, 2 * reach) if nearest < nodes // 8 else (nodes, 2 * rounds)


def _edges(
    ranked: list[History], costs: dict[int, dict[int, int]], nearest: int, reach: int
) -> set[tuple[int, int]]:
    """Return the pairs to weigh: of each kind of opponent within `reach`, the `nearest` best for everyone."""
    kinds = {one.number: (one.score, one.wish[1], one.team) for one in ranked}
    edges: set[tuple[int, int]] = set()
    for a, possible in costs.items():
        taken: Counter[tuple[int, int, int] | None] = Counter()
        for b in sorted(possible, key=lambda b: possible[b]):
            kind = kinds.get(b)
            far = a != _BYE and kind is not None and abs(kind[0] - kinds[a][0]) > reach
            if taken[kind] < nearest and not far:
                taken[kind] += 1
                edges.add((min(a, b), max(a, b)))
    return edges


def _costs(ranked: list[History], rounds: int) -> dict[int, dict[int, int]]:
    """Return what it costs to pair two, for each and everyone they may meet, by their numbers.

    One number holds all that is counted, each in digits of its own: sums are compared like the lists.
    """
    many = len(ranked)
    fold = many * (many + 1)
    like = fold * (many + 1)
    apart = like * ((2 * rounds) ** 2 * many + 1)
    bye = apart * ((2 * rounds) ** 2 + 1)
    mates = bye * (many + 1)
    start: dict[int, int] = {}
    size: dict[int, int] = {}
    for rank, one in enumerate(ranked):
        start.setdefault(one.score, rank)
        size[one.score] = size.get(one.score, 0) + 1
    wishes = [one.wish for one in ranked]
    costs: dict[int, dict[int, int]] = {one.number: {} for one in ranked}
    for rank, one in enumerate(ranked):
        strength, side = wishes[rank]
        for below in range(rank + 1, many):
            other = ranked[below]
            if other.number in one.met:
                continue
            same = side != 0 and side == wishes[below][1]
            distance = below - rank
            if other.score == one.score:
                distance = abs(distance - max(1, size[one.score] // 2))
            cost = distance + fold * same + like * (one.score - other.score) ** 2
            if same and strength == wishes[below][0] and clash(one, other):
                cost += bye
            if one.team and one.team == other.team:
                cost += mates
            costs[one.number][other.number] = costs[other.number][one.number] = cost
    if many % 2:
        lowest = ranked[-1].score
        free = {
            one.number: apart * (one.score - lowest) ** 2 + many - 1 - rank
            for rank, one in enumerate(ranked)
            if not one.had_bye
        }
        costs[_BYE] = free
        for number, cost in free.items():
            costs[number][_BYE] = cost
    return costs
