"""Tie-breaks, on examples counted by hand."""

from __future__ import annotations

from tournaments.event import DRAW, LOSS, WIN, Entrant, Event, Pairing
from tournaments.standings import standings

FOUR = tuple(Entrant(number) for number in range(1, 5))


def met(number: int, a: int, b: int, points: tuple[int, int] = (WIN, LOSS)) -> Pairing:
    return Pairing(number, a, (a, b), points)


def order(event: Event) -> list[tuple[int, int]]:
    return [(one.place, one.number) for one in standings(event)]


def test_those_who_are_level_are_told_apart_by_their_own_match() -> None:
    event = Event("swiss", 3, FOUR, (met(1, 4, 1), met(1, 2, 3), met(2, 1, 3), met(2, 2, 4, (DRAW, DRAW))))
    event = Event("swiss", 3, FOUR, (*event.pairings, met(3, 1, 2), met(3, 3, 4)))
    points = {one.number: one.points for one in standings(event)}
    assert points == {1: 4, 2: 3, 3: 2, 4: 3}
    tied = {one.number: one.tie_breaks for one in standings(event)}
    assert (tied[2][0], tied[4][0]) == (1, 1)
    assert (tied[2][1], tied[4][1]) == (2 + 3 + 4, 4 + 3 + 2)
    assert (tied[2][2], tied[4][2]) == (2 * 2 + 3, 2 * 4 + 3)
    assert order(event) == [(1, 1), (2, 4), (3, 2), (4, 3)]


def test_a_match_among_themselves_counts_before_the_others() -> None:
    three = FOUR[:3]
    pairings = (met(1, 3, 2), met(2, 2, 1), met(3, 1, 3))
    circle = Event("round_robin", 0, three, pairings)
    assert order(circle) == [(1, 1), (1, 2), (1, 3)], "each beat one and lost to one"
    event = Event(
        "round_robin", 0, FOUR, (met(1, 2, 1), met(1, 1, 3), met(2, 2, 4, (LOSS, WIN)), met(3, 4, 3))
    )
    points = {one.number: one.points for one in standings(event)}
    assert points == {1: 2, 2: 2, 3: 0, 4: 4}
    assert order(event) == [(1, 4), (2, 2), (3, 1), (4, 3)]


def test_a_round_without_a_match_counts_ones_own_points() -> None:
    free = Pairing(1, 9, (3,), (WIN,), played=False)
    forfeit = Pairing(1, 1, (1, 2), (WIN, LOSS), played=False)
    event = Event("swiss", 2, FOUR[:3], (forfeit, free, met(2, 1, 3)))
    rows = {one.number: one for one in standings(event)}
    assert rows[1].tie_breaks[1:3] == (2 + 4, 2 * 2)
    assert rows[3].tie_breaks[1:3] == (4 + 2, 0)
    assert rows[1].tie_breaks[3] == 1, "a forfeit isn't a win over the board"


def test_neither_a_draw_nor_a_match_that_both_have_lost_is_a_win() -> None:
    results = (((1, 2), (1, 1)), ((3, 4), (0, 0)), ((1, 3), (2, 0)), ((2, 4), (1, 1)))
    pairings = tuple(Pairing(1 + n // 2, n % 2, seats, points) for n, (seats, points) in enumerate(results))
    event = Event("swiss", 3, tuple(Entrant(n) for n in range(1, 5)), pairings)
    assert {one.number: one.tie_breaks[-1] for one in standings(event)} == {1: 1, 2: 0, 3: 0, 4: 0}
