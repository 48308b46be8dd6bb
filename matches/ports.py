"""The protocols that matches need from outside: store, clock, entropy, and a meter of what is done.

Nothing that is reported to a meter names a match or a person.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Protocol, TypeAlias

from matches.outbox.base import OutboxKind
from matches.outbox.messages import AnyMessage
from matches.outbox.queue import Draft, OutboxRow
from matches.store.archive import AnalysisStore, ArchiveStore, ImportStore
from matches.store.clocks import ClockStore, IdleStore
from matches.store.erasures import ErasureStore
from matches.store.follows import FollowStore
from matches.store.lessons import LessonStore
from matches.store.moderation import ModerationStore
from matches.store.operation import ErrorStore, OutboxMeasure
from matches.store.pings import PingStore, PingWork
from matches.store.plans import PlanStore
from matches.store.rows import (
    MAX_MAPS,
    Commit,
    Logged,
    MapInfo,
    MapRow,
    MatchRow,
    Post,
    Request,
    Status,
    Unread,
    Watch,
)
from matches.store.seats import SeatHistory, SeatOfferStore
from matches.store.servers import DepartureStore, ShowcaseStore
from matches.store.standing import StandingStore
from matches.store.tournaments import TournamentStore

Step: TypeAlias = Literal["in", "load", "judge", "commit", "draw", "post"]
"""A step of a move: it comes in, its match is loaded, it is judged, committed, drawn, posted."""


class StaleError(Exception):
    """Raised if the match has changed since the commit was prepared. Nothing was written."""


class RepeatedError(Exception):
    """Raised for a request that has been served before, with the stored `request`. Nothing was written."""

    def __init__(self, request: Request) -> None:
        super().__init__(request.id)
        self.request = request


class StoreError(Exception):
    """Raised if the store can't be used: corrupt, read-only, full, too new. The text includes what to do."""


class StoreUnavailableError(StoreError):
    """Raised if the store can't be used now, but perhaps later: full, locked, in use, a disk error."""


class Clock(Protocol):
    """The one source of time."""

    def now(self) -> datetime:
        """Return the time, aware, in UTC."""
        ...


class Entropy(Protocol):
    """The one source of secrets and ids."""

    def token(self, size: int) -> bytes:
        """Return `size` unpredictable bytes."""
        ...


