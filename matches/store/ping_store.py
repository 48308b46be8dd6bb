"""The part of the Store that keeps pings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from matches.outbox.queue import Draft
from matches.store.ping_rows import PingPost, PingRow
from matches.store.rows import MatchRow


@dataclass(frozen=True, slots=True)
class PingWork:
    """What to write in one transaction.

    Each of `rows` replaces the stored one of its seat if that still has the same stamp, and is left out
    otherwise; but whom one of `posts` pings for a turn that goes on has been told of it. The messages in
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
