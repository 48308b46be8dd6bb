"""What the bot has to say, one type for each kind of message.

A message is stored as the text of its kind and a JSON object, and both are older than these types: names of
fields and keys stay as they are. What can't be read, from a newer version perhaps, is `Unreadable`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Self, TypeAlias

from matches.outbox.base import Loss, Message, read

PingReason: TypeAlias = Literal["turn", "next", "alone", "result", "reminder"]
"""Why someone is pinged. `alone`: of several who decide at the same time, only they are missing."""
About: TypeAlias = tuple[tuple[str, int, int], ...]
"""Match, seat and last entry of the change with which a turn began."""


# --- where a match is played --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Thread(Message):
    """The thread of a match is to be made."""

    kind = "thread"
    loss = Loss.DETOUR


@dataclass(frozen=True, slots=True)
class LobbyMessage(Message):
    """The message of a lobby, posted or brought up to date."""

    kind = "lobby"
    pictured = True


@dataclass(frozen=True, slots=True)
class BoardMessage(Message):
    """A board that shows the log entries `first` to `last`."""

    kind = "board"
    pictured = True
    first: int
    last: int
    ping: tuple[int, ...] | None = None
    """Whom it calls where pings have no rows; None: everyone who is to act."""
    reason: str = ""
    """That of a moderator."""
    again: bool = False
    """Whether it is a deleted board that is posted once more."""


class Notice(Message):
    """A text in the channel of a match, or to one of its people."""

    __slots__ = ()
    kind = "notice"


@dataclass(frozen=True, slots=True)
class LogNotice(Notice):
    """What the log entries `first` to `last` mean, without a board: offers and answers."""

    first: int
    last: int
    reason: str = ""
    """That of a moderator."""


@dataclass(frozen=True, slots=True)
class Invitation(Notice):
    """The call to people who are invited to a lobby."""

    users: tuple[int, ...] = field(metadata={"key": "invited"})


@dataclass(frozen=True, slots=True)
class LobbyFull(Notice):
    """Someone has taken the last seat of a lobby, which this host can start now."""

    host: int = field(metadata={"key": "full"})


@dataclass(frozen=True, slots=True)
class ClockChanged(Notice):
    """The host of a lobby has changed its clock, which these people had seen."""

    users: tuple[int, ...] = field(metadata={"key": "clock"})

    def lane(self, match: str, user: int | None) -> str:
        """Return a lane of its own, so that it can be edited while the host tries out others."""
        return f"{match}/clock" if user is None else f"{match}/clock/{user}"


@dataclass(frozen=True, slots=True)
class SeatOffered(Notice):
    """The offer of a seat by `by` after an entry, to a person or to everyone; `own` of their own seat."""

    seat: int
    by: int
    entry: int
    to: int | None
    own: bool
    reason: str = ""
    """That of the moderator who offers it."""

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that is stored."""
        offer = {"offer": [self.seat, self.by, self.entry, self.to, self.own]}
        return offer | ({"reason": self.reason} if self.reason else {})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the message of a stored object. Raises ValueError if it is none."""
        match data.get("offer"):
            case [int(seat), int(by), int(entry), (None | int()) as to, bool(own)]:
                return cls(seat, by, entry, to, own, read(str, data.get("reason", ""), "reason"))
        raise ValueError("offer has another form")


@dataclass(frozen=True, slots=True)
class LobbyClosed(Notice):
    """A moderator has closed a lobby."""

    reason: str = field(metadata={"key": "cleared"})


@dataclass(frozen=True, slots=True)
class LobbyReminder(Notice):
    """A lobby is still waiting."""

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that is stored."""
        return {"reminder": True}


@dataclass(frozen=True, slots=True)
class IdleQuestion(Notice):
    """Whether to go on with a match that has had no move since entry `version`."""

    version: int = field(metadata={"key": "idle"})
    since: int = 0
    """In seconds since 1970."""


@dataclass(frozen=True, slots=True)
class SetAside(Notice):
    """A match was set aside after entry `version`."""

    version: int = field(metadata={"key": "set_aside"})


# --- elsewhere ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mirror(Message):
    """The board of a match in another channel, posted or brought up to date."""

    kind = "mirror"
    own_lane = "{match}/mirror/{self.channel}"
    pictured = True
    loss = Loss.NONE
    channel: int


@dataclass(frozen=True, slots=True)
class Finished(Message):
    """The post of a finished match in a showcase."""

    kind = "finished"
    own_lane = "{match}/finished"
    pictured = True
    loss = Loss.NONE
    channel: int


@dataclass(frozen=True, slots=True)
class ModerationPost(Message):
    """What a moderator did, by its number in the log, for the channel of the log."""

    kind = "modlog"
    own_lane = "modlog/{self.guild}"
    loss = Loss.NONE
    number: int
    channel: int
    guild: int


