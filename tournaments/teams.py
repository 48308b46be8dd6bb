"""Teams of people whose matches count together: everyone plays for themselves, and their team adds it up.

Of each team as many results count as the smallest team has members, the best ones, so that nobody wins by
being many.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from tournaments.event import Event
from tournaments.standings import standings


@dataclass(frozen=True, slots=True)
class TeamStanding:
    """The place of a team, from 1; `counted` are the entrants whose half points were added up."""

    team: int
    place: int
    points: int
    counted: tuple[int, ...]


def team_standings(event: Event) -> tuple[TeamStanding, ...]:
    """Return the teams by place; those with equal points share one.

    Nothing in an event without teams, or where teams meet, so that `standings` has them.
    """
    if event.sides:
        return ()
    members: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    team_of = {one.number: one.team for one in event.entrants}
    for one in standings(event):
        if team_of[one.number]:
            members[team_of[one.number]].append((one.number, one.points))
    if not members:
        return ()
    size = min(map(len, members.values()))
    scores = {team: sum(points for _, points in found[:size]) for team, found in members.items()}
    return tuple(
        TeamStanding(
            team,
            1 + sum(other > scores[team] for other in scores.values()),
            scores[team],
            tuple(number for number, _ in members[team][:size]),
        )
        for team in sorted(scores, key=lambda one: (-scores[one], one))
    )
