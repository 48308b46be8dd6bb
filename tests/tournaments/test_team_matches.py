"""Meetings of teams: their boards, their results, and brackets of teams beside those of single people."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Final

from tests.rows import rows
from tournaments.event import Entrant, Event, Format, Pairing, with_result
from tournaments.progress import advanced, can_repair
from tournaments.standings import standings, team_standings
from tournaments.team_matches import meetings, of_teams

ALONE: Final = (0, 1)
PARTNERS: Final = (0, 1, 0, 1)
RESULTS: Final = ((2, 0), (1, 1), (0, 2))


def of_sides(how: Format, sides: tuple[int, ...], *teams: int, rounds: int = 3) -> Event:
    """An event whose entrants are in these teams, which meet."""
    entrants = tuple(Entrant(number, team=team) for number, team in enumerate(teams, 1))
    return Event(how, rounds, entrants, seats=len(sides), sides=sides)


def given(event: Event, index: int, result: tuple[int, int]) -> Event:
    """The event after a board ended."""
    return with_result(event, index, [result[side] for side in event.sides])


def played(event: Event, dice: Random, *, leave: float = 0) -> Event:
    """The event, played to its end; before some results someone leaves."""
    event = advanced(event)
    while event.open:
        index = dice.choice(event.open)
        event = given(event, index, dice.choice(RESULTS))
        if dice.random() < leave:
            gone = dice.choice(event.entrants)
            entrants = tuple(replace(one, left=one.left or one is gone) for one in event.entrants)
            event = replace(event, entrants=entrants)
        event = advanced(event)
    return event


def literal_winner(event: Event, boards: list[Pairing], teams: tuple[int, int]) -> int | None:
    """The team with more points on the boards of a meeting; None if they are level."""
    team = {one.number: one.team for one in event.entrants}
    found: Counter[int] = Counter()
    for one in boards:
        assert one.points is not None
        for who in teams:
            mine = [points for seat, points in zip(one.seats, one.points, strict=True) if team[seat] == who]
            assert len(set(mine)) == 1, "team mates have the same"
            found[who] += mine[0]
    return None if found[teams[0]] == found[teams[1]] else max(teams, key=lambda who: found[who])


@rows("sides", [ALONE, PARTNERS])
@rows("how", ["swiss", "round_robin", "single", "double"])
@rows("seed", range(12))
def test_teams_meet_as_single_people_do(how: Format, sides: tuple[int, ...], seed: int) -> None:
    """The same tournament of single entrants, with the results of the meetings, has the same pairings."""
    dice, size = Random(seed), len(sides) // 2
    sizes = [size * dice.randint(1, 3) + dice.randrange(size) for _ in range(dice.randint(2, 7))]
    teams = [team for team, count in enumerate(sizes, 1) for _ in range(count)]
    dice.shuffle(teams)
    event = played(of_sides(how, sides, *teams), dice)
    team = {one.number: one.team for one in event.entrants}
    alone = advanced(replace(event, entrants=tuple(map(Entrant, range(1, len(sizes) + 1))), pairings=(),
                             sides=(), seats=2))  # fmt: skip
    waiting = [[event.pairings[index] for index in indexes] for indexes in meetings(event)]
    while alone.open:
        for index in alone.open:
            one = alone.pairings[index]
            boards = next(
                each for each in waiting
                if (each[0].round, each[0].table) == (one.round, one.table)
                and tuple(dict.fromkeys(team[seat] for seat in each[0].seats)) == one.seats
            )  # fmt: skip
            waiting.remove(boards)
            assert len(boards) == min(sizes[one.seats[0] - 1], sizes[one.seats[1] - 1]) // size
            seats = [seat for board in boards for seat in board.seats]
            assert len(set(seats)) == len(seats)
            for number, board in enumerate(boards):
                ahead = {team[seat] for seat, side in zip(board.seats, sides, strict=True) if side == 0}
                assert ahead == {one.seats[number % 2]}, "the first side alternates"
            first, second = one.seats
            winner = literal_winner(event, boards, (first, second))
            result = (1, 1) if winner is None else (2, 0) if winner == first else (0, 2)
            alone = with_result(alone, index, result)
        alone = advanced(alone)
    assert all(len(each[0].seats) == 1 for each in waiting), "byes"
    assert standings(event) == standings(alone)
    assert team_standings(event) == ()


@rows("sides", [ALONE, PARTNERS])
@rows("how", ["swiss", "round_robin", "single", "double"])
@rows("seed", range(12))
def test_whoever_leaves_nothing_is_left_hanging(how: Format, sides: tuple[int, ...], seed: int) -> None:
    dice = Random(seed)
    event = played(of_sides(how, sides, *(1, 2, 3, 4, 5) * len(sides)), dice, leave=0.2)
    assert advanced(event) == event
    found = standings(event)
    assert sorted(one.number for one in found) == [1, 2, 3, 4, 5]
    if how == "single" and any(one.points for one in found):
        assert sum(one.place == 1 for one in found) <= 2, "two who left at the end"


def test_a_side_with_someone_missing_forfeits_its_board() -> None:
    event = advanced(of_sides("round_robin", PARTNERS, 1, 2, 1, 2, 1, 2, 1, 2))
    assert [one.seats for one in event.pairings] == [(1, 2, 3, 4), (6, 5, 8, 7)]
    gone = tuple(replace(one, left=one.number == 3) for one in event.entrants)
    after = advanced(replace(event, entrants=gone))
    assert [one.points for one in after.pairings] == [(0, 2, 0, 2), None]
    assert of_teams(given(after, 1, (0, 2))).pairings[0].points == (1, 1)
    both = tuple(replace(one, left=one.number in (3, 8)) for one in event.entrants)
    assert [one.points for one in advanced(replace(event, entrants=both)).pairings] == [
        (0, 2, 0, 2),
        (0, 2, 0, 2),
    ]


def test_a_drawn_meeting_of_a_bracket_is_played_again_with_sides_exchanged() -> None:
    event = advanced(of_sides("single", ALONE, 1, 2, 2, 1))
    assert [one.seats for one in event.pairings] == [(1, 2), (3, 4)]
    event = advanced(given(given(event, 0, (2, 0)), 1, (2, 0)))
    assert [one.seats for one in event.pairings[2:]] == [(2, 1), (4, 3)]
    assert meetings(event) == ((0, 1), (2, 3))
    event = advanced(given(given(event, 2, (1, 1)), 3, (1, 1)))
    assert [one.number for one in standings(event)] == [1, 2], "after two draws the better seed passes"
    assert not event.open


def test_a_result_of_a_bracket_can_be_repaired_until_others_are_paired_by_it() -> None:
    event = advanced(of_sides("single", ALONE, 1, 2, 3, 4, 1, 2, 3, 4))
    assert [one.seats for one in event.pairings] == [(1, 4), (8, 5), (3, 2), (6, 7)]
    for index, result in enumerate(((2, 0), (0, 2), (0, 2))):
        event = advanced(given(event, index, result))
    assert can_repair(event, 0, (0, 2)), "no final yet"
    event = advanced(given(event, 3, (2, 0)))
    assert [one.seats for one in event.pairings[4:]] in ([(1, 2), (6, 5)], [(2, 1), (5, 6)])
    assert not can_repair(event, 0, (0, 2)), "the meeting would be drawn"
    assert can_repair(event, 0, (1, 1)), "the same team wins"
    assert can_repair(event, 5, (1, 1))


def test_all_pairs_of_teams_meet_in_a_round_robin() -> None:
    event = played(of_sides("round_robin", PARTNERS, *(1, 2, 3, 4) * 2), Random(3))
    met = {frozenset(one.seats) for one in of_teams(event).pairings}
    assert met == {frozenset(pair) for pair in combinations((1, 2, 3, 4), 2)}
