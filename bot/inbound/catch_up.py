"""After a gap: read what was written in channels with live matches, by the same entry as new messages.

A read mark never passes a message that is still being carried out, nor a gap that could not be read yet:
what a crash or a failing Discord keeps from us is read the next time.
"""

from __future__ import annotations

import logging

import aiohttp
import discord

from bot.inbound import deletions
from bot.inbound.messages import Inbox

log = logging.getLogger(__name__)
MOST = 500


async def catch_up(inbox: Inbox) -> None:
    """Send what waits, then read every live channel from the last message that was read there."""
    await inbox.ctx.send()
    channels = await inbox.ctx.store.channels_to_read()
    inbox.marks.gaps.update(channel for channel, _ in channels)
    for channel, last in channels:
        await _close_gap(inbox, channel, last)
    await inbox.ctx.send()


async def close_gaps(inbox: Inbox) -> None:
    """Read once more where Discord failed us before."""
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
            await deletions.place_gone(inbox.ctx, channel)
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
    """At most MOST messages, oldest first. Before the first board there is nothing to read."""
    if last is None:
        return
    guild = await _guild_of(inbox, channel)
    place = inbox.ctx.client.get_partial_messageable(channel, guild_id=guild)
    async for message in place.history(limit=MOST, after=discord.Object(last), oldest_first=True):
        if message.id in inbox.handled:
            continue
        try:
            await inbox.receive(message)
        except Exception:
            log.exception("a message could not be handled", extra={"message": message.id})
        if inbox.marks.passable(channel, message.id):
            await inbox.ctx.store.mark_read(channel, message.id)
