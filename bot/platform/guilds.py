"""The servers that this process serves: all of the bot's, or those of some shards.

The library knows the servers of its own sessions only. So look for a server here: not to know
one of another process says nothing, and not to know one of ours says that the bot isn't in it.
"""

from __future__ import annotations

from typing import Final

import discord
from cachetools import TTLCache

from bot.platform.shards import Shards

_FETCHED_FOR: Final = 60
"""Seconds for which a server of another process is kept as Discord described it."""


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
