"""Tournaments: their rows, and the part of the Store that keeps them.

Who someone is stands in the entrants only: all else names them by number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol

from tournaments.event import Entrant, Event, Format, Pairing

TournamentStatus = Literal["open", "running", "paused", "over", "cancelled"]

TournamentKind = Literal[
    "created",
    "joined",
    "left",
    "deadline",
    "check_in",
    "absent",
    "few",
    "started",
    "round",
    "match",
    "result",
    "forfeit",
    "repaired",
    "time",
    "withdrew",
    "replaced",
    "paused",
    "resumed",
    "over",
    "season",
    "unplayed",
    "next",
    "cancelled",
]
"""What an entry of the log is about."""


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """What is agreed on before anyone joins."""

    format: Format
    rounds: int
    """Number of rounds of a Swiss; 0 as many as suit the number of entrants."""
    cap: int
    """Maximum number of entrants."""
    at_once: int
    """Maximum number of matches of the tournament that a person plays at a time."""
    clock: dict[str, Any] | None = None
    options: dict[str, Any] = field(default_factory=dict)
    rated: bool = False
    seats: int = 2
    check_in: int = 0
    """Minutes before the end of sign-up in which entrants check in; 0 if they needn't."""
    group: int = 0
    """The size that the divisions of a league are to have."""
    days: int = 0
    """Number of days of a season; 0 if it ends once everything is played."""
    season: int = 1
    """The number of the season."""
    followed: bool = False
    """Whether the next season has been opened."""
    teams: tuple[str, ...] = ()
    """The names of the teams of a tournament in which people play for one."""
    sides: tuple[int, ...] = ()
    """Where teams meet as such, the side of each seat of a match, 0 or 1; else empty."""
    by_lot: bool = False
    """Whether entrants are seeded by lot, instead of by their ratings."""


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """Someone who takes part: a person, or a computer of a level."""

    number: int
    user: int | None
    name: str = ""
    level: str = ""
    joined: int = 1
    left: bool = False
    here: bool = False
    """Whether they have checked in."""
    team: int = 0
    """The number of their team, from 1; 0 for none."""


@dataclass(frozen=True, slots=True)
class TournamentEntry:
    """An entry of a tournament's log, which everyone may read; `user` is None for what follows from it."""

    at: datetime
    user: int | None
    kind: TournamentKind
    data: Mapping[str, Any] = field(default_factory=dict)
    """Numbers of entrants and pairings, and ids of matches."""


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament. `revision` counts its changes, `shown` is the one that its message shows."""

    id: int
    guild: int
    channel: int
    organiser: int
    title: str
    game: str
    status: TournamentStatus
    plan: TournamentPlan
    created: datetime
    updated: datetime
    entrants: tuple[EntrantRow, ...] = ()
    pairings: tuple[Pairing, ...] = ()
    matches: tuple[str | None, ...] = ()
    """The match of each pairing; None before it has begun, and for byes and forfeits."""
    revision: int = 0
    shown: int = -1
    message: int | None = None
    deadline: datetime | None = None
    """When sign-up ends and the tournament starts on its own; None if the organiser starts it.

    Once it has started, the end of a season; None if it ends when everything is played.
    """
    checking: bool = False
    """Whether check-in has begun."""

    @property
    def next_step(self) -> datetime | None:
        """When check-in begins, or sign-up or the season ends; None if time alone changes nothing."""
        if self.in_season:
            return self.deadline if self.status == "running" else None
        if self.status != "open" or self.deadline is None:
            return None
        early = timedelta(minutes=0 if self.checking else self.plan.check_in)
        return self.deadline - early

    @property
    def in_season(self) -> bool:
        """Whether it is a league whose season is being played."""
        return self.plan.format == "league" and self.status in ("running", "paused")

    @property
    def event(self) -> Event:
        """The tournament as the theory sees it."""
        entrants = tuple(Entrant(one.number, one.joined, one.left, one.team) for one in self.entrants)
        plan = self.plan
        return Event(plan.format, plan.rounds, entrants, self.pairings, plan.seats, plan.group, plan.sides)

    def entrant(self, number: int) -> EntrantRow:
        """Return an entrant by number. Raises LookupError."""
        for one in self.entrants:
            if one.number == number:
                return one
        raise LookupError(number)

    def number_of(self, user: int) -> int | None:
        """Return the number of a person who takes part and hasn't withdrawn."""
        return next((one.number for one in self.entrants if one.user == user and not one.left), None)


class TournamentStore(Protocol):
    """Tournaments with their entrants and logs."""

    async def create_tournament(self, row: TournamentRow, entry: TournamentEntry) -> TournamentRow:
        """Add a tournament with a new id and the first entry of its log, and return it."""
        ...

    async def tournament(self, tournament: int) -> TournamentRow | None:
        """Return a tournament, or None."""
        ...

    async def tournaments_in(self, guild: int, limit: int) -> tuple[TournamentRow, ...]:
        """Return the tournaments of a server, those that aren't over first, the latest first."""
        ...

    async def claim_tournaments(self, now: datetime, again: datetime) -> tuple[int, ...]:
        """Return the tournaments that are to be looked after: their time has come, or something has changed.

        That is a change of their own, the end of a match that they wait for, or a bar of an entrant. Each is
        due again at `again`, after a crash, unless `rest_tournament` is called before.
        """
        ...

    async def rest_tournament(self, tournament: int, claimed: datetime, until: datetime | None) -> None:
        """Leave a tournament alone until a time, or until something changes (None).

        `claimed` is the `again` by which it was claimed. Does nothing if something has changed since.
        """
        ...

    async def ended_in_tournament(self, tournament: int) -> tuple[str, ...]:
        """Return the matches of pairings without a result that have ended, whether or not with one."""
        ...

    async def tournaments_to_show(self) -> tuple[TournamentRow, ...]:
        """Return the tournaments whose message doesn't show their latest change."""
        ...

    async def save_tournament(
        self, row: TournamentRow, entries: Sequence[TournamentEntry], following: TournamentRow | None = None
    ) -> None:
        """Save a change, whose revision is one more than the stored one, with entries of the log.

        `following` is the next season that is opened by it, and gets an id of its own.
        It's due to be looked after at once. Message and `shown` stay as they are stored. Raises StaleError if
        the revision doesn't fit.
        """
        ...

    async def note_tournament_shown(self, tournament: int, shown: int, message: int | None) -> None:
        """Record the message of a tournament, and the revision that it shows."""
        ...

    async def tournament_log(self, tournament: int) -> tuple[TournamentEntry, ...]:
        """Return the log of a tournament, in order."""
        ...
