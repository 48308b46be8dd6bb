"""Eliminations beside a literal model: lists of people who are still in, paired off by hand."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.rows import rows
from tournaments.elimination import fallen, seeding
from tournaments.event import DRAW, LOSS, WIN, Entrant, Event, Format, with_result
from tournaments.progress import advanced, can_repair, is_over
from tournaments.standings import standings


def event_of(people: int, how: Format = "single") -> Event:
    return advanced(Event(how, 0, tuple(Entrant(number) for number in range(1, people + 1))))


def stronger(a: int, b: int, seed: int) -> int:
    """Return who wins, the same whenever the two meet."""
    return random.Random(f"{seed} {min(a, b)} {max(a, b)}").choice(sorted((a, b)))


def played(event: Event, seed: int) -> Event:
    """Play an event to its end, open matches in any order."""
    dice = random.Random(seed)
    while not is_over(event):
        index = dice.choice(event.open)
        a, b = event.pairings[index].seats
        won = stronger(a, b, seed)
        event = advanced(with_result(event, index, (WIN, LOSS) if won == a else (LOSS, WIN)))
    return event


def by_hand(people: int, seed: int) -> list[int]:
    """Return the winner, and who was beaten in the final, the semi-finals and so on, each round sorted."""
    size = 1
    while size < people:
        size *= 2
    line: list[int | None] = [seed if seed <= people else None for seed in seeding(size)]
    out: list[list[int]] = []
    while len(line) > 1:
        on, beaten = [], []
        for a, b in zip(line[::2], line[1::2], strict=True):
            if a is None or b is None:
                on.append(a or b)
            else:
                won = stronger(a, b, seed)
                on.append(won)
                beaten.append(a + b - won)
        line = on
        out.insert(0, sorted(beaten))
    assert line[0] is not None
    return [line[0], *(one for beaten in out for one in beaten)]


@rows("people", range(2, 35))
def test_a_single_elimination_goes_as_by_hand(people: int) -> None:
    event = played(event_of(people), people)
    assert len(event.pairings) == people - 1
    table = standings(event)
    assert table[0].place == 1
    assert [one.place for one in table].count(1) == 1
    assert [one.number for one in sorted(table, key=lambda one: (one.place, one.number))] == by_hand(
        people, people
    )


@pytest.mark.parametrize("people", range(2, 35))
def test_in_a_double_elimination_everyone_but_the_winner_loses_twice(people: int) -> None:
    event = played(event_of(people, "double"), people)
    lost = dict.fromkeys(range(1, people + 1), 0)
    for pairing in event.pairings:
        assert max(lost[number] for number in pairing.seats) < 2, "someone who was out has played"
        lost[pairing.seats[0 if pairing.points == (LOSS, WIN) else 1]] += 1
    winner = standings(event)[0].number
    assert lost.pop(winner) < 2
    assert set(lost.values()) == {2}
    assert winner not in fallen(event)


def test_the_best_seeds_meet_as_late_as_possible() -> None:
    assert seeding(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    assert {frozenset(p.seats) for p in event_of(5).pairings} == {
        frozenset((4, 5)),
        frozenset((2, 3)),
    }


def test_a_draw_is_played_again_with_sides_exchanged_and_then_the_better_seed_passes() -> None:
    event = event_of(2)
    event = advanced(with_result(event, 0, (DRAW, DRAW)))
    assert event.pairings[1].seats == event.pairings[0].seats[::-1]
    event = advanced(with_result(event, 1, (DRAW, DRAW)))
    assert is_over(event)
    assert standings(event)[0].number == 1


def test_opponents_of_someone_who_withdraws_pass() -> None:
    event = event_of(4)
    gone = replace(event, entrants=(replace(event.entrants[0], left=True), *event.entrants[1:]))
    event = advanced(gone)
    (index,) = event.open
    event = advanced(with_result(event, index, (WIN, LOSS)))
    (final,) = event.open
    assert 4 in event.pairings[final].seats
    nobody = replace(event_of(4), entrants=tuple(Entrant(number, left=True) for number in range(1, 5)))
    assert is_over(advanced(nobody))
    assert {one.place for one in standings(advanced(nobody))} == {1}


def test_a_result_can_be_repaired_until_others_were_paired_by_it() -> None:
    event = event_of(4)
    event = advanced(with_result(event, 0, (WIN, LOSS)))
    assert can_repair(event, 0, (LOSS, WIN))
    event = advanced(with_result(event, 1, (WIN, LOSS)))
    assert len(event.pairings) == 3
    assert not can_repair(event, 0, (LOSS, WIN))
    assert can_repair(event, 0, (WIN, LOSS))
    again = advanced(with_result(event_of(2), 0, (DRAW, DRAW)))
    assert not can_repair(again, 0, (WIN, LOSS))
