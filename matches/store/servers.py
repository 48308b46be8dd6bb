"""Servers: messages kept current there, how they use the bot, and which it has greeted and left."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, TypeAlias

from matches.outbox.queue import Draft
from matches.store.rows import MatchRow

ShowcaseKind: TypeAlias = Literal["matches", "panel", "puzzle"]
"""What a message shows: a server's live matches, the front page with its open lobbies, the daily puzzle."""


@dataclass(frozen=True, slots=True)
class Showcase:
    """The showcase of a server: a channel with a message that lists its live matches; or its panel."""

    guild: int
    channel: int
    by: int
    """The person who chose the channel."""
    since: datetime
    message: int | None = None
    """The list; None until it is posted."""
    shown: str = ""
    """A digest of the list's content."""
    edited: datetime | None = None
    """When the list was posted or edited last, or that was begun."""
    kind: ShowcaseKind = "matches"


class ShowcaseStore(Protocol):
    """At most one showcase, one panel and one daily puzzle for each server.

    A commit that ends a match queues `drafts.finished` for the showcase of its server.
    """

    async def showcases(self) -> tuple[Showcase, ...]:
        """Return all showcases and panels, by server."""
        ...

    async def showcase(self, guild: int, kind: ShowcaseKind = "matches") -> Showcase | None:
        """Return the showcase of a server, or its panel; None without one."""
        ...

    async def save_showcase(self, row: Showcase) -> None:
        """Add the showcase or panel of a server, or replace it."""
        ...

    async def note_showcase(self, row: Showcase) -> bool:
        """Record message, digest and time of a list; return False if the server's channel is another now."""
        ...

    async def drop_showcase(self, row: Showcase, now: datetime, drafts: Sequence[Draft] = ()) -> bool:
        """Remove a showcase and queue messages; False, doing nothing, if it is in another channel by now."""
        ...

    async def live_in_guild(self, guild: int, limit: int = 1000) -> tuple[MatchRow, ...]:
        """Return at most `limit` live matches of a server, latest change first."""
        ...

    async def lobbies_in_guild(self, guild: int, limit: int = 1000) -> tuple[MatchRow, ...]:
        """Return at most `limit` lobbies of a server, the newest first."""
        ...


@dataclass(frozen=True, slots=True)
class Departure:
    """A server that the bot was first found to have left at `since`."""

    guild: int
    since: datetime


@dataclass(frozen=True, slots=True)
class ServerUse:
    """What has been played in a server."""

    guild: int
    live: int
    """How many matches are in progress."""
    first: datetime
    """When the first of its matches or lobbies was opened."""
    latest: datetime
    """When one of them last changed."""


class DepartureStore(Protocol):
    """Servers with matches, and those that the bot has left."""

    async def note_servers(self, present: Collection[int], now: datetime) -> tuple[Departure, ...]:
        """Note which servers the bot is in, and return those that it has left, longest ago first.

        Only servers with a greeting, settings, a showcase, maps or a moderators' log are known. One that is
        back is no longer a departure.
        """
        ...

    async def forget_server(self, guild: int) -> None:
        """Remove all that is kept about a server. Its matches stay: they belong to their players."""
        ...

    async def claim_greeting(self, guild: int, now: datetime) -> bool:
        """Note that a server is greeted; return False if it was before, and hasn't been forgotten since."""
        ...

    async def server_use(self) -> tuple[ServerUse, ...]:
        """Return how each server with matches uses the bot: those with most live matches first, then the
        ones used last."""
        ...
