"""What matches need from outside, as protocols, and the rows they exchange with it. No logic lives here.

Ids of people, servers, channels and messages are integers that mean nothing to us. Times are aware UTC.
Every method of a Store is atomic: it happens wholly or not at all, and has happened when it returns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from games.engine.match import Entry

Status = Literal["lobby", "live", "over", "aborted", "expired", "closed"]
"""`closed`: the lobby was closed by its host before it started."""

Occupant = Literal["open", "invited", "person", "computer"]

OutboxKind = Literal["lobby", "thread", "board", "notice", "mirror", "dm"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match is played. `guild` is None in direct messages, `thread` until there is one."""

    guild: int | None
    channel: int
    thread: int | None = None

    @property
    def home(self) -> int:
        """The channel in which boards are posted."""
        return self.thread or self.channel


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who holds a seat. `user` and `name` for people (invited ones too), `level` for computers."""

    seat: int
    occupant: Occupant
    user: int | None = None
    name: str = ""
    level: str = ""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One match, from its lobby to its end.

    `version` is the number of its last log entry, -1 in the lobby. `revision` counts every change of the row
    or its seats, and is what a Commit compares. `options` are the game's, JSON values by key. `result` is
    None or {"how": "outcome"|"draw"|"abort", "ranks": [..]}.
    """

    id: str
    game: str
    status: Status
    place: Place
    host: int
    seats: tuple[SeatRow, ...]
    options: dict[str, Any]
    secret: str = field(repr=False)
    """The sealed secret in hex: never shown or logged before the end."""
    created: datetime
    updated: datetime
    version: int = -1
    revision: int = 0
    use_thread: bool = True
    lobby_message: int | None = None
    reminded: bool = False
    """Whether an unfilled lobby was reminded of."""
    expires: datetime | None = None
    result: dict[str, Any] | None = None
    previous: str | None = None
    """The match of which this one is the rematch."""
    unreachable: str = ""
    """Why its channel can't be written to at present; empty if it can."""


@dataclass(frozen=True, slots=True)
class Logged:
    """A log entry with who sent it and when."""

    entry: Entry
    at: datetime
    user: int | None = None
    """Who did it; None for chance, computers and the host itself."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A message to be sent after the commit. Rows of one lane go in order; lanes do not wait for others.

    `lobby` and `mirror` say "bring it up to date"; `board` and `notice` carry {"first", "last"}, the entries
    they tell of; `dm` carries a message. `user` is set where the message goes to one person directly.
    """

    kind: OutboxKind
    match: str
    lane: str
    payload: dict[str, Any]
    user: int | None = None


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A message that waits to be sent. `nonce` stays the same over all tries, restarts included."""

    id: int
    draft: Draft
    nonce: str
    created: datetime
    due: datetime
    tries: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """What a delivered request did, so that its repetition can be answered: match and version after it."""

    id: str
    match: str
    version: int
    revision: int


@dataclass(frozen=True, slots=True)
class Commit:
    """One change of one match: the row after it, entries to append, messages to send, the request served.

    `row.revision` must be one more than the stored one, else the change is stale.
    """

    row: MatchRow
    at: datetime
    entries: tuple[Logged, ...] = ()
    outbox: tuple[Draft, ...] = ()
    request: str | None = None
    mirrors: bool = False
    """Whether to update the mirrors of the match: `drafts.mirror` for each watch, after `outbox`."""


@dataclass(frozen=True, slots=True)
class Post:
    """A message of ours that belongs to a match: a board (`seq` set), its lobby, a mirror, a notice."""

    message: int
    channel: int
    match: str
    kind: OutboxKind
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """A channel that mirrors a match; `message` is the one kept up to date, None before it was posted."""

    match: str
    channel: int
    by: int
    message: int | None = None


MOST_MAPS = 50
"""Maps of a server for one game."""
MOST_MAP_TEXT = 400_000
"""Characters of a map's JSON."""
MOST_MAP_BYTES = 4 * 1024 * 1024
"""Bytes of a map's picture, and of its mask."""


@dataclass(frozen=True, slots=True)
class MapInfo:
    """What a list says of a map that a server brought along. `key` is one of a kind there for its game."""

    guild: int
    game: str
    key: str
    title: str
    by: int
    at: datetime


@dataclass(frozen=True, slots=True)
class MapRow:
    """A whole map: JSON that its game understands, and the picture and mask that were checked for it."""

    info: MapInfo
    data: str = field(repr=False)
    picture: bytes | None = field(default=None, repr=False)
    mask: bytes | None = field(default=None, repr=False)
    ground: str = ""
    """The key by which the map names its picture and mask; empty without them."""


class StaleError(Exception):
    """The match has moved on since the change was computed. Nothing was written."""


class RepeatedError(Exception):
    """The request has been served before. Nothing was written. `request` says what it did then."""

    def __init__(self, request: Request) -> None:
        super().__init__(request.id)
        self.request = request


class StoreError(Exception):
    """The store can't be used: corrupt, read-only, full, newer than this program. Says what to do."""


class Clock(Protocol):
    """The one source of time."""

    def now(self) -> datetime:
        """The time, aware, UTC."""
        ...


