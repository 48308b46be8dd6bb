"""Who stands where, by points and by the tie-breaks of each format.

Swiss: points, results among those who are level if all of them have met, Buchholz, Sonneborn-Berger, wins.
Round robin: these, but no Buchholz. Groups: points, first places. Eliminations: how far someone came.
People who are level in everything share a place.

Where everyone plays alone, and teams add it up, as many results of each team count as the smallest has
members, the best ones, so that nobody wins by being many.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from tournaments import elimination
from tournaments.event import WIN, Event, Pairing
from tournaments.team_matches import of_teams


@dataclass(frozen=True, slots=True)
class Standing:
    """The place of an entrant, from 1, with what it follows from."""

    number: int
    place: int
    points: int
    """Half points."""
    tie_breaks: tuple[int, ...]
    """Those of the format, in their order: half points, Sonneborn-Berger in quarters, wins."""
    matches: int
    """Number of results, byes and forfeits among them."""


def counted(event: Event) -> tuple[Pairing, ...]:
    """Return the pairings whose results count.

    Someone who leaves a round robin before half of their matches were played has no share in it: their
    results would only count for those who met them early.
    """
    over = tuple(one for one in event.pairings if one.points is not None)
    gone = annulled(event)
    return tuple(one for one in over if not gone.intersection(one.seats))


def annulled(event: Event) -> frozenset[int]:
    """Return the entrants of a round robin whose results don't count, since they left too early."""
    if event.format != "round_robin":
        return frozenset()
    return frozenset(
        one.number
        for one in event.entrants
        if one.left
        and 2 * sum(p.points is not None and p.played for p in event.of(one.number))
        < sum(1 for _ in event.of(one.number))
    )


def standings(event: Event) -> tuple[Standing, ...]:
    """Return all entrants by place, the teams by their numbers where these meet."""
    if event.sides:
        event = of_teams(event)
    results = counted(event)
    points = {one.number: 0 for one in event.entrants}
    matches = dict(points)
    for pairing in results:
        for number in pairing.seats:
            points[number] += pairing.points_of(number)
            matches[number] += 1
    keys = _keys(event, results, points)
    gone = annulled(event)
    order = sorted(points, key=lambda one: (one in gone, _falling(keys[one]), one))
    found = []
    place = 0
    for count, number in enumerate(order, 1):
        before = order[count - 2] if count > 1 else None
        if before is None or keys[before] != keys[number] or (before in gone) != (number in gone):
            place = count
        found.append(Standing(number, place, points[number], keys[number][1:], matches[number]))
    return tuple(found)


def _falling(key: Iterable[int]) -> tuple[int, ...]:
    return tuple(-one for one in key)


def _keys(event: Event, results: tuple[Pairing, ...], points: dict[int, int]) -> dict[int, tuple[int, ...]]:
    """Return what each one is compared by, the most important first; more is better."""
    wins = {
        number: sum(
            p.played and p.points_of(number) == WIN * (len(p.seats) - 1) for p in results if number in p.seats
        )
        for number in points
    }
    if event.format in ("single", "double"):
        out = elimination.fallen(event)
        last = max(out.values(), default=0) + 1
        return {number: (out.get(number, last),) for number in points}
    if event.format == "groups":
        return {number: (points[number], wins[number]) for number in points}
    level = sorted(points, key=lambda one: -points[one])
    direct: dict[int, int] = {}
    for _, tied in groupby(level, key=lambda one: points[one]):
        direct |= _among(frozenset(tied), results)
    berger = {number: _sonneborn_berger(number, results, points) for number in points}
    if event.format == "round_robin":
        return {n: (points[n], direct[n], berger[n], wins[n]) for n in points}
    rounds = max((one.round for one in event.pairings), default=0)
    buchholz = {number: _buchholz(number, results, points, rounds) for number in points}
    return {n: (points[n], direct[n], buchholz[n], berger[n], wins[n]) for n in points}


def _among(tied: frozenset[int], results: tuple[Pairing, ...]) -> dict[int, int]:
    """Return the half points of those who are level against each other; 0 for all unless all have met."""
    own = dict.fromkeys(tied, 0)
    met = set()
    for pairing in results:
        if pairing.played and tied.issuperset(pairing.seats):
            met.add(frozenset(pairing.seats))
            for number in pairing.seats:
                own[number] += pairing.points_of(number)
    return own if len(met) == len(tied) * (len(tied) - 1) // 2 else dict.fromkeys(tied, 0)


def _buchholz(number: int, results: tuple[Pairing, ...], points: dict[int, int], rounds: int) -> int:
    """Return the half points of all opponents; a round without a match counts one's own points."""
    met = [
        other
        for one in results
        if one.played and number in one.seats
        for other in one.seats
        if other != number
    ]
    return sum(points[other] for other in met) + (rounds - len(met)) * points[number]


def _sonneborn_berger(number: int, results: tuple[Pairing, ...], points: dict[int, int]) -> int:
    """Return the points of those beaten, and half the points of those drawn with, in quarters of a point."""
    return sum(
        points[other] * one.points_of(number)
        for one in results
        if one.played and number in one.seats
        for other in one.seats
        if other != number
    )


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
