"""Meetings of teams: a tournament in which teams meet as one in which they are the entrants.

Two teams meet on as many boards as both have people for. A board is a pairing of entrants in the order of the
seats, where `Event.sides` says which side each seat belongs to; the team that is second on the first board
is first on the next one, and so on. The team with more points on its boards wins the meeting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tournaments.event import DRAW, LOSS, WIN, Entrant, Event, Pairing


def members(event: Event, team: int) -> tuple[int, ...]:
    """Return the entrants of a team who haven't withdrawn, the strongest first."""
    return tuple(one.number for one in event.entrants if one.team == team and not one.left)


def meetings(event: Event) -> tuple[tuple[int, ...], ...]:
    """Return the pairings of each meeting, by their index, in the order in which meetings were made.

    Nobody has two boards of one meeting. So where someone has another board at the same table of a round,
    that belongs to the next meeting there, as after a draw in an elimination.
    """
    found: list[list[int]] = []
    latest: dict[tuple[int, int], list[int]] = {}
    for index, one in enumerate(event.pairings):
        here = latest.get((one.round, one.table))
        if here is None or any(set(one.seats) & set(event.pairings[other].seats) for other in here):
            here = latest[one.round, one.table] = []
            found.append(here)
        here.append(index)
    return tuple(map(tuple, found))


def of_teams(event: Event) -> Event:
    """Return the event in which teams are the entrants, by their numbers, and meetings the pairings.

    A team that can no longer fill a side has left.
    """
    team_of = {one.number: one.team for one in event.entrants}
    size = len(event.sides) // 2
    entrants = tuple(
        Entrant(team, left=len(members(event, team)) < size) for team in sorted(set(team_of.values()))
    )
    made = tuple(
        _meeting([event.pairings[index] for index in indexes], team_of) for indexes in meetings(event)
    )
    return replace(event, entrants=entrants, pairings=made, seats=2, sides=())


def _meeting(boards: Sequence[Pairing], team_of: dict[int, int]) -> Pairing:
    """Return the boards of a meeting as the pairing of its teams."""
    first = boards[0]
    teams = tuple(dict.fromkeys(team_of[number] for number in first.seats))
    played = any(one.played for one in boards)
    if any(one.points is None for one in boards):
        return Pairing(first.round, first.table, teams, None, played)
    totals = dict.fromkeys(teams, 0)
    for one in boards:
        on_board = {team_of[number]: one.points_of(number) for number in one.seats}
        for team, points in on_board.items():
            totals[team] += points
    return Pairing(first.round, first.table, teams, _points(tuple(totals.values())), played)


def _points(totals: tuple[int, ...]) -> tuple[int, ...]:
    """Return the half points of a meeting by those of its boards. A bye counts as it is."""
    if len(totals) < 2 or not any(totals):
        return totals
    mine, other = totals
    return (DRAW, DRAW) if mine == other else (WIN, LOSS) if mine > other else (LOSS, WIN)


def boards_of(event: Event, meeting: Pairing) -> tuple[Pairing, ...]:
    """Return the pairings of entrants by which a new meeting of teams is played.

    A bye, and one that is forfeited, has a single board, with the strongest of each team.
    """
    if meeting.points is not None:
        everyone = {one.team: one.number for one in reversed(event.entrants)}
        best = [next(iter(members(event, team)), everyone[team]) for team in meeting.seats]
        return (replace(meeting, seats=tuple(best)),)
    size = len(event.sides) // 2
    people = [members(event, team) for team in meeting.seats]
    made = []
    for board in range(min(map(len, people)) // size):
        hands = [iter(team[board * size :]) for team in (people[::-1] if board % 2 else people)]
        made.append(replace(meeting, seats=tuple(next(hands[side]) for side in event.sides)))
    return tuple(made)