class Entropy(Protocol):
    """The one source of secrets and ids."""

    def token(self, size: int) -> bytes:
        """Unpredictable bytes."""
        ...


class Store(Protocol):
    """Where matches are kept."""

    async def create(self, commit: Commit) -> None:
        """Add a new match (revision 0). RepeatedError for a served request, StaleError for a taken id."""
        ...

    async def commit(self, commit: Commit) -> None:
        """Apply a change. RepeatedError for a served request, StaleError if revision or version don't fit."""
        ...

    async def match(self, match_id: str) -> MatchRow | None:
        """A match by its id."""
        ...

    async def log(self, match_id: str, after: int = -1) -> tuple[Logged, ...]:
        """The log entries with a number above `after`, in order."""
        ...

    async def request(self, request_id: str) -> Request | None:
        """What a request did, if it was served."""
        ...

    async def by_place(self, channel: int, statuses: Sequence[Status] = ("live",)) -> tuple[MatchRow, ...]:
        """Matches whose thread, or whose channel if they have no thread, this is; newest first."""
        ...

    async def by_user(self, user: int, statuses: Sequence[Status] = ("live",)) -> tuple[MatchRow, ...]:
        """Matches where the user sits, is invited, or is the host; latest change first."""
        ...

    async def by_status(self, status: Status, limit: int = 1000) -> tuple[MatchRow, ...]:
        """Matches of one status, oldest change first."""
        ...

    async def expiring(self, now: datetime, limit: int = 100) -> tuple[MatchRow, ...]:
        """Lobbies whose `expires` is not after `now`."""
        ...

    async def find_post(self, message: int) -> Post | None:
        """The post that a message is."""
        ...

    async def posts(self, match_id: str, kind: OutboxKind | None = None) -> tuple[Post, ...]:
        """All posts of a match, oldest first."""
        ...

    async def outbox(self, now: datetime, limit: int = 100) -> tuple[OutboxRow, ...]:
        """Return what may be sent now, by id: what is due, and behind nothing of its lane that isn't."""
        ...

    async def outbox_pending(self, match_id: str | None = None) -> tuple[OutboxRow, ...]:
        """All unsent rows, by id, of one match or of all."""
        ...

    async def outbox_add(self, draft: Draft, now: datetime) -> int:
        """Queue a message that belongs to no change of a match; its row's id."""
        ...

    async def outbox_sent(self, row_id: int, post: Post | None) -> None:
        """The row is sent: it leaves the outbox, and its post is remembered, in one step."""
        ...

    async def outbox_retry(self, row_id: int, due: datetime, error: str) -> None:
        """The row could not be sent: try again at `due`."""
        ...

    async def outbox_drop(self, row_id: int, error: str) -> None:
        """The row can't ever be sent (channel gone, right lost); kept among the dead for a look."""
        ...

    async def outbox_revive(self, match_id: str, now: datetime) -> int:
        """Dead rows of a match are due again (its channel can be written to); how many."""
        ...

    async def watch(self, watch: Watch, draft: Draft | None = None, now: datetime | None = None) -> None:
        """Add a watch, or replace the one of the same match and channel; queue a message in the same step.

        ValueError for a message without the time.
        """
        ...

    async def unwatch(self, match_id: str, channel: int) -> bool:
        """Remove a watch; whether there was one."""
        ...

    async def watches(self, match_id: str) -> tuple[Watch, ...]:
        """The watches of a match, oldest first."""
        ...

    async def settings(self, scope: Literal["guild", "user"], id: int) -> dict[str, Any]:  # noqa: A002
        """The settings of a server or person; empty if none were made."""
        ...

    async def save_settings(self, scope: Literal["guild", "user"], id: int, values: dict[str, Any]) -> None:  # noqa: A002
        """Replace the settings of a server or person."""
        ...

    async def maps(self, guild: int, game: str) -> tuple[MapInfo, ...]:
        """The maps of a server for a game, by their keys."""
        ...

    async def stored_map(self, guild: int, game: str, key: str) -> MapRow | None:
        """A whole map, if the server has it."""
        ...

    async def drawn(self, ground: str) -> tuple[bytes | None, bytes | None] | None:
        """The picture and the mask that maps name by a key; None if no server has such a map any more."""
        ...

    async def save_map(self, row: MapRow, most: int = MOST_MAPS) -> bool:
        """Add a map, or replace the one of its key. False, and nothing changed, if `most` others are there.

        ValueError for what is larger than the limits above, has no key or title, or is no JSON.
        """
        ...

    async def drop_map(self, guild: int, game: str, key: str) -> bool:
        """Remove a map; whether there was one."""
        ...

    async def mark_read(self, channel: int, message: int) -> None:
        """A message was read; older ones change nothing."""
        ...

    async def channels_to_read(self) -> tuple[tuple[int, int | None], ...]:
        """Channels to read after a gap: those where live matches are played, direct ones too, by number.

        With each the last message read there, or the first board of a live match where none was, or None.
        """
        ...

    async def close(self) -> None:
        """Give everything back."""
        ...
