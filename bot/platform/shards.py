"""Which shards of Discord's gateway this process serves and hears, and which servers are theirs.

A shard is a fixed share of all servers, shard 0 has the direct messages as well:
https://discord.com/developers/docs/topics/gateway#sharding. Most bots have one, and serve it alone.
The library knows the servers of its own sessions only. So look for a server here: not to know
one of another process means nothing, and not to know one of ours means that the bot isn't in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Final

import discord
from cachetools import TTLCache

_GUILD_BITS: Final = 22
"""The low bits of a server's id, which don't count for its shard."""
_FETCHED_FOR: Final = 60
"""Seconds for which a server of another process is kept as Discord described it."""


class Shards:
    """The shards of one process. Before `begin`, it serves the only one."""

    def __init__(self, seconds: Callable[[], float] = monotonic) -> None:
        """`seconds` is a clock that only goes forward."""
        self._seconds = seconds
        self.count = 1
        self.held: frozenset[int] = frozenset({0})
        """Those that this process serves."""
        self.heard: frozenset[int] = frozenset()
        """Those of them whose session goes on, so that what people do there reaches us."""
        self.serving = asyncio.Event()
        """Set once any was heard, or if all belong to others as long as they serve them."""
        self._until: float | None = None
        """When the right to serve them ends, unless it is renewed; None for never."""

    def begin(self, count: int, held: Iterable[int]) -> None:
        """Serve some of `count` shards from now on."""
        self.count, self.held = count, frozenset(held)

    def renewed(self, held: Iterable[int], until: float) -> None:
        """Serve these shards until a time of the clock that only goes forward."""
        self.held, self._until = frozenset(held), until

    def hear(self, shards: Iterable[int]) -> None:
        """Note that the sessions of these go on."""
        self.heard |= frozenset(shards)
        self.serving.set()

    def lose(self, shards: Iterable[int]) -> None:
        """Note that nothing of these reaches us."""
        self.heard -= frozenset(shards)

    def now(self) -> float:
        """Return the seconds of the clock that only goes forward."""
        return self._seconds()

    @property
    def in_time(self) -> bool:
        """Whether nobody else can have taken over meanwhile: what is sent now is sent once."""
        return self._until is None or self._seconds() < self._until

    @property
    def overdue(self) -> float:
        """For how many seconds the right to serve has ended; 0 while it hasn't."""
        return 0.0 if self._until is None else max(0.0, self._seconds() - self._until)

    @property
    def leads(self) -> bool:
        """Whether this process does what is done once for all servers."""
        return 0 in self.held and self.in_time

    @property
    def settled(self) -> bool:
        """Whether all that it serves is heard, so that it knows all their servers."""
        return self.held <= self.heard

    def of(self, guild: int | None) -> int:
        """Return the shard of a server; that of direct messages for None."""
        return 0 if guild is None else (guild >> _GUILD_BITS) % self.count

    def serves(self, guild: int | None) -> bool:
        """Return whether this process serves a server; None for direct messages."""
        return self.of(guild) in self.held


class Guilds:
    """The servers of a client, seen by the shards that it serves."""

    def __init__(self, client: discord.Client, shards: Shards) -> None:
        self._client = client
        self.shards = shards
        self._fetched: TTLCache[int, discord.Guild] = TTLCache(256, _FETCHED_FOR)

    def serves(self, guild: int | None) -> bool:
        """Return whether this process serves a server; None for direct messages."""
        return self.shards.serves(guild)

    @property
    def all(self) -> tuple[discord.Guild, ...]:
        """The servers that this process serves, as far as they are known by now."""
        return tuple(guild for guild in self._client.guilds if self.serves(guild.id))

    def get(self, guild: int | None) -> discord.Guild | None:
        """Return a server that this process serves; None for all others, and where the bot isn't."""
        return None if guild is None or not self.serves(guild) else self._client.get_guild(guild)

    def has_left(self, guild: int | None) -> bool:
        """Return whether the bot isn't in a server; False if only another process can know that."""
        return guild is not None and self.serves(guild) and self._client.get_guild(guild) is None

    async def find(self, guild: int | None) -> discord.Guild | None:
        """Return a server, asking Discord if another process serves it; None if the bot isn't in it.

        One that was asked for knows its roles, and none of its channels and members. Raises errors of
        discord.py if Discord doesn't answer.
        """
        if guild is None or self.serves(guild):
            return self.get(guild)
        if (known := self._fetched.get(guild)) is None:
            try:
                known = await self._client.fetch_guild(guild, with_counts=False)
            except (discord.NotFound, discord.Forbidden):
                return None
            self._fetched[guild] = known
        return known
