"""The rows that matches and their store exchange. No logic.

Ids of people, servers, channels and messages are opaque integers. Times are aware, in UTC.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

from games.engine.match import Entry
from matches.outbox.base import OutboxKind
from matches.outbox.queue import Draft
from matches.store.moderation import ModerationRow
from matches.store.plans import PlanRow
from matches.store.standing import MatchResult

Status = Literal["lobby", "live", "over", "aborted", "expired", "closed"]
"""`closed` means that the host closed the lobby."""

Occupant = Literal["open", "invited", "person", "computer"]

Source = Literal["played", "study", "import"]
"""How a match came about: played, studied by one person who plays all sides, or imported from a record."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match is played. `guild` is None in direct messages, `thread` if there is none."""

    guild: int | None
    channel: int
    thread: int | None = None

    @property
    def home(self) -> int:
        """The channel in which boards are posted."""
        return self.thread or self.channel


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who holds a seat: `user` and `name` for people (also invited ones), `level` for computers."""

    seat: int
    occupant: Occupant
    user: int | None = None
    name: str = ""
    level: str = ""


@dataclass(frozen=True, slots=True)
class OriginRef:
    """The position of another match in which a match begins."""

    match: str
    entry: int
    move: int
    """The number of moves that had been made there."""
    rules: int
    """The version of the rules by which both are played."""
    out: tuple[int, ...] = ()
    """The seats that no longer play."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Whom a lobby is for, besides those it invites: 0 for what it doesn't ask.

    `kept` is the least share of matches that someone has played to their end, in percent; `least` and `most`
    are ratings in points.
    """

    kept: int = 0
    least: int = 0
    most: int = 0


NO_TERMS: Final = Terms()


@dataclass(frozen=True, slots=True)
class LobbyState:
    """What only a lobby needs, and what is left of it afterwards."""

    message: int | None = None
    expires: datetime | None = None
    reminded: bool = False
    """Whether the reminder was sent that it expires."""
    use_thread: bool = True
    """Whether the match gets a thread of its own when it starts."""
    starts_full: bool = False
    """Whether it starts as soon as it is full."""
    terms: Terms = NO_TERMS
    """Whom it is for."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What is agreed on in the lobby, besides the game's own options."""

    clock: dict[str, Any] | None = None
    """As `clocks.control.to_json` writes it; None without one."""
    hints: bool = True
    """Whether players may ask for hints, unless it is rated."""
    rated: bool | None = None
    """Whether its result may count for ratings; None if it began before there were any."""
    delay: int = 0
    """By how many turns others see it late (see `matches.watching`)."""


@dataclass(frozen=True, slots=True)
class Publicity:
    """Whether anyone who has the match's id may look at it, and who has agreed to that."""

    public: bool = False
    agreed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a match comes from."""

    source: Source = "played"
    origin: OriginRef | None = None
    """Where it begins, if that isn't the start of its game."""
    previous: str | None = None
    """The match of which this one is the rematch."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One match, from its lobby to its end.

    `version` is the number of its last log entry, -1 in the lobby. `revision` counts every change of the row
    or its seats, and is what a Commit compares. `options` are the game's, JSON values by key. `result` is
    None or {"how": "outcome"|"draw"|"ruling"|"abort"|"idle"|"moderator", "ranks": [..]}.
    """

    id: str
    game: str
    status: Status
    place: Place
    host: int
    seats: tuple[SeatRow, ...]
    options: dict[str, Any]
    secret: str = field(repr=False)
    """The secret of the dice in hex: never show or log it before the end."""
    created: datetime
    updated: datetime
    version: int = -1
    revision: int = 0
    result: dict[str, Any] | None = None
    unreachable: str = ""
    """Why its channel can't be written to now; empty if it can."""
    lobby: LobbyState = LobbyState()
    conditions: Conditions = Conditions()
    publicity: Publicity = Publicity()
    provenance: Provenance = Provenance()

    @property
    def takes_hints(self) -> bool:
        """Whether players may ask for hints. In a rated match one could undo a loss by asking for one."""
        return self.conditions.hints and not self.conditions.rated

    @property
    def set_aside(self) -> bool:
        """Whether it has stopped without being over: nobody moved in it, or a moderator has ended it."""
        how = None if self.result is None else self.result.get("how")
        return self.status == "aborted" and how in ("idle", "moderator")

    @property
    def is_final(self) -> bool:
        """Whether it has ended and can't go on."""
        return self.status in ("over", "aborted") and not self.set_aside

    @property
    def ended_by_moderator(self) -> bool:
        """Whether a moderator has ended it, so that only a moderator can let it go on."""
        return self.set_aside and self.result is not None and self.result.get("how") == "moderator"

    @property
    def lobby_channel(self) -> int:
        """The channel of the lobby's message.

        In a forum the lobby is a post, which is the match's thread from the beginning; elsewhere `use_thread`
        means that the thread is made later, on that message.
        """
        return self.place.channel if self.lobby.use_thread else self.place.home


