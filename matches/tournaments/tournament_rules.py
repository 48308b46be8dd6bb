"""What people change in a tournament, as pure functions: the row with entries of the log, or why not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from games.engine.message import Msg, msg
from games.engine.normalization import folded
from matches.occupants import NAME_LENGTH
from matches.results import Person
from matches.store.tournaments import (
    EntrantRow,
    TournamentEntry,
    TournamentKind,
    TournamentPlan,
    TournamentRow,
    TournamentStatus,
)
from tournaments.event import DRAW, LOSS, WIN, points_for_places, with_result
from tournaments.league import next_order
from tournaments.progress import can_repair, rounds_for

MAX_TEAMS = 8
"""Maximum number of teams of a tournament."""
MAX_ENTRANTS = 500
"""Maximum number of entrants of a tournament."""
BREAK = timedelta(days=7)
"""Time between two seasons of a league, in which people can join and leave."""
RESULTS = {"first": (WIN, LOSS), "draw": (DRAW, DRAW), "second": (LOSS, WIN), "neither": (LOSS, LOSS)}
"""The results that an organiser can give a pairing, and their half points."""


@dataclass(frozen=True, slots=True)
class TournamentChange:
    """A tournament after a change, and its entries of the log."""

    row: TournamentRow
    entries: tuple[TournamentEntry, ...] = ()
    following: TournamentRow | None = None
    """The next season, if it opens by the change."""

    def then(self, after: TournamentChange) -> TournamentChange:
        """Return this change and one of the row that it returns as one."""
        return TournamentChange(after.row, (*self.entries, *after.entries), after.following)


Judged: TypeAlias = TournamentChange | Msg


def changed(
    row: TournamentRow, at: datetime, by: int | None, kind: TournamentKind, **data: Any
) -> TournamentChange:
    """Return a change with one entry of the log."""
    return TournamentChange(row, (TournamentEntry(at, by, kind, data),))


def why_not_organiser(row: TournamentRow, by: int, *, manager: bool) -> Msg | None:
    """Return why someone can't do what organisers do; None for the organiser and managers of the server."""
    return None if manager or by == row.organiser else msg("tournament.refuse.organiser")


def join(row: TournamentRow, who: Person, at: datetime, team: int = 0) -> Judged:
    """Let a person take part, in a Swiss also during the first half of its rounds, or check in.

    Where people play for teams they choose one, else (0) they are put into the smallest.
    """
    known = next((one for one in row.entrants if one.user == who.id), None)
    if known is not None:
        return _check_in(row, known)
    if (why := _why_not_enter(row, at)) is not None:
        return why
    number = max((one.number for one in row.entrants), default=0) + 1
    first = 1 if row.status == "open" else row.event.round + 1
    name = " ".join(who.name.split())[:NAME_LENGTH]
    if team > len(row.plan.teams):
        return msg("tournament.refuse.unknown")
    new = EntrantRow(number, who.id, name, joined=first, here=row.checking, team=team or smallest_team(row))
    return changed(replace(row, entrants=(*row.entrants, new)), at, who.id, "joined", number=number)


def why_no_teams(plan: TournamentPlan) -> Msg | None:
    """Return why people can't play for these teams; None if they can, or play for themselves."""
    if not plan.teams:
        return None
    if plan.format in ("groups", "league"):
        return msg("tournament.refuse.team_format")
    names = {folded(name) for name in plan.teams}
    if not 2 <= len(names) == len(plan.teams) <= MAX_TEAMS:
        return msg("tournament.refuse.teams", n=MAX_TEAMS)
    return None


def why_not_playable(plan: TournamentPlan, teams: Sequence[int]) -> Msg | None:
    """Return why a set-up with these teams, by seat, can't be played as such a tournament; None if it can.

    Where its seats belong to two sides of equal size, teams of the tournament meet in it.
    """
    sizes = Counter(teams).values()
    if len(sizes) == len(teams):
        fits = (plan.seats > 2) == (plan.format == "groups")
        return None if fits else msg("tournament.refuse.plan")
    if len(sizes) != 2 or len(set(sizes)) > 1:
        return msg("tournament.refuse.plan")
    return None if plan.teams else msg("tournament.refuse.teams_needed", n=MAX_TEAMS)


