"""What is to be paired next in a tournament of any format, and whether it is over."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments import elimination, groups, league, round_robin, swiss
from tournaments.event import Event, Pairing, settled, with_pairings, with_result


def due(event: Event) -> tuple[Pairing, ...]:
    """Return the pairings that can be made now, none while others have to end first.

    A round robin or league is paired as a whole, an elimination as far as its winners are known. Pairing a
    large Swiss takes up to two seconds: call this in a thread.
    """
    if event.format == "round_robin":
        return () if event.pairings or len(event.entrants) < 2 else round_robin.schedule(event)
    if event.format == "league":
        return () if event.pairings or len(event.entrants) < 2 else league.fixtures(event)
    if event.format in ("single", "double"):
        return elimination.due(event) if len(event.entrants) > 1 else ()
    if event.open:
        return ()
    return (swiss if event.format == "swiss" else groups).next_round(event) or ()


def advanced(event: Event, begun: frozenset[int] = frozenset()) -> Event:
    """Return the event with everything paired that can be, and forfeits of those who withdrew.

    `begun` are the pairings whose match has begun: these are played to their end.
    """
    event = settled(event, begun)
    while added := due(event):
        event = settled(with_pairings(event, added), begun)
    return event


def is_over(event: Event) -> bool:
    """Return whether nothing is left to play in an event that has been `advanced`."""
    return not event.open


def rounds_for(entrants: int) -> int:
    """Return how many rounds a Swiss of n entrants needs to find its best, and can have without rematches."""
    return max(1, min(max(3, (entrants - 1).bit_length() + 1), (entrants - 1) // 2 + 1))


def can_repair(event: Event, index: int, points: Sequence[int]) -> bool:
    """Return whether a result can still be changed.

    In an elimination it can't once others have been paired by it; in a Swiss, rounds that were paired
    before stay as they are.
    """
    if event.format not in ("single", "double"):
        return True
    after = elimination.outcomes(with_result(event, index, points))
    table = event.pairings[index].table
    replayed = any(one.table == table for one in event.pairings[index + 1 :])
    return not replayed and all(set(one.seats) == set(after[one.table].pair) for one in event.pairings)
