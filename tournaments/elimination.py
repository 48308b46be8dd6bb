"""Brackets: out after one loss, or after two.

A bracket is a list of nodes, each with two sources: a seed, or the winner or loser of an earlier node. A node
is paired as soon as both are known, without waiting for others. A source that nobody comes from, as where the
number of entrants isn't a power of two, lets the other one pass. A drawn match is played once more with sides
exchanged, and after two draws the better seed passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tournaments.event import Event, Pairing, forfeited
from tournaments.sides import histories, seated

_MATCHES: Final = 2
"""How many matches a node may need."""

Kind = Literal["seed", "winner", "loser", "again_a", "again_b"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where someone in a node comes from: a seed by its number, or a node by its index.

    `again_a` and `again_b` are the two of a final that is played again, because its second one, who came
    through the bracket of losers, has won: both have then lost once. Otherwise the winner passes.
    """

    kind: Kind
    of: int


@dataclass(frozen=True, slots=True)
class Node:
    """A meeting of a bracket, in a round."""

    round: int
    a: Source
    b: Source


@dataclass(frozen=True, slots=True)
class NodeOutcome:
    """What is known of a node: who is in it, who won and who lost; None is nobody.

    Until it is `ready`, nobody is known.
    """

    pair: tuple[int | None, int | None] = (None, None)
    ready: bool = False
    over: bool = False
    winner: int | None = None
    loser: int | None = None


def seeding(size: int) -> list[int]:
    """Return the seeds of a bracket from top to bottom, so that the best meet as late as possible."""
    order = [1]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) + 1 - one)]
    return order


def bracket(entrants: int, *, double: bool) -> tuple[Node, ...]:
    """Return the bracket for a number of entrants, at least 2, with sources before the nodes they feed."""
    size = 1 << (entrants - 1).bit_length()
    seeds = seeding(size)
    nodes: list[Node] = []

    def add(number: int, sources: Sequence[Source]) -> list[int]:
        first = len(nodes)
        nodes.extend(Node(number, a, b) for a, b in zip(sources[::2], sources[1::2], strict=True))
        return list(range(first, len(nodes)))

    level = add(1, [Source("seed", seed) for seed in seeds])
    lower = [Source("loser", node) for node in level]
    number = 1
    while len(level) > 1:
        number += 1
        level = add(number, [Source("winner", node) for node in level])
        if double:
            beaten = [Source("winner", node) for node in add(number, lower)]
            fallen = [Source("loser", node) for node in reversed(level)]
            mixed = [source for pair in zip(beaten, fallen, strict=True) for source in pair]
            number += 1
            lower = [Source("winner", node) for node in add(number, mixed)]
    if double:
        (final,) = add(number + 1, [Source("winner", level[0]), *lower])
        add(number + 2, [Source("again_a", final), Source("again_b", final)])
    return tuple(nodes)


def outcomes(event: Event) -> tuple[NodeOutcome, ...]:
    """Return what is known of each node of an event's bracket."""
    numbers = sorted(one.number for one in event.entrants)
    found: list[NodeOutcome] = []

    def come(source: Source) -> tuple[bool, int | None]:
        """Return whether it is known who comes from a source, and who."""
        if source.kind == "seed":
            return True, numbers[source.of - 1] if source.of <= len(numbers) else None
        before = found[source.of]
        if not before.over:
            return False, None
        if source.kind in ("winner", "loser"):
            return True, before.winner if source.kind == "winner" else before.loser
        again = before.pair[1] is not None and before.winner == before.pair[1] and before.loser is not None
        if source.kind == "again_a":
            return True, before.pair[0] if again else before.winner
        return True, before.pair[1] if again else None

    for table, node in enumerate(bracket(len(numbers), double=event.format == "double")):
        (ready, a), (also, b) = come(node.a), come(node.b)
        if not (ready and also):
            found.append(NodeOutcome())
        elif a is None or b is None:
            found.append(NodeOutcome((a, b), ready=True, over=True, winner=b if a is None else a))
        else:
            found.append(_decided(event, table, a, b))
    return tuple(found)


def _decided(event: Event, table: int, a: int, b: int) -> NodeOutcome:
    """Return the outcome of a node with two people in it."""
    played = [one for one in event.pairings if one.table == table and one.points is not None]
    for one in played:
        mine, other = one.points_of(a), one.points_of(b)
        if mine != other:
            winner, loser = (a, b) if mine > other else (b, a)
            return NodeOutcome((a, b), ready=True, over=True, winner=winner, loser=loser)
        if not one.played:  # both have withdrawn
            return NodeOutcome((a, b), ready=True, over=True)
    if len(played) >= _MATCHES:
        return NodeOutcome((a, b), ready=True, over=True, winner=min(a, b), loser=max(a, b))
    return NodeOutcome((a, b), ready=True)


def due(event: Event) -> tuple[Pairing, ...]:
    """Return the pairings that can be made now; those with someone who withdrew have their result."""
    nodes = bracket(len(event.entrants), double=event.format == "double")
    open_tables = {event.pairings[index].table for index in event.open}
    made = []
    for table, (node, outcome) in enumerate(zip(nodes, outcomes(event), strict=True)):
        a, b = outcome.pair
        if not outcome.ready or outcome.over or table in open_tables or a is None or b is None:
            continue
        known = histories(event, (a, b))
        seats = seated(known[min(a, b)], known[max(a, b)])
        if before := [one for one in event.pairings if one.table == table]:
            seats = before[-1].seats[1], before[-1].seats[0]
        if any(event.entrant(number).left for number in seats):
            made.append(Pairing(node.round, table, seats, forfeited(event, seats), played=False))
        else:
            made.append(Pairing(node.round, table, seats))
    return tuple(made)


def fallen(event: Event) -> dict[int, int]:
    """Return in which round each one was knocked out; those who weren't are missing."""
    out: dict[int, int] = {}
    lives = 2 if event.format == "double" else 1
    lost: dict[int, int] = {}
    nodes = bracket(len(event.entrants), double=event.format == "double")
    for node, outcome in zip(nodes, outcomes(event), strict=True):
        gone = outcome.pair if outcome.over and outcome.winner is None else (outcome.loser,)
        for number in gone:
            if number is not None:
                lost[number] = lost.get(number, 0) + 1
                if lost[number] >= lives or outcome.winner is None:
                    out[number] = node.round
    return out