def sides_of(plan: TournamentPlan, teams: Sequence[int]) -> tuple[int, ...]:
    """Return the side of each seat where teams meet as such, in eliminations and set-ups with teams.

    In a Swiss or round robin for two, everyone plays alone, and their teams add it up.
    """
    if not plan.teams or (plan.seats == 2 and plan.format not in ("single", "double")):
        return ()
    order = list(dict.fromkeys(teams))
    return tuple(order.index(team) for team in teams)


def _why_too_few(row: TournamentRow) -> Msg | None:
    """Return why a tournament can't start with those who are in it; None if it can.

    Where teams meet, those that nobody has joined are left out.
    """
    if (least := max(2, row.plan.seats)) > len(row.entrants):
        return msg("tournament.refuse.few", n=least)
    teams, side = Counter(one.team for one in row.entrants), len(row.plan.sides) // 2
    if side and (len(teams) < 2 or min(teams.values()) < side):
        return msg("tournament.refuse.team_few", n=side)
    return None


def smallest_team(row: TournamentRow) -> int:
    """Return the number of the team with fewest members, the first of those; 0 without teams."""
    members = Counter(one.team for one in row.entrants if not one.left)
    return min(range(1, len(row.plan.teams) + 1), key=lambda team: members[team], default=0)


def _check_in(row: TournamentRow, one: EntrantRow) -> Judged:
    """Note that an entrant is there, in the last minutes before the end of sign-up."""
    if one.left:
        return msg("tournament.refuse.withdrew")
    if one.here:
        return msg("tournament.refuse.here")
    if row.checking:
        entrants = tuple(replace(each, here=each.here or each is one) for each in row.entrants)
        return TournamentChange(replace(row, entrants=entrants))
    if row.plan.check_in and (begins := row.next_step) is not None:
        return msg("tournament.refuse.check_in_early", when=_when(begins))
    return msg("tournament.refuse.joined")


def _when(at: datetime) -> str:
    """Return a moment as Discord's time stamp."""
    return f"<t:{int(at.timestamp())}:f>"


def _why_not_enter(row: TournamentRow, at: datetime) -> Msg | None:
    if row.status in ("over", "cancelled"):
        return msg("tournament.refuse.over")
    if row.status == "open" and row.deadline is not None and at >= row.deadline:
        return msg("tournament.refuse.closed", when=_when(row.deadline))
    if row.status != "open" and (
        row.plan.format not in ("swiss", "groups") or 2 * row.event.round > row.plan.rounds
    ):
        return msg("tournament.refuse.late")
    if sum(not one.left for one in row.entrants) >= row.plan.cap:
        return msg("tournament.refuse.full", n=row.plan.cap)
    return None


def add_computer(row: TournamentRow, level: str, by: int, at: datetime) -> Judged:
    """Let a computer take part."""
    if row.status != "open":
        return msg("tournament.refuse.begun")
    if (why := _why_not_enter(row, at)) is not None:
        return why
    number = max((one.number for one in row.entrants), default=0) + 1
    after = replace(
        row, entrants=(*row.entrants, EntrantRow(number, None, level=level, team=smallest_team(row)))
    )
    return changed(after, at, by, "joined", number=number)


def leave(row: TournamentRow, number: int | None, by: int | None, at: datetime) -> Judged:
    """Take someone out: before the start as if they had never joined, later as a withdrawal.

    `by` is None where it follows from a bar, or from being forgotten.
    """
    if number is None or all(one.number != number or one.left for one in row.entrants):
        return msg("tournament.refuse.not_in")
    if row.status in ("over", "cancelled"):
        return msg("tournament.refuse.over")
    if row.status == "open":
        rest = tuple(one for one in row.entrants if one.number != number)
        return changed(replace(row, entrants=rest), at, by, "left", number=number)
    entrants = tuple(replace(one, left=True) if one.number == number else one for one in row.entrants)
    return changed(replace(row, entrants=entrants), at, by, "withdrew", number=number)