class Store(
    ClockStore,
    PingStore,
    SeatHistory,
    SeatOfferStore,
    IdleStore,
    PlanStore,
    AnalysisStore,
    ImportStore,
    OutboxMeasure,
    FollowStore,
    ShowcaseStore,
    ArchiveStore,
    ModerationStore,
    ErasureStore,
    DepartureStore,
    ErrorStore,
    LessonStore,
    StandingStore,
    TournamentStore,
    Protocol,
):
    """Where matches are kept."""

    async def create(self, commit: Commit) -> None:
        """Add a new match (revision 0). Raises RepeatedError, or StaleError if its id is taken."""
        ...

    async def commit(self, commit: Commit) -> None:
        """Apply a change. Raises RepeatedError, or StaleError if revision or version don't fit."""
        ...

    async def match(self, match_id: str) -> MatchRow | None:
        """Return a match by its id, or None."""
        ...

    async def log(self, match_id: str, after: int = -1) -> tuple[Logged, ...]:
        """Return the log entries with numbers above `after`, in order."""
        ...

    async def request(self, request_id: str) -> Request | None:
        """Return a served request by its id, or None."""
        ...

    async def by_place(self, channel: int, statuses: Sequence[Status] = ("live",)) -> tuple[MatchRow, ...]:
        """Return the matches played in this thread or, without a thread, in this channel; newest first."""
        ...

    async def by_user(self, user: int, statuses: Sequence[Status] = ("live",)) -> tuple[MatchRow, ...]:
        """Return the matches that a user plays in, is invited to or hosts; latest change first."""
        ...

    async def by_status(self, status: Status, limit: int = 1000) -> tuple[MatchRow, ...]:
        """Return at most `limit` matches of one status, oldest change first."""
        ...

    async def unreachable(self, why: str) -> tuple[MatchRow, ...]:
        """Return the matches that are unreachable for a reason, oldest first."""
        ...

    async def expiring(self, now: datetime, limit: int = 100) -> tuple[MatchRow, ...]:
        """Return at most `limit` lobbies whose `expires` is not after `now`."""
        ...

    async def find_post(self, message: int) -> Post | None:
        """Return the post with a message's id, or None."""
        ...

    async def post_and_match(self, message: int) -> tuple[Post, MatchRow] | None:
        """Return the post with a message's id and its match, or None."""
        ...

    async def posts(self, match_id: str, kind: OutboxKind | None = None) -> tuple[Post, ...]:
        """Return the posts of a match, of one kind or all; oldest first."""
        ...

    async def outbox(self, now: datetime, limit: int = 100) -> tuple[OutboxRow, ...]:
        """Return rows to send now, by id: they are due, and so are all earlier rows of their lane."""
        ...

    async def outbox_pending(self, match_id: str | None = None) -> tuple[OutboxRow, ...]:
        """Return all unsent rows of one match or of all, by id."""
        ...

    async def outbox_add(self, draft: Draft, now: datetime) -> int:
        """Queue a message outside a commit, and return the id of its row."""
        ...

    async def outbox_sent(self, row_id: int, post: Post | None, pings: PingWork | None = None) -> None:
        """Remove a sent row from the outbox and record its post and `pings`, in one transaction."""
        ...

    async def outbox_retry(self, row_id: int, due: datetime, error: str) -> None:
        """Postpone a row that couldn't be sent to `due`, and record the error."""
        ...

    async def outbox_hurry(self, match_id: str, now: datetime) -> None:
        """Make the rows of a match due that wait for another try."""
        ...

    async def outbox_forget(self, before: datetime) -> int:
        """Delete what was laid aside before a time and won't be sent; return how many rows.

        That is what was dropped, and what waits for its match or a person although the match is over.
        """
        ...

    async def outbox_drop(self, row_id: int, error: str) -> None:
        """Mark a row as dead: it can never be sent, for instance because its match is unknown."""
        ...

    async def outbox_park(self, row_id: int, until: str, error: str) -> None:
        """Lay a row aside that can't be sent, until `outbox_revive` is called with the same `until`.

        That is the id of a match that can't be reached, or `lanes.until_dms_open(user)`.
        """
        ...

    async def outbox_awaited(self, match_id: str | None = None) -> frozenset[str]:
        """Return what parked rows wait for, those of one match or all."""
        ...

    async def outbox_revive(self, until: str, now: datetime) -> int:
        """Make the rows due that were parked until now, and return their number.

        They keep the error for which they were parked, and count as not tried.
        """
        ...

    async def outbox_merge(self, row_id: int, message: AnyMessage, covered: Sequence[int]) -> None:
        """Replace a row's message, and remove the rows that it covers then, in one transaction."""
        ...

    async def outbox_begin(self, now: datetime) -> int:
        """Make the rows due that were never tried, and return the highest id that any row has had so far.

        Called when a process starts: the clock of the one before may have been ahead.
        """
        ...

    async def watch(self, watch: Watch, draft: Draft | None = None, now: datetime | None = None) -> None:
        """Add or replace the watch of a match and channel, and queue a message in the same transaction.

        Raises ValueError for a message without the time.
        """
        ...

    async def unwatch(self, match_id: str, channel: int) -> bool:
        """Remove a watch, and return whether there was one."""
        ...

    async def watches(self, match_id: str) -> tuple[Watch, ...]:
        """Return the watches of a match, oldest first."""
        ...

    async def settings(self, scope: Literal["guild", "user"], id: int) -> dict[str, Any]:  # noqa: A002
        """Return the settings of a server or person; empty if there are none."""
        ...

    async def save_settings(self, scope: Literal["guild", "user"], id: int, values: dict[str, Any]) -> None:  # noqa: A002
        """Replace the settings of a server or person."""
        ...

    async def maps(self, guild: int, game: str) -> tuple[MapInfo, ...]:
        """Return the maps of a server for a game, in order of their keys."""
        ...

    async def stored_map(self, guild: int, game: str, key: str) -> MapRow | None:
        """Return a whole map of a server, or None."""
        ...

    async def map_images(self, key: str) -> tuple[bytes | None, bytes | None] | None:
        """Return picture and mask by the key that maps refer to; None if no stored map has it."""
        ...

    async def save_map(self, row: MapRow, most: int = MAX_MAPS) -> bool:
        """Add a map, or replace the one with its key. Return False, changing nothing, if `most` others exist.

        Raises ValueError if it exceeds the limits above, has no key or title, or isn't JSON.
        """
        ...

    async def drop_map(self, guild: int, game: str, key: str) -> bool:
        """Remove a map, and return whether there was one."""
        ...

    async def mark_read(self, marks: Mapping[int, int]) -> None:
        """Record up to which message channels were read; does nothing for those that were read further."""
        ...

    async def read_mark(self, channel: int) -> int | None:
        """Return up to which message a channel was read; None if that isn't known."""
        ...

    async def channels_to_read(self) -> tuple[Unread, ...]:
        """Return the channels to read after a gap: those of live matches, and where their boards were left.

        Those in which a match is played come first, by its latest change, newest first; direct messages too.
        """
        ...

    async def channels_elsewhere(self) -> tuple[Unread, ...]:
        """Return where people of live matches may have written to us besides.

        A channel below zero stands for all other channels of a server; the others are those of direct
        messages that the settings of people name, as "direct": the channel, and its first message.
        """
        ...

    async def close(self) -> None:
        """Close the store and release its resources."""
        ...


class Meter(Protocol):
    """Takes reports; each call costs a microsecond at most."""

    def took(self, step: Step, seconds: float) -> None:
        """Note how long a step took."""
        ...

    def moved(self, game: str, moves: int) -> None:
        """Note that moves of a game were committed, by the key of the game."""
        ...


class NoMeter:
    """Takes reports and forgets them."""

    def took(self, step: Step, seconds: float) -> None:
        """Do nothing."""

    def moved(self, game: str, moves: int) -> None:
        """Do nothing."""
