"""Pings: their rows, and the part of the Store that keeps them. No logic.

Each seat of a match has one row: what it waits for now, and what its person was notified of. A change of
the match replaces the row in the same transaction, so a ping can always be compared with the turn it is for.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, Protocol, TypeAlias

from matches.outbox.messages import PingReason
from matches.outbox.queue import Draft
from matches.store.rows import MatchRow

TurnKind: TypeAlias = Literal["turn", "next", "result"]
"""What a row is about: the seat is to act, it acts after the one to act, or the match is over."""
PingState: TypeAlias = Literal["new", "known", "held", "digest", "told", "over"]
"""`new`: nothing decided. `known`: open, without a ping. `held`: pinged when due. `digest`: in a digest
when due. `told`: pinged. `over`: no longer open."""

MAX_REMINDER: Final = timedelta(hours=24)
"""The longest time left at which a reminder can be wanted: the store looks no further ahead."""


@dataclass(frozen=True, slots=True)
class PingRow:
    """What a seat waits for since entry `turn`, and what `user` was notified of."""

    match: str
    seat: int
    user: int
    turn: int
    kind: TurnKind
    state: PingState
    began: datetime
    due: datetime | None = None
    """When there is something to do: a ping that is held back, a digest, or a reminder at intervals."""
    sent: datetime | None = None
    """When the person was last notified."""
    unseen: bool = False
    """Whether they have neither acted nor looked since a ping in this match."""
    alone: bool = False
    """Whether only they are missing, and that wasn't dealt with yet."""
    remind: timedelta = MAX_REMINDER
    """The time left at which to think of a reminder next; zero if none is to come."""
    reason: PingReason = "turn"
    """Why the next ping comes."""
    stamp: int = 0
    """Counts the changes of the row: a change of an older one is refused."""


@dataclass(frozen=True, slots=True)
class PingPost:
    """A message that pings someone: a board, or (`ours`) one that is nothing but a ping."""

    message: int
    user: int
    channel: int
    match: str
    seat: int
    turn: int
    ours: bool
    text: str
    """Its content as it was posted."""


@dataclass(frozen=True, slots=True)
class PingWork:
    """What to write in one transaction.

    Each of `rows` replaces the stored one of its seat if that still has the same stamp, and is left out
    otherwise; but whom one of `posts` pings for a turn that goes on has been notified. The messages in
    `drafts` are queued unless all rows were left out. Of `posts`, those whose turn is over by then are
    withdrawn at once, and so is what their persons were pinged by before in the match.
    """

    at: datetime
    rows: tuple[PingRow, ...] = ()
    drafts: tuple[Draft, ...] = ()
    posts: tuple[PingPost, ...] = ()


class PingStore(Protocol):
    """Where pings are kept."""

    async def pings(self, match_id: str) -> tuple[PingRow, ...]:
        """Return the rows of a match, by seat."""
        ...

    async def match_and_pings(self, match_id: str) -> tuple[MatchRow, tuple[PingRow, ...]] | None:
        """Return a match and its rows, by seat; None if there is no such match."""
        ...

    async def pings_of(self, user: int) -> tuple[PingRow, ...]:
        """Return the open rows of a person in all matches, the longest waiting first."""
        ...

    async def pings_due(self, now: datetime, limit: int = 100) -> tuple[PingRow, ...]:
        """Return at most `limit` rows whose `due` isn't after `now`, the earliest first."""
        ...

    async def pings_running_out(
        self, now: datetime, limit: int = 100
    ) -> tuple[tuple[PingRow, datetime], ...]:
        """Return rows of open turns whose time left has come down to their `remind`, and their deadlines.

        Nothing where no clock runs, and where the time is up.
        """
        ...

    async def ping_work(self, work: PingWork) -> bool:
        """Write everything at once, and return whether a row was replaced."""
        ...

    async def ping_looked(self, match_id: str, user: int) -> None:
        """Record that a person has looked at a match since they were pinged."""
        ...
