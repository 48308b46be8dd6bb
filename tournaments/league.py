"""A season of divisions: everyone meets everyone of their own division once, then some go up and some down.

Divisions are blocks of the entrants' numbers, the first one the strongest, so that they follow from the
number of entrants and `Event.group`, the size that divisions are to have.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

from tournaments.event import Event, Pairing
from tournaments.round_robin import schedule
from tournaments.standings import Standing, standings

LEAST: Final = 3
"""Minimum size of a division that is to be."""


def sizes(entrants: int, group: int) -> tuple[int, ...]:
    """Return the sizes of the divisions, as near to `group` as they can be; the lowest are the largest.

    >>> sizes(13, 6), sizes(7, 4), sizes(3, 6), sizes(12, 4)
    ((6, 7), (3, 4), (3,), (4, 4, 4))
    """
    count = max(1, round(entrants / max(LEAST, group)))
    size, more = divmod(entrants, count)
    return tuple(size + (n >= count - more) for n in range(count))


def divisions(event: Event) -> tuple[Event, ...]:
    """Return the divisions of a league, each as the round robin that it is."""
    numbers = sorted(one.number for one in event.entrants)
    made, start = [], 0
    for size in sizes(len(numbers), event.group):
        own = frozenset(numbers[start : start + size])
        start += size
        entrants = tuple(one for one in event.entrants if one.number in own)
        pairings = tuple(one for one in event.pairings if own.issuperset(one.seats))
        made.append(replace(event, format="round_robin", entrants=entrants, pairings=pairings))
    return tuple(made)


def fixtures(event: Event) -> tuple[Pairing, ...]:
    """Return all pairings of a season, round by round; those of a round have tables of their own."""
    made: list[Pairing] = []
    tables: dict[int, int] = {}
    for one in sorted(
        (one for each in divisions(event) for one in schedule(each)), key=lambda one: one.round
    ):
        table = tables.get(one.round, 0)
        tables[one.round] = table + 1
        made.append(replace(one, table=table))
    return tuple(made)


def tables_of(event: Event) -> tuple[tuple[Standing, ...], ...]:
    """Return the standings of each division of a league, the strongest first; of other events all in one."""
    return tuple(standings(each) for each in (divisions(event) if event.format == "league" else (event,)))


def moving(size: int) -> int:
    """Return how many of a division of this size go up, and how many down: a quarter, at least one.

    >>> [moving(size) for size in (3, 6, 8, 12)]
    [1, 1, 2, 3]
    """
    return max(1, size // 4)


def next_order(event: Event) -> tuple[int, ...]:
    """Return all entrants as the next season sorts them: with those who go up above those who go down.

    As many change places between two divisions as the smaller of them lets move.
    """
    order = [[one.number for one in table] for table in tables_of(event)]
    swaps = [moving(min(len(above), len(below))) for above, below in pairwise(order)]
    after = [list(one) for one in order]
    for n, count in enumerate(swaps):
        up, down = order[n + 1][:count], order[n][-count:]
        after[n] = [one for one in after[n] if one not in down] + up
        after[n + 1] = down + [one for one in after[n + 1] if one not in up]
    return tuple(number for one in after for number in one)
