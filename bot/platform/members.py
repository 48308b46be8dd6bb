"""Who is still a member of a server. Discord is asked at most once per person in six hours."""

from __future__ import annotations

import discord

from bot.platform.recent import Recent
from matches.ports import Clock

_REMEMBERED = 1024
_SECONDS = 21_600


class Members:
    """Remembers whom we have seen in a server lately."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._seen: Recent[tuple[int, int, int]] = Recent(_REMEMBERED)

    def saw(self, guild: int, user: int) -> None:
        """Remember that a person was seen in a server."""
        self._seen.add(self._key(guild, user))

    async def left(self, guild: int, user: int) -> bool:
        """Return whether a person is known to have left a server; False where Discord can't be asked."""
        if self._key(guild, user) in self._seen:
            return False
        try:
            await self._client.http.get_member(guild, user)
        except discord.NotFound:
            return True
        except discord.HTTPException:
            return False
        self.saw(guild, user)
        return False

    def _key(self, guild: int, user: int) -> tuple[int, int, int]:
        return guild, user, int(self._clock.now().timestamp()) // _SECONDS