def set_deadline(row: TournamentRow, deadline: datetime | None, by: int, at: datetime) -> Judged:
    """Let sign-up end at another time, or when the organiser starts (None); check-in begins anew.

    Where a season is being played, let that end at another time, or once everything is played.
    """
    if row.in_season:
        until = None if deadline is None else int(deadline.timestamp())
        return changed(replace(row, deadline=deadline), at, by, "deadline", until=until)
    if row.status != "open":
        return msg("tournament.refuse.begun")
    if deadline is None and row.plan.check_in:
        return msg("tournament.refuse.check_in")
    after = replace(_unchecked(row), deadline=deadline)
    until = None if deadline is None else int(deadline.timestamp())
    return changed(after, at, by, "deadline", until=until)


def _unchecked(row: TournamentRow) -> TournamentRow:
    return replace(row, checking=False, entrants=tuple(replace(one, here=False) for one in row.entrants))


def begin_check_in(row: TournamentRow, at: datetime) -> TournamentChange:
    """Ask everyone who has joined to check in."""
    return changed(replace(_unchecked(row), checking=True), at, None, "check_in")


def close_sign_up(row: TournamentRow, at: datetime) -> TournamentChange:
    """Drop those who haven't checked in; with too few people sign-up goes on without an end."""
    absent = [one.number for one in row.entrants if row.checking and one.user is not None and not one.here]
    rest = tuple(one for one in row.entrants if one.number not in absent)
    if _why_too_few(replace(row, entrants=rest)) is not None:
        return changed(replace(_unchecked(row), deadline=None), at, None, "few")
    entries = (TournamentEntry(at, None, "absent", {"entrants": len(absent)}),) if absent else ()
    return TournamentChange(replace(row, entrants=rest), entries)


