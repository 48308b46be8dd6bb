"""What clocks are computed from beside logs, and matches that nobody moves in: parts of the Store."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from matches.outbox.queue import Draft
from matches.spans import Span

LOOK_AGAIN: Final = -1
"""The seat of a deadline that only means: something happened beside the log, compute this match again."""


@dataclass(frozen=True, slots=True)
class Vacation:
    """A person's vacation. `automatic` means that it began because time ran out."""

    user: int
    span: Span
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class Outage:
    """When Discord couldn't reach a server, so that nobody could play there."""

    guild: int
    span: Span


class ClockStore(Protocol):
    """Deadlines, and the spans that stop clocks. Times are in UTC, in whole milliseconds."""

    async def deadlines(self, match_id: str) -> Mapping[int, datetime]:
        """Return when the time of each seat is up at the earliest; only of clocks that run, or will."""
        ...

    async def set_deadlines(self, match_id: str, due: Mapping[int, datetime]) -> None:
        """Replace the deadlines of a match."""
        ...

    async def overdue(self, now: datetime, limit: int = 100) -> tuple[str, ...]:
        """Return matches with a deadline that isn't after `now`, the earliest first."""
        ...

    async def stops(
        self, match_id: str, users: Iterable[int] = ()
    ) -> tuple[tuple[Span, ...], tuple[Vacation, ...]]:
        """Return when the people of a match couldn't see it, and all vacations of some people, in order.

        A board that is posted ends the last span in which they couldn't.
        """
        ...

    async def beat(self, now: datetime) -> datetime | None:
        """Record that people can play now, and return when that was recorded last.

        Where no match has a deadline nothing is recorded, and None returned: no clock can run. The change
        that brings the first deadline records it instead.
        """
        ...

    async def add_downtime(self, span: Span) -> None:
        """Record that nobody could play; one that begins at the same time is replaced."""
        ...

    async def downtimes(self) -> tuple[Span, ...]:
        """Return all downtimes, in order."""
        ...

    async def note_outages(self, away: Collection[int], since: datetime, now: datetime) -> bool:
        """Record which servers Discord can't reach: new ones since `since`; others are back now.

        Return whether anything has changed; then the live matches of those servers are computed again.
        """
        ...

    async def outages(self) -> tuple[Outage, ...]:
        """Return all outages, in order; one that goes on has no end."""
        ...

    async def add_vacation(self, vacation: Vacation) -> None:
        """Record a vacation, and make the live matches of the person be computed again."""
        ...

    async def end_vacation(self, user: int, now: datetime) -> None:
        """End a person's vacation that goes on, and drop those to come. Matches are computed again."""
        ...

    async def vacations(self, users: Iterable[int]) -> tuple[Vacation, ...]:
        """Return all vacations of some people, in order."""
        ...


@dataclass(frozen=True, slots=True)
class IdleState:
    """What happened last to a match without moves: its people were `asked`, or one wanted to go on."""

    asked: bool
    at: datetime


class IdleStore(Protocol):
    """In which matches nobody has moved for so long, and what their people were asked."""

    async def idle_due(self, now: datetime, patience: timedelta, limit: int = 100) -> tuple[str, ...]:
        """Return the live matches to look after, at most `limit`.

        They are of servers with the setting `idle`, in days. Nobody has moved in them for so long, and
        nobody wanted to go on; or their people were asked `patience` ago. While a clock runs none is idle.
        """
        ...

    async def idle_state(self, match_id: str, version: int) -> IdleState | None:
        """Return what was asked or answered last about a match at a log entry, or None."""
        ...

    async def note_idle(
        self, match_id: str, version: int, state: IdleState, drafts: Sequence[Draft] = ()
    ) -> bool:
        """Note what was asked or answered, and queue messages, in one transaction.

        Return False, changing nothing, if the match isn't live at that log entry, or was in that state.
        """
        ...
