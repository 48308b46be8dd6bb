"""What every message has: its kind, its lane, what its loss means, and how it is stored."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self, TypeAlias

from matches.outbox.fields import fields_of, plain, read

OutboxKind: TypeAlias = Literal[
    "lobby",
    "thread",
    "board",
    "notice",
    "mirror",
    "dm",
    "ping",
    "unping",
    "digest",
    "follow",
    "news",
    "finished",
    "modlog",
    "moved",
]


class Loss(enum.Enum):
    """What it means for its match that a message isn't sent (`bot.outbound.remedies`)."""

    MATCH = "match"
    """The match can't be followed without it: its people hear of it, and it is kept."""
    DETOUR = "detour"
    """The match goes on without it: it is the thread."""
    NONE = "none"
    """Nothing: it is dropped, and its kind does what else there is to do."""


class Message:
    """A message to send."""

    __slots__ = ()
    kind: ClassVar[OutboxKind]
    pictured: ClassVar[bool] = False
    """Whether it has a picture, so that it can be sent plainer."""
    loss: ClassVar[Loss] = Loss.MATCH

    def lane(self, match: str, user: int | None) -> str:
        """Return its lane; `user` is the person to whom it goes directly, None for a server."""
        return match if user is None else f"{match}/dm/{user}"

    def recipient(self, user: int | None) -> int | None:
        """Return the person in whose direct messages it is read, None for a channel; `user` as for `lane`."""
        return user

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that is stored; values that are the default are left out."""
        of: Any = type(self)
        return {
            key: plain(value)
            for key, (name, _, default) in fields_of(of).items()
            if (value := getattr(self, name)) != default
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the message of a stored object. Raises ValueError if it is none."""
        of: Any = cls
        found = fields_of(of).items()
        return cls(**{name: read(hint, data.get(key, default), key) for key, (name, hint, default) in found})
