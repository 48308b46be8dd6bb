"""Tell those who sit in a lobby that its host has changed the clock that they had seen.

A host who tries out several clocks makes one message: it is edited for a while, as long as it calls all who
are to know. What it has called is kept in memory; after a restart there is a new message.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from cachetools import LRUCache

from bot.context import Context
from bot.messages.lobby_clock import clock_news
from bot.outbound.posting import Poster
from bot.outbound.threads import Threads
from matches.outbox.messages import ClockChanged
from matches.outbox.queue import OutboxRow
from matches.store.rows import MatchRow, Post

_PATIENCE: Final = timedelta(minutes=10)
"""How long a message is edited; who comes back later would overlook it."""
_UNKNOWN_MESSAGE = 10008


class _News(NamedTuple):
    message: int
    users: frozenset[int]
    at: datetime


class ClockNews:
    """Posts or edits these messages."""

    def __init__(self, ctx: Context, poster: Poster, threads: Threads) -> None:
        self._ctx = ctx
        self._poster = poster
        self._threads = threads
        self._told: LRUCache[tuple[str, int], _News] = LRUCache(256)
        """The latest message of a lobby in a channel."""

    async def serve(self, row: OutboxRow, current: MatchRow, changed: ClockChanged) -> None:
        """Send the message of a row, and mark the row as sent; nothing is sent to who has left."""
        reader = await self._ctx.readers.public(current.place.guild)
        if row.draft.user is not None:
            reader = await self._ctx.readers.person(row.draft.user, None)
        outgoing = clock_news(current, changed.users, reader)
        if outgoing is None:
            await self._ctx.store.outbox_sent(row.id, None)
            return
        channel = await self._poster.channel(row, current)
        key, users, now = (current.id, channel.id), frozenset(outgoing.ping), self._ctx.clock.now()
        told = self._told.get(key)
        fresh = told is not None and users <= told.users and now - told.at < _PATIENCE
        if told is not None and fresh and await self._poster.edit(channel, told.message, outgoing):
            await self._ctx.store.outbox_sent(row.id, None)
            return
        message = await self._poster.post(row, channel, outgoing)
        self._told[key] = _News(message.id, users, now)
        await self._ctx.store.outbox_sent(row.id, Post(message.id, channel.id, current.id, "notice", -1))
