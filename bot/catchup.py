"""After a gap: read what was written in channels with live matches, by the same entry as new messages."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import discord

from bot import doors

if TYPE_CHECKING:
    from bot.app import Dominium

log = logging.getLogger(__name__)
MOST = 500


async def catch_up(app: Dominium) -> None:
    """Send what waits, then read every live channel from the last message that was read there."""
    await app.publisher.drain()
    for channel, last in await app.store.channels_to_read():
        try:
            await _read(app, channel, last)
        except discord.HTTPException as error:
            log.warning("a channel could not be read", extra={"channel": channel, "error": repr(error)})
    await app.publisher.drain()


async def _read(app: Dominium, channel: int, last: int | None) -> None:
    """At most MOST messages, oldest first; from the match's first board where nothing was read yet."""
    after = last
    if after is None:
        rows = await app.service.live_in(channel)
        boards = [post.message for row in rows for post in await app.store.posts(row.id, "board")]
        if not boards:
            return
        after = min(boards)
    place = app.get_partial_messageable(channel)
    async for message in place.history(limit=MOST, after=discord.Object(after), oldest_first=True):
        if message.id not in app.handled:
            await doors.receive(app, message)
