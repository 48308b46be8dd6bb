"""Find out whether a person is still a member of a server, asking Discord at most once in six hours."""

from __future__ import annotations

import aiohttp
import discord

from bot.platform.recent import RecentKeys
from matches.ports import Clock

_REMEMBERED = 1024
_PERIOD = 21_600
"""How long a sighting counts, in seconds."""


class Members:
    """Remembers who was seen in which server lately."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._seen: RecentKeys[tuple[int, int, int]] = RecentKeys(_REMEMBERED)

    def note_seen(self, guild: int, user: int) -> None:
        """Remember that a person was seen in a server."""
        self._seen.add(self._key(guild, user))

    async def has_left(self, guild: int, user: int) -> bool:
        """Return whether a person is known to have left a server; False where Discord can't be asked."""
        if self._key(guild, user) in self._seen:
            return False
        try:
            await self._client.http.get_member(guild, user)
        except discord.NotFound:
            return True
        except (
            discord.DiscordException,
            OSError,
            aiohttp.ClientError,
        ):  # a rate limit counts among the first
            return False
        self.note_seen(guild, user)
        return False

    def _key(self, guild: int, user: int) -> tuple[int, int, int]:
        return guild, user, int(self._clock.now().timestamp()) // _PERIOD