@dataclass(frozen=True, slots=True)
class Logged:
    """A log entry with its time and author."""

    entry: Entry
    at: datetime
    user: int | None = None
    """The person who did it; None for chance, computers and automatic entries."""


@dataclass(frozen=True, slots=True)
class Request:
    """A served request, to answer its repetitions: its match, and version and revision after it."""

    id: str
    match: str
    version: int
    revision: int


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """Who held a seat of a match from log entry `since` on, at time `at`: 0 for the one who began.

    `user` and `name` are those of a person, `level` that of a computer. `why` is the reason for the change.
    """

    match: str
    seat: int
    since: int
    occupant: Literal["person", "computer"]
    at: datetime
    user: int | None = None
    name: str = ""
    level: str = ""
    why: str = ""
    back: int | None = None
    """The person who may come back to the seat while this computer holds it."""


@dataclass(frozen=True, slots=True)
class ImportRow:
    """What came with an imported record: its owner, its checksum, and its free headers."""

    owner: int
    checksum: str
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Commit:
    """One change of one match: the row after it, entries to append, messages to send, the request served.

    `row.revision` must be one more than the stored one, otherwise the change is stale.
    """

    row: MatchRow
    at: datetime
    entries: tuple[Logged, ...] = ()
    outbox: tuple[Draft, ...] = ()
    request: str | None = None
    deadlines: Mapping[int, datetime] | None = None
    """When the time of each seat is up now, if its clock runs or will; None: as before."""
    unseen: bool = False
    """Whether its people can't see the match from now on, until a board is posted: its clocks stand."""
    mirrors: bool = False
    """Whether to update the match's mirrors: queue `drafts.mirror` for each watch, after `outbox`."""
    holders: tuple[SeatHolder, ...] = ()
    """Holders of seats to record; those of a seat and entry that are recorded already stay as they are."""
    plan: PlanRow | None = None
    """The plan of a seat after the change, if the change carries out a part of it."""
    imported: ImportRow | None = None
    """What came with the record of a new match that is imported."""
    turns: tuple[TurnChange, ...] = ()
    """What its people wait for from now on; what pinged them for earlier turns is withdrawn."""
    moderation: ModerationRow | None = None
    """What to add to the log of the server's moderators."""
    passed: bool = False
    """Whether someone is to act who wasn't before: those who follow each turn are notified."""
    result: MatchResult | None = None
    """The result of the match for its people, if the change ends it."""


@dataclass(frozen=True, slots=True)
class Post:
    """A posted message of a match: a board (with `seq`, its log entry), lobby, mirror or notice."""

    message: int
    channel: int
    match: str
    kind: OutboxKind
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """A channel that mirrors a match in `message`, which is None until it is posted."""

    match: str
    channel: int
    by: int
    message: int | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A channel to read after a gap.

    `after` is the message to read on from: the last one read there, or the first board there of a match that
    is live now if that is newer; None if there is neither. In a `home` a live match is played now, and
    `guild` is its server, None for direct messages; elsewhere only boards were left, and `guild` isn't known.
    """

    channel: int
    after: int | None
    home: bool = True
    guild: int | None = None
    is_direct: bool = False
    """Whether it is a person's direct messages."""


MAX_MAPS = 50
"""Maximum number of maps of a server for one game."""
MAX_MAP_TEXT = 400_000
"""Maximum length of a map's JSON, in characters."""
MAX_MAP_BYTES = 4 * 1024 * 1024
"""Maximum size of a map's picture, and of its mask, in bytes."""


@dataclass(frozen=True, slots=True)
class MapInfo:
    """A map of a server, without its data. `key` is unique for the server and the game."""

    guild: int
    game: str
    key: str
    title: str
    by: int
    at: datetime


@dataclass(frozen=True, slots=True)
class MapRow:
    """A whole map: JSON that its game understands, and its checked picture and mask."""

    info: MapInfo
    data: str = field(repr=False)
    picture: bytes | None = field(default=None, repr=False)
    mask: bytes | None = field(default=None, repr=False)
    ground: str = ""
    """The key by which the map's JSON refers to its picture and mask; empty without them."""


@dataclass(frozen=True, slots=True)
class TurnChange:
    """What a change of a match means for a seat held by `user`: a row begins or ends, or it is missing alone.

    `acted` means that the person made the change, so that they know.
    """

    seat: int
    user: int
    what: Literal["turn", "next", "result", "over", "alone"]
    turn: int
    """The last entry of the change."""
    acted: bool = False
