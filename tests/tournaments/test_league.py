"""Seasons of divisions: who meets whom, and who goes up and down."""

from __future__ import annotations

import random
from dataclasses import replace

from tests.rows import rows
from tournaments import league
from tournaments.event import DRAW, LOSS, WIN, Entrant, Event, with_result
from tournaments.progress import advanced, is_over
from tournaments.standings import standings


def season(people: int, group: int) -> Event:
    return advanced(Event("league", 0, tuple(Entrant(n) for n in range(1, people + 1)), group=group))


def played(event: Event, dice: random.Random | None = None) -> Event:
    """The event with all results: by lot, or the higher number wins."""
    for index in event.open:
        a, b = event.pairings[index].seats
        points = (WIN, LOSS) if a > b else (LOSS, WIN)
        if dice is not None:
            points = dice.choice(((WIN, LOSS), (DRAW, DRAW), (LOSS, WIN)))
        event = with_result(event, index, points)
    return event


@rows("people", range(2, 40))
@rows("group", [3, 5, 6, 12])
def test_divisions_take_everyone_in_order_and_are_as_large_as_agreed(people: int, group: int) -> None:
    made = league.sizes(people, group)
    assert sum(made) == people
    assert max(made) - min(made) <= 1
    assert list(made) == sorted(made), "the lowest are the largest"
    assert len(made) == 1 or group * 2 / 3 <= min(made) <= max(made) <= group * 4 / 3


@rows("people, group", [(2, 6), (7, 3), (13, 6), (24, 6)])
def test_everyone_meets_everyone_of_their_division_once(people: int, group: int) -> None:
    event = season(people, group)
    blocks, start = [], 1
    for size in league.sizes(people, group):
        blocks.append(range(start, start + size))
        start += size
    wanted = {frozenset((a, b)) for block in blocks for a in block for b in block if a < b}
    assert sorted(map(sorted, wanted)) == sorted(sorted(one.seats) for one in event.pairings)
    assert len({(one.round, one.table) for one in event.pairings}) == len(event.pairings)
    assert [one.round for one in event.pairings] == sorted(one.round for one in event.pairings)
    assert is_over(played(event))
    assert advanced(event) == event, "and is paired once"


def test_the_table_of_a_division_is_that_of_its_round_robin() -> None:
    event = played(season(13, 6), random.Random(4))
    upper, lower = league.tables_of(event)
    for table, block in ((upper, range(1, 7)), (lower, range(7, 14))):
        alone = Event("round_robin", 0, tuple(map(Entrant, block)))
        pairings = tuple(one for one in event.pairings if one.seats[0] in block)
        assert table == standings(replace(alone, pairings=pairings))


def test_someone_who_leaves_early_has_no_share_in_their_division_only() -> None:
    event = season(8, 4)
    gone = replace(event, entrants=(*event.entrants[:7], replace(event.entrants[7], left=True)))
    after = played(advanced(gone))
    upper, lower = league.tables_of(after)
    assert lower[-1].number == 8
    assert {one.matches for one in upper} == {3}
    assert {one.matches for one in lower[:-1]} == {2}


def test_the_first_go_up_and_the_last_go_down() -> None:
    event = played(season(12, 4))
    assert [[one.number for one in table] for table in league.tables_of(event)] == [
        [4, 3, 2, 1],
        [8, 7, 6, 5],
        [12, 11, 10, 9],
    ]
    assert league.next_order(event) == (4, 3, 2, 8, 1, 7, 6, 12, 5, 11, 10, 9)
    large = played(season(16, 8))
    assert league.next_order(large) == (8, 7, 6, 5, 4, 3, 16, 15, 2, 1, 14, 13, 12, 11, 10, 9)


def test_one_division_keeps_its_order_and_three_are_the_least() -> None:
    assert league.next_order(played(season(3, 6))) == (3, 2, 1)
    event = played(season(9, 3))
    assert league.next_order(event) == (3, 2, 6, 1, 5, 9, 4, 8, 7), "one goes up, one stays, one goes down"


@rows("seed", range(20))
def test_nobody_is_lost_between_seasons(seed: int) -> None:
    dice = random.Random(seed)
    event = played(season(2 + dice.randrange(40), 3 + dice.randrange(6)), dice)
    assert sorted(league.next_order(event)) == [one.number for one in event.entrants]
