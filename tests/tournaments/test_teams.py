"""Teams: who meets whom, and how the points of members add up."""

from __future__ import annotations

from itertools import combinations
from random import Random

from tests.rows import rows
from tournaments.event import Entrant, Event, with_result
from tournaments.progress import advanced
from tournaments.standings import TeamStanding, team_standings


def of_teams(how: str, *teams: int, rounds: int = 3) -> Event:
    """An event whose entrants are in these teams."""
    entrants = tuple(Entrant(number, team=team) for number, team in enumerate(teams, 1))
    return Event(how, rounds, entrants)  # type: ignore[arg-type] # a format


def mates(event: Event) -> int:
    """The number of pairings within a team."""
    team = {one.number: one.team for one in event.entrants}
    return sum(len({team[seat] for seat in one.seats}) == 1 < len(one.seats) for one in event.pairings)


def played(event: Event, dice: Random) -> Event:
    """The event, played to its end."""
    event = advanced(event)
    while event.open:
        for index in event.open:
            event = with_result(event, index, dice.choice(((2, 0), (1, 1), (0, 2))))
        event = advanced(event)
    return event


def test_in_a_round_robin_everyone_meets_all_of_the_other_teams() -> None:
    event = played(of_teams("round_robin", 1, 2, 1, 2, 3), Random(1))
    met = {frozenset(one.seats) for one in event.pairings}
    wanted = {frozenset(pair) for pair in combinations(range(1, 6), 2)} - {
        frozenset((1, 3)),
        frozenset((2, 4)),
    }
    assert met == wanted
    assert len(event.pairings) == len(wanted)


@rows("seed", range(8))
def test_in_a_swiss_members_of_a_team_meet_only_where_nobody_else_is_left(seed: int) -> None:
    dice = Random(seed)
    even = played(of_teams("swiss", *(1, 2) * 4), dice)
    assert mates(even) == 0
    assert even.round == 3
    three = played(of_teams("swiss", *(1, 2, 3) * 3), dice)
    assert mates(three) == 0
    uneven = played(of_teams("swiss", 1, 1, 1, 1, 1, 1, 2, 2, rounds=2), dice)
    assert uneven.round == 2
    assert mates(uneven) == 4, "six and two: two pairs within the larger team each round"
    for event in (even, three, uneven):
        met = [frozenset(one.seats) for one in event.pairings if len(one.seats) == 2]
        assert len(set(met)) == len(met)


def test_as_many_of_the_best_count_as_the_smallest_team_has() -> None:
    event = advanced(of_teams("round_robin", 1, 2, 1, 1))
    for index, one in enumerate(event.pairings):
        points = (0, 2) if one.seats[1] == 2 else (2, 0) if one.seats[0] == 2 else (1, 1)
        if set(one.seats) == {2, 4}:
            points = points[::-1]
        event = with_result(event, index, points)
    assert team_standings(event) == (TeamStanding(2, 1, 4, (2,)), TeamStanding(1, 2, 2, (4,)))


def test_equal_teams_share_a_place_and_without_teams_there_are_none() -> None:
    event = advanced(of_teams("round_robin", 1, 2))
    assert [(one.place, one.points) for one in team_standings(event)] == [(1, 0), (1, 0)]
    assert team_standings(of_teams("swiss", 0, 0)) == ()
