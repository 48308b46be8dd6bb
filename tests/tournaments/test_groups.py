"""Groups of more than two: everyone sits once a round, and points follow from places."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

from tests.rows import rows
from tournaments.event import Entrant, Event, points_for_places, with_result
from tournaments.progress import advanced, is_over
from tournaments.standings import standings


def test_points_are_shared_with_a_place() -> None:
    assert points_for_places((1, 2, 3, 4)) == (6, 4, 2, 0)
    assert points_for_places((1, 3, 1, 3)) == (5, 1, 5, 1)
    assert points_for_places((1, 1, 1)) == (2, 2, 2)


@rows("seats", [3, 4, 6])
@rows("people", [6, 9, 16, 23])
def test_everyone_sits_once_a_round(people: int, seats: int) -> None:
    dice = random.Random(people * seats)
    event = advanced(Event("groups", 4, tuple(Entrant(n) for n in range(1, people + 1)), seats=seats))
    while not is_over(event):
        for index in event.open:
            places = [dice.randint(1, seats) for _ in range(seats)]
            ranks = [1 + sum(other < mine for other in places) for mine in places]
            event = with_result(event, index, points_for_places(ranks))
        event = advanced(event)
    assert event.round == 4
    free: Counter[int] = Counter()
    met: Counter[frozenset[int]] = Counter()
    for number in range(1, 5):
        made = [one for one in event.pairings if one.round == number]
        assert sorted(one for pairing in made for one in pairing.seats) == list(range(1, people + 1))
        assert {len(one.seats) for one in made} <= {1, seats}
        free.update(one.seats[0] for one in made if len(one.seats) == 1)
        met.update(frozenset(pair) for one in made for pair in combinations(one.seats, 2))
    assert max(free.values(), default=0) - min((free[n] for n in range(1, people + 1)), default=0) <= 1
    if people == 16 and seats == 3:
        assert sum(times - 1 for times in met.values()) <= 2, "with this much choice hardly any meet twice"
    total = sum(one.points for one in standings(event))
    assert total == 4 * people * (seats - 1)


def test_whoever_leaves_is_not_seated_again_and_too_few_end_it() -> None:
    event = advanced(Event("groups", 3, tuple(Entrant(n) for n in range(1, 5)), seats=3))
    (index,) = event.open
    event = with_result(event, index, (4, 2, 0))
    event = replace(event, entrants=tuple(replace(one, left=one.number < 3) for one in event.entrants))
    assert is_over(advanced(event))
    assert advanced(event).round == 1
