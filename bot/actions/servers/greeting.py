"""Greet a server once, when the bot has joined it: the front page, and a line for those who manage it.

A server is new if the bot became a member within a day; it may have been down meanwhile. That a server is
greeted is stored before anything is posted. So no outage, restart or second process greets it again, nor does
a return before the server is forgotten; what can't be posted then isn't posted later.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Final

import aiohttp
import discord

from bot.context import Context
from bot.messages.front_panel import front_panel
from bot.platform.permissions import missing_permissions, permissions_in
from games.engine.message import msg

log = logging.getLogger(__name__)
_NEW: Final = timedelta(days=1)


async def greet(ctx: Context, guild: discord.Guild) -> None:
    """Greet a server if it is new. Raises StoreError."""
    me: discord.Member | None = guild.me
    now = ctx.clock.now()
    if me is None or me.joined_at is None or now - me.joined_at > _NEW:
        return  # not new, or it has removed us meanwhile
    if not await ctx.store.claim_greeting(guild.id, now):
        return
    reader = await ctx.readers.public(guild.id)
    panel = await front_panel(ctx.presenter, reader, reader.say(msg("front.manage")))
    for channel in _channels(guild, me):
        try:
            await channel.send(**panel.fields())
        except discord.Forbidden:
            continue  # it was closed to us meanwhile
        except (discord.HTTPException, OSError, aiohttp.ClientError) as error:
            log.info("a server isn't greeted", extra={"guild": guild.id, "error": repr(error)})
        return


def _channels(guild: discord.Guild, me: discord.Member) -> Iterator[discord.TextChannel]:
    """Yield the channels in which we may post: that of the server's own news first, then from the top."""
    system = guild.system_channel
    listed = (() if system is None else (system,), (each for each in guild.text_channels if each != system))
    for channel in (each for part in listed for each in part):
        if not missing_permissions(permissions_in(channel, me), "channel"):
            yield channel
