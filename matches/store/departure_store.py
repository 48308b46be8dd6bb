"""How servers use the bot, and which ones it has greeted and left: part of the protocol of a Store."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


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
