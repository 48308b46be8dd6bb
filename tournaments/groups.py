"""Rounds of groups for more than two seats, with points by place.

In each round people with similar scores are put together, those who have met least first. People who are left
over have a round free, with the average points of a group; nobody has a second one before everyone had one.
"""

from __future__ import annotations

from collections import Counter

from tournaments.event import Event, Pairing


def next_round(event: Event) -> tuple[Pairing, ...] | None:
    """Return the groups of the next round; None if there is none.

    Raises ValueError while a result is missing.
    """
    if event.open:
        raise ValueError("the last round isn't over")
    number, seats = event.round + 1, event.seats
    present = [one.number for one in event.entrants if not one.left and one.joined <= number]
    if number > event.rounds or len(present) < seats:
        return None
    score: Counter[int] = Counter()
    free: Counter[int] = Counter()
    met: Counter[tuple[int, int]] = Counter()
    sat: Counter[tuple[int, int]] = Counter()
    for pairing in event.pairings:
        for seat, one in enumerate(pairing.seats):
            score[one] += pairing.points_of(one)
            free[one] += len(pairing.seats) == 1
            sat[one, seat] += 1
            met.update((one, other) for other in pairing.seats if other != one)
    ranked = sorted(present, key=lambda one: (-score[one], one))
    left_over = sorted(ranked, key=lambda one: (free[one], score[one], -one))[: len(ranked) % seats]
    made: list[Pairing] = []
    waiting = [one for one in ranked if one not in left_over]
    while waiting:
        group = [waiting.pop(0)]
        while len(group) < seats:
            group.append(min(waiting, key=lambda one: sum(met[one, other] for other in group)))
            waiting.remove(group[-1])
        made.append(Pairing(number, len(made), _seated(group, sat)))
    free_points = (seats - 1,)
    made += [Pairing(number, len(made) + n, (one,), free_points, False) for n, one in enumerate(left_over)]
    return tuple(made)


def _seated(group: list[int], sat: Counter[tuple[int, int]]) -> tuple[int, ...]:
    """Return a group in the order of seats: each seat to the one who had it least."""
    order: list[int] = []
    for seat in range(len(group)):
        order.append(min((one for one in group if one not in order), key=lambda one: (sat[one, seat], one)))
    return tuple(order)
