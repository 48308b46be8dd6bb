"""What every message has: its kind, its lane, what its loss means, and how it is stored."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Any, ClassVar, Literal, Self, TypeAlias, get_args, get_origin, get_type_hints

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


@cache
def fields_of(of: Any) -> dict[str, tuple[str, Any, Any]]:
    """Return name, type and default of each field, by its key in JSON; ... for those without a default."""
    hints = get_type_hints(of)
    return {
        each.metadata.get("key", each.name): (
            each.name,
            hints[each.name],
            ... if each.default is dataclasses.MISSING else each.default,
        )
        for each in dataclasses.fields(of)
    }


def plain(value: Any) -> Any:
    """Return a value for JSON, with lists for tuples."""
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return dict(value) if isinstance(value, Mapping) else value


def read(hint: Any, value: Any, key: str) -> Any:
    """Return a value of a type, with tuples for lists. Raises ValueError."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is UnionType:  # of a type and None
        return None if value is None else read(args[0], value, key)
    if isinstance(hint, type) and type(value) is hint:
        return value
    if origin is Literal and value in args:
        return value
    if origin is Mapping and isinstance(value, dict):
        return {read(args[0], name, key): read(args[1], each, key) for name, each in value.items()}
    if origin is tuple and isinstance(value, list | tuple):
        types = args[:1] * len(value) if args[-1] is ... else args
        if len(types) == len(value):
            return tuple(read(one, each, key) for one, each in zip(types, value, strict=True))
    raise ValueError(f"{key} is {'missing' if value is ... else 'of another type'}")


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
    own_lane: ClassVar[str] = ""
    """Its lane if that isn't the match's, as a format of `self` and what `lane` takes."""

    def lane(self, match: str, user: int | None) -> str:
        """Return its lane; `user` is the person to whom it goes directly, None for a server."""
        if self.own_lane:
            return self.own_lane.format(self=self, match=match, user=user)
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
