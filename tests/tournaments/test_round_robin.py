"""The round robin beside a literal model: Berger's circle, turned by hand as FIDE describes it."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

from tests.rows import rows
from tournaments.event import DRAW, LOSS, WIN, Entrant, Event, with_result
from tournaments.progress import advanced, is_over
from tournaments.round_robin import schedule
from tournaments.standings import annulled, standings


def event_of(people: int) -> Event:
    return Event("round_robin", 0, tuple(Entrant(number) for number in range(1, people + 1)))


def turned_by_hand(people: int) -> list[list[tuple[int, int]]]:
    """Return the rounds: everyone moves on by half the circle, and the last one stays, changing sides."""
    size = people + people % 2
    circle, rounds = list(range(1, size)), []
    for number in range(size - 1):
        pairs = [(circle[0], size) if number % 2 == 0 else (size, circle[0])]
        pairs += [(circle[i], circle[-i]) for i in range(1, size // 2)]
        rounds.append([pair for pair in pairs if people in (size, *range(max(pair), size))])
        circle = circle[size // 2 :] + circle[: size // 2]
    return rounds


@rows("people", range(2, 24))
def test_the_schedule_is_that_of_the_circle(people: int) -> None:
    made = schedule(event_of(people))
    for number, pairs in enumerate(turned_by_hand(people), 1):
        assert {p.seats for p in made if p.round == number} == set(pairs)
    assert {frozenset(p.seats) for p in made} == {
        frozenset((a, b)) for a in range(1, people + 1) for b in range(1, a)
    }
    assert len(made) == people * (people - 1) // 2
    for number in range(1, people + 1):
        first = sum(p.seats[0] == number for p in made)
        assert abs(2 * first - (people - 1)) <= 1


def test_the_table_of_four_is_the_printed_one() -> None:
    made = schedule(event_of(4))
    rounds = [{p.seats for p in made if p.round == number} for number in (1, 2, 3)]
    assert rounds == [{(1, 4), (2, 3)}, {(4, 3), (1, 2)}, {(2, 4), (3, 1)}]


@rows("seed", range(30))
def test_points_are_those_counted_by_hand(seed: int) -> None:
    dice = random.Random(seed)
    event = advanced(event_of(2 + seed % 7))
    by_hand = dict.fromkeys((one.number for one in event.entrants), 0.0)
    for index in event.open:
        a, b = event.pairings[index].seats
        mine = dice.choice((0.0, 0.5, 1.0))
        by_hand[a] += mine
        by_hand[b] += 1 - mine
        event = with_result(event, index, (round(2 * mine), round(2 - 2 * mine)))
    assert is_over(advanced(event))
    table = standings(event)
    assert {one.number: one.points / 2 for one in table} == by_hand
    for above, below in pairwise(table):
        assert above.points >= below.points
        assert (above.place == below.place) == (
            (above.points, above.tie_breaks) == (below.points, below.tie_breaks)
        )


def test_someone_who_leaves_early_has_no_share_and_later_forfeits() -> None:
    event = advanced(event_of(5))
    first = [n for n, p in enumerate(event.pairings) if 1 in p.seats]
    event = with_result(
        event, first[0], (WIN, LOSS) if event.pairings[first[0]].seats[0] == 1 else (LOSS, WIN)
    )
    left = (replace(event.entrants[0], left=True), *event.entrants[1:])
    early = advanced(replace(event, entrants=left))
    assert annulled(early) == {1}
    assert {one.number: one.points for one in standings(early)} == dict.fromkeys(range(1, 6), 0)
    assert standings(early)[-1].number == 1
    event = with_result(event, first[1], (DRAW, DRAW))
    late = advanced(replace(event, entrants=left))
    assert annulled(late) == frozenset()
    assert {one.number: one.points for one in standings(late)}[1] == 3
    assert sum(one.points for one in standings(late)) == 8
