"""Who follows which match, and the part of the Store that keeps it. No logic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, Protocol, TypeAlias

from matches.outbox.queue import Draft

Tell: TypeAlias = Literal["end", "turns", "daily"]
"""When a follower is notified: at the end, at each turn, or once a day."""
TURN_GAP: Final = timedelta(minutes=1)
"""The least time between two messages about the turns of a match."""


@dataclass(frozen=True, slots=True)
class FollowRow:
    """A person who follows a match since a time. `told` is the log entry of which they know."""

    match: str
    user: int
    tell: Tell
    since: datetime
    told: int
    due: datetime | None = None
    """When a message is due; a commit sets it, and for `daily` it is the next time of day."""
    sent: datetime | None = None
    """When the last message was queued."""
    stamp: int = 0
    """Counts the changes of the row: a change of an older one is refused."""


@dataclass(frozen=True, slots=True)
class FollowWork:
    """What to write in one transaction.

    Each of `rows` replaces the stored one of its match and person if that still has the same stamp, each of
    `ended` removes it; others are left out. The messages in `drafts` are queued unless all were left out.
    """

    at: datetime
    rows: tuple[FollowRow, ...] = ()
    ended: tuple[FollowRow, ...] = ()
    drafts: tuple[Draft, ...] = ()


class FollowStore(Protocol):
    """The people who follow matches: at most one row for each match and person.

    A commit that ends a match, or passes the turn (`Commit.passed`), makes the rows due that wait for it, no
    sooner than `TURN_GAP` after the last message about turns. Rows that are due already keep their time, but
    their `stamp` counts.
    """

    async def follow(self, row: FollowRow, most: int) -> bool:
        """Add a row, or replace that of its match and person. Return False if `most` others exist.

        Raises LookupError for an unknown match.
        """
        ...

    async def unfollow(self, match_id: str, user: int) -> bool:
        """Remove a row, and return whether there was one."""
        ...

    async def following(self, match_id: str, user: int) -> FollowRow | None:
        """Return the row of a match and person, or None."""
        ...

    async def follows_of(self, user: int) -> tuple[FollowRow, ...]:
        """Return the rows of a person, the oldest first."""
        ...

    async def follows_due(self, now: datetime, limit: int = 100) -> tuple[FollowRow, ...]:
        """Return at most `limit` rows whose `due` isn't after `now`, the earliest first."""
        ...

    async def follow_work(self, work: FollowWork) -> bool:
        """Write everything at once, and return whether a row was replaced or removed."""
        ...

    async def close_follows(self, user: int) -> int:
        """End all that a person follows, because they take no direct messages; return the number.

        The rows are kept apart from all others until `take_closed_follows`.
        """
        ...

    async def take_closed_follows(self, user: int) -> Sequence[str]:
        """Return the matches whose rows `close_follows` has ended, and forget them."""
        ...
