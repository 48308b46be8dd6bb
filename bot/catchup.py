"""After a gap: read what was written in channels with live matches, by the same entry as new messages.

A read mark never passes a message that is still being carried out, nor a gap that could not be read yet:
what a crash or a failing Discord keeps from us is read the next time.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import aiohttp
import discord

from bot import doors

if TYPE_CHECKING:
    from bot.app import Dominium

log = logging.getLogger(__name__)
MOST = 500


class ReadMarks:
    """Up to where each channel is read: knows the messages at work and the channels with a gap."""

    def __init__(self) -> None:
        self._at_work: dict[int, set[int]] = {}
        self._done: dict[int, int] = {}
        self.gaps: set[int] = set()

    def begin(self, channel: int, message: int) -> None:
        """A message is being carried out."""
        self._at_work.setdefault(channel, set()).add(message)

    def end(self, channel: int, message: int) -> int | None:
        """It was carried out: the message up to which the channel may be marked as read, if that changed."""
        at_work = self._at_work[channel]
        at_work.discard(message)
        done = self._done[channel] = max(message, self._done.get(channel, message))
        if at_work and min(at_work) < done:
            return None
        del self._done[channel]
        if not at_work:
            del self._at_work[channel]
        return None if channel in self.gaps else done

    def passable(self, channel: int, message: int) -> bool:
        """Whether no earlier message is at work."""
        return all(other > message for other in self._at_work.get(channel, ()))


async def catch_up(app: Dominium) -> None:
    """Send what waits, then read every live channel from the last message that was read there."""
    await app.publisher.drain()
    channels = await app.store.channels_to_read()
    app.marks.gaps.update(channel for channel, _ in channels)
    for channel, last in channels:
        await _close_gap(app, channel, last)
    await app.publisher.drain()


async def close_gaps(app: Dominium) -> None:
    """Read once more where Discord failed us before."""
    if not app.marks.gaps:
        return
    channels = await app.store.channels_to_read()
    app.marks.gaps.intersection_update(channel for channel, _ in channels)
    for channel, last in channels:
        if channel in app.marks.gaps:
            await _close_gap(app, channel, last)


async def _close_gap(app: Dominium, channel: int, last: int | None) -> None:
    try:
        await _read(app, channel, last)
    except (discord.DiscordServerError, discord.RateLimited, OSError, aiohttp.ClientError) as error:
        log.warning("a channel will be read once more", extra={"channel": channel, "error": repr(error)})
        return
    except discord.HTTPException as error:
        log.warning("a channel could not be read", extra={"channel": channel, "error": repr(error)})
    app.marks.gaps.discard(channel)


async def _read(app: Dominium, channel: int, last: int | None) -> None:
    """At most MOST messages, oldest first. Before the first board there is nothing to read."""
    if last is None:
        return
    place = app.get_partial_messageable(channel)
    async for message in place.history(limit=MOST, after=discord.Object(last), oldest_first=True):
        if message.id in app.handled:
            continue
        try:
            await doors.receive(app, message)
        except Exception:
            log.exception("a message could not be handled", extra={"message": message.id})
        if app.marks.passable(channel, message.id):
            await app.store.see(channel, message.id)
