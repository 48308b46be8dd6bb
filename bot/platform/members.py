"""Who is in a server and what they read: whether a person is still a member, and who can read a channel.

Discord is asked about a member at most once in six hours.
"""

from __future__ import annotations

import aiohttp
import discord

from bot.platform.recent import RecentKeys
from matches.ports import Clock

_REMEMBERED = 1024
_PERIOD = 21_600
"""How long a sighting counts, in seconds."""
AnyChannel = discord.abc.GuildChannel | discord.Thread


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


async def reads_channel(guild: discord.Guild, channel: int, user: discord.abc.Snowflake) -> bool:
    """Return whether a person can read a channel of a server.

    A private thread is read by its members, and by those who manage threads. Raises discord.NotFound for
    people who aren't members and unknown channels, discord.Forbidden for channels that the bot can't see, and
    other errors of discord.py where Discord doesn't say.
    """
    if isinstance(user, discord.Member) and user.guild.id == guild.id:
        member = user
    else:
        member = await guild.fetch_member(user.id)
    home = guild.get_channel_or_thread(channel) or await guild.fetch_channel(channel)
    shown = home
    if isinstance(home, discord.Thread) and home.parent is None:  # of a server that isn't known in full
        shown = await guild.fetch_channel(home.parent_id)
    rights = shown.permissions_for(member)
    if isinstance(home, discord.Thread) and home.is_private() and not rights.manage_threads:
        await home.fetch_member(user.id)  # raises NotFound for others
    return rights.view_channel


def all_readers_see(channel: discord.abc.GuildChannel, home: discord.abc.GuildChannel) -> bool:
    """Return whether all who can read `channel` can read `home`, too; False where that isn't certain.

    It is certain if everyone can read `home` and nobody is kept out, and if no role and no member is given
    more in `channel` than in `home`: rights only grow with what an overwrite gives.
    """
    if channel.id == home.id:
        return True
    here, there = _given(channel), _given(home)
    open_to_all = home.permissions_for(home.guild.default_role).view_channel
    if open_to_all and all(value >= 0 for value in there.values()):
        return True
    return all(here.get(one, 0) <= there.get(one, 0) for one in here.keys() | there.keys())


def _given(channel: discord.abc.GuildChannel) -> dict[int, int]:
    """Return what a channel's overwrites say of reading it, by role or member: 1 allowed, -1 denied."""
    rank = {True: 1, None: 0, False: -1}
    return {target.id: rank[overwrite.view_channel] for target, overwrite in channel.overwrites.items()}
