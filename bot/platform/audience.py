"""Who can read a channel: one member, and all readers of another channel."""

from __future__ import annotations

import discord

AnyChannel = discord.abc.GuildChannel | discord.Thread


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