@dataclass(frozen=True, slots=True)
class Moved(Message):
    """Where a match goes on, for those who read where it was played until a moderator moved it."""

    kind = "moved"
    own_lane = "{match}/moved/{self.channel}"
    loss = Loss.NONE
    guild: int
    channel: int
    to: int


@dataclass(frozen=True, slots=True)
class DirectMessage(Message):
    """A text to one person."""

    kind = "dm"
    loss = Loss.NONE
    text: str
    unreachable: str = ""
    """Only sent if the match still can't be reached for this."""


@dataclass(frozen=True, slots=True)
class PlanNews(Message):
    """What became of a person's plan: `what` is a key of the catalogue, `move` the text that was planned."""

    kind = "dm"
    loss = Loss.NONE
    what: str
    move: str = ""
    left: str = ""
    """The part of the move that wasn't carried out."""

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that is stored."""
        return {"text": "", "plan": {"what": self.what, "move": self.move, "left": self.left}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the message of a stored object. Raises ValueError if it is none."""
        match data["plan"]:
            case {"what": str(what), "move": str(move), "left": str(left)}:
                return cls(what, move, left)
        raise ValueError("plan has another form")


# --- pings --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PingMessage(Message):
    """A message that only pings the person of a seat, directly (`dm`) or where the match is played."""

    kind = "ping"
    own_lane = "{match}/ping/{self.user}"
    loss = Loss.NONE
    seat: int
    user: int
    turn: int
    """The last entry of the change with which the turn began."""
    reason: PingReason
    dm: bool
    closed: bool = False
    """Whether it comes there because they take no direct messages."""

    def recipient(self, user: int | None) -> int | None:
        """Return the person in whose direct messages it is read; None for a channel."""
        return self.user if self.dm else None


@dataclass(frozen=True, slots=True)
class Withdrawal(Message):
    """A posted ping is over: `keep` are the people whom the message with this text still pings."""

    kind = "unping"
    own_lane = "{match}/unping"
    loss = Loss.NONE
    channel: int
    message: int
    ours: bool
    """Whether the message was nothing but a ping, so that it is deleted if nobody is left."""
    text: str
    keep: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Digest(Message):
    """A person's digest, made when it is sent."""

    kind = "digest"
    own_lane = "digest/{self.user}"
    loss = Loss.NONE
    user: int
    about: About

    def recipient(self, user: int | None) -> int | None:
        """Return the person in whose direct messages it is read; None for a channel."""
        return self.user


# --- people who watch ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Follow(Message):
    """How a followed match stands, or that it is over."""

    kind = "follow"
    own_lane = "{match}/follow/{user}"
    pictured = True
    loss = Loss.NONE
    over: bool


@dataclass(frozen=True, slots=True)
class NewsMessage(Message):
    """A person's daily message about matches that they follow, with the last entry sent of each."""

    kind = "news"
    own_lane = "news/{user}"
    loss = Loss.NONE
    about: Mapping[str, int]


# --- reading ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unreadable(Message):
    """A stored message that this version can't read; it keeps what is stored."""

    kind: Any  # type: ignore[misc]  # of another version
    data: Any
    why: str

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that is stored."""
        return dict(self.data) if isinstance(self.data, dict) else {}


AnyMessage: TypeAlias = (
    Thread
    | (LobbyMessage | LobbyFull | LobbyReminder | LobbyClosed | Invitation | ClockChanged)
    | (BoardMessage | LogNotice | SeatOffered | IdleQuestion | SetAside)
    | (Mirror | Finished | ModerationPost | Moved | DirectMessage | PlanNews)
    | (PingMessage | Withdrawal | Digest | Follow | NewsMessage)
    | Unreadable
)
"""A message of one of all types."""

_TYPES: Final[dict[str, type[AnyMessage]]] = {
    each.kind: each
    for each in (
        *(Thread, LobbyMessage, BoardMessage, Mirror, Finished, ModerationPost, Moved, DirectMessage),
        *(PingMessage, Withdrawal, Digest, Follow, NewsMessage),
    )
}
_BY_KEY: Final[dict[str, dict[str, type[AnyMessage]]]] = {
    "notice": {
        "reminder": LobbyReminder,
        "invited": Invitation,
        "full": LobbyFull,
        "clock": ClockChanged,
        "cleared": LobbyClosed,
        "offer": SeatOffered,
        "set_aside": SetAside,
        "idle": IdleQuestion,
        "last": LogNotice,
    },
    "dm": {"plan": PlanNews},
}
"""Kinds whose type follows from a key of the object."""


def read_message(kind: str, data: Any) -> AnyMessage:
    """Return the message of a stored kind and object. Never raises."""
    try:
        if not isinstance(data, dict):
            raise TypeError("no object")
        found = next((type_ for key, type_ in _BY_KEY.get(kind, {}).items() if key in data), _TYPES.get(kind))
        if found is None:
            raise ValueError(f"kind {kind}")
        return found.from_json(data)
    except (TypeError, ValueError) as error:
        return Unreadable(kind, data, str(error))
