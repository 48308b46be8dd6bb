"""What is to be paired next in a tournament of any format, and whether it is over."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments import elimination, groups, league, round_robin, swiss
from tournaments.event import Event, Pairing, settled, with_pairings, with_result
from tournaments.team_matches import boards_of, meetings, of_teams


def due(event: Event) -> tuple[Pairing, ...]:
    """Return the pairings that can be made now, none while others have to end first.

    A round robin or league is paired as a whole, an elimination as far as its winners are known. Pairing a
    large Swiss takes up to two seconds: call this in a thread.
    """
    if event.sides:
        return tuple(board for one in due(of_teams(event)) for board in boards_of(event, one))
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
    after, table = with_result(event, index, points), event.pairings[index].table
    if event.sides:
        index = next(n for n, boards in enumerate(meetings(event)) if index in boards)
        after = of_teams(after)
    replayed = any(one.table == table for one in after.pairings[index + 1 :])
    known = elimination.outcomes(after)
    return not replayed and all(set(one.seats) == set(known[one.table].pair) for one in after.pairings)
