"""Read the messages missed while offline in channels with live matches, and handle them like new ones.

See `read_marks` for where reading begins.
"""

from __future__ import annotations

import logging

import aiohttp
import discord

from bot.inbound import deletions
from bot.inbound.messages import Inbox

log = logging.getLogger(__name__)
MAX_MESSAGES = 500
"""Maximum number of missed messages read from one channel."""


async def catch_up(inbox: Inbox) -> None:
    """Send what is due, then read every live channel from its read mark."""
    await inbox.ctx.send()
    channels = await inbox.ctx.store.channels_to_read()
    inbox.marks.gaps.update(channel for channel, _ in channels)
    for channel, last in channels:
        await _close_gap(inbox, channel, last)
    await inbox.ctx.send()


async def close_gaps(inbox: Inbox) -> None:
    """Try again to read the channels that Discord failed to deliver."""
    if not inbox.marks.gaps:
        return
    channels = await inbox.ctx.store.channels_to_read()
    inbox.marks.gaps.intersection_update(channel for channel, _ in channels)
    for channel, last in channels:
        if channel in inbox.marks.gaps:
            await _close_gap(inbox, channel, last)


async def _close_gap(inbox: Inbox, channel: int, last: int | None) -> None:
    try:
        await _read(inbox, channel, last)
    except (discord.DiscordServerError, discord.RateLimited, OSError, aiohttp.ClientError) as error:
        log.warning("a channel will be read once more", extra={"channel": channel, "error": repr(error)})
        return
    except discord.HTTPException as error:
        log.warning("a channel could not be read", extra={"channel": channel, "error": repr(error)})
        if isinstance(error, discord.NotFound):
            await deletions.channel_deleted(inbox.ctx, channel)
    inbox.marks.gaps.discard(channel)


async def _guild_of(inbox: Inbox, channel: int) -> int | None:
    """Return the server a channel is in; None for direct messages. Messages that are read don't say it."""
    rows = await inbox.ctx.store.by_place(channel)
    if rows:
        return rows[0].place.guild
    client = inbox.ctx.client
    known = client.get_channel(channel) or await client.fetch_channel(channel)
    guild: discord.Guild | None = getattr(known, "guild", None)
    return None if guild is None else guild.id


async def _read(inbox: Inbox, channel: int, last: int | None) -> None:
    """Handle at most MAX_MESSAGES messages after `last`, oldest first; none if there is no board yet."""
    if last is None:
        return
    guild = await _guild_of(inbox, channel)
    place = inbox.ctx.client.get_partial_messageable(channel, guild_id=guild)
    async for message in place.history(limit=MAX_MESSAGES, after=discord.Object(last), oldest_first=True):
        if message.id in inbox.handled:
            continue
        try:
            await inbox.receive(message)
        except Exception:
            log.exception("a message could not be handled", extra={"sent": message.id})
        if inbox.marks.passable(channel, message.id):
            await inbox.ctx.store.mark_read(channel, message.id)