def start(row: TournamentRow, seeds: Sequence[int], by: int | None, at: datetime) -> Judged:
    """Start with the entrants in the order of `seeds`, their numbers before; they are numbered anew.

    `by` is None at the end of sign-up.
    """
    if row.status != "open":
        return msg("tournament.refuse.begun")
    if (why := _why_too_few(row)) is not None:
        return why
    entrants = tuple(replace(row.entrant(old), number=new) for new, old in enumerate(seeds, 1))
    teams, rounds = row.plan.teams, row.plan.rounds
    if row.plan.format in ("single", "double") and teams:
        entrants, teams = _with_teams_by_seed(entrants, teams)
    if row.plan.format == "swiss":
        meeting = len({one.team for one in entrants}) if row.plan.sides else len(entrants)
        rounds = min(rounds, (meeting - 1) // 2 + 1) or rounds_for(meeting)
    ends = at + timedelta(days=row.plan.days) if row.plan.days else None
    after = replace(
        row,
        status="running",
        checking=False,
        entrants=entrants,
        plan=replace(row.plan, rounds=rounds, teams=teams),
        deadline=ends if row.plan.format == "league" else row.deadline,
    )
    return changed(after, at, by, "started", entrants=len(entrants))


def _with_teams_by_seed(
    entrants: Sequence[EntrantRow], teams: Sequence[str]
) -> tuple[tuple[EntrantRow, ...], tuple[str, ...]]:
    """Number the teams by their strongest members; those without any come last."""
    order = list(dict.fromkeys((*(one.team for one in entrants), *range(1, len(teams) + 1))))
    names = tuple(teams[team - 1] for team in order)
    return tuple(replace(one, team=1 + order.index(one.team)) for one in entrants), names


def end_season(row: TournamentRow, at: datetime) -> TournamentChange:
    """End a season whose time is up: what isn't over gives nobody a point."""
    event = row.event
    for index in event.open:
        event = with_result(event, index, (LOSS,) * len(event.pairings[index].seats), played=False)
    entries = (TournamentEntry(at, None, "unplayed", {"entrants": len(row.event.open)}),)
    return TournamentChange(replace(row, pairings=event.pairings), entries if row.event.open else ())


def open_next(row: TournamentRow, at: datetime) -> TournamentChange:
    """Open the season after one that is over, with all who have played in it, sorted by its standings.

    It isn't opened for fewer than two, nor a second time where a result was repaired.
    """
    if row.plan.format != "league" or row.plan.followed:
        return TournamentChange(row)
    played = {number for one in row.pairings if one.played for number in one.seats}
    staying = [
        replace(one, number=place, here=False)
        for place, one in enumerate(
            (
                one
                for one in map(row.entrant, next_order(row.event))
                if not one.left and (one.user is None or one.number in played)
            ),
            1,
        )
    ]
    if sum(one.user is not None for one in staying) < 2:
        return TournamentChange(row)
    plan = replace(row.plan, season=row.plan.season + 1)
    following = TournamentRow(
        0, row.guild, row.channel, row.organiser, row.title, row.game, "open", plan, at, at, tuple(staying)
    )
    entries = (TournamentEntry(at, None, "next", {"number": plan.season}),)
    row = replace(row, plan=replace(row.plan, followed=True))
    return TournamentChange(row, entries, replace(following, deadline=at + BREAK))


def repair(row: TournamentRow, pairing: int, result: str, by: int, at: datetime) -> Judged:
    """Give a pairing a result, its first one or another; `pairing` counts from 1.

    `result` is one of RESULTS, or the place of each seat in order, such as "2 1 3".
    """
    index = pairing - 1
    if row.status not in ("running", "paused", "over"):
        return msg("tournament.refuse.not_begun")
    if not 0 <= index < len(row.pairings) or len(row.pairings[index].seats) < 2:
        return msg("tournament.refuse.pairing", n=len(row.pairings))
    points = _points_of(result, len(row.pairings[index].seats), row.plan.sides)
    if points is None:
        return msg("tournament.refuse.places")
    if not can_repair(row.event, index, points):
        return msg("tournament.refuse.gone_on")
    pairings = with_result(row.event, index, points).pairings
    status: TournamentStatus = "running" if row.status == "over" else row.status
    after = replace(row, pairings=pairings, status=status)
    return changed(after, at, by, "repaired", pairing=pairing, points=list(points))


def _points_of(result: str, seats: int, sides: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the half points of each seat by a result; None if it isn't one for this number of seats."""
    if result in RESULTS:
        if sides and seats == len(sides):
            return tuple(RESULTS[result][side] for side in sides)
        return RESULTS[result] if seats == 2 else None
    if sides and seats == len(sides) > 2:
        return None
    words = result.replace(",", " ").split()
    if len(words) != seats or not all(word.isascii() and word.isdigit() for word in words):
        return None
    places = [int(word[:3]) for word in words]
    return points_for_places(places) if all(1 <= place <= seats for place in places) else None


def why_no_time(row: TournamentRow, pairing: int) -> Msg | None:
    """Return why the players of a pairing can't have more time; `pairing` counts from 1."""
    if not 0 < pairing <= len(row.pairings):
        return msg("tournament.refuse.pairing", n=len(row.pairings))
    if pairing - 1 not in row.event.open or row.matches[pairing - 1] is None:
        return msg("tournament.refuse.not_played")
    return None


def substitute(row: TournamentRow, number: int, who: Person, by: int, at: datetime) -> Judged:
    """Put a person in the place of an entrant: they keep the points, and play from the next match on."""
    if row.status not in ("running", "paused"):
        return msg("tournament.refuse.not_begun")
    if any(one.user == who.id for one in row.entrants):
        return msg("tournament.refuse.other_in")
    if all(one.number != number for one in row.entrants):
        return msg("tournament.refuse.entrant", n=len(row.entrants))
    new = EntrantRow(
        number,
        who.id,
        " ".join(who.name.split())[:NAME_LENGTH],
        joined=row.entrant(number).joined,
        team=row.entrant(number).team,
    )
    entrants = tuple(new if one.number == number else one for one in row.entrants)
    return changed(replace(row, entrants=entrants), at, by, "replaced", number=number)


def set_status(row: TournamentRow, status: TournamentStatus, by: int, at: datetime) -> Judged:
    """Pause a tournament, so that no match starts, let it go on, or cancel it."""
    if row.status in ("over", "cancelled"):
        return msg("tournament.refuse.over")
    if row.status == "open" and status != "cancelled":
        return msg("tournament.refuse.not_begun")
    if row.status == status:
        return msg(f"tournament.refuse.{status}")
    kinds: dict[TournamentStatus, TournamentKind] = {
        "paused": "paused",
        "running": "resumed",
        "cancelled": "cancelled",
    }
    return changed(replace(row, status=status), at, by, kinds[status])
