"""Make the thread of a match when it starts, on the lobby's message.

Threads are asked for with the longest time until Discord archives them; which are kept open for longer is
decided in `thread_care`. A match without a thread is played in the channel.
"""

from __future__ import annotations

import logging

import discord

from bot.messages.names import thread_name
from bot.messages.outgoing import Outgoing
from bot.outbound import remedies
from bot.outbound.posting import ARCHIVE_AFTER, MessageKind
from games.engine.message import Msg, msg
from matches.outbox.messages import Thread
from matches.outbox.queue import OutboxRow
from matches.store.rows import MatchRow, Post

log = logging.getLogger(__name__)
_UNKNOWN_MESSAGE = 10008
_NO_ACCESS = 50001
_NO_THREADS_HERE = 50024
_INVALID_FORM = 50035
_THREAD_EXISTS = 160004
_TOO_MANY_THREADS = 160006


class ThreadMessages(MessageKind[Thread]):
    """Threads; errors are let through that they have no answer to."""

    async def deliver(self, row: OutboxRow, message: Thread) -> None:
        """Create the match's thread on the lobby's message, whose id it takes: it can't be created twice.

        Where that isn't possible the match is played in the channel itself, and a message there explains it.
        """
        current = await self._ctx.service.queries.row(row.draft.match)
        if current is None or current.place.thread is not None or current.lobby.message is None:
            await self._ctx.store.outbox_sent(row.id, None)
            return
        self._poster.require_guild(current)
        thread: int | None = None
        if self._poster.begin(row):
            thread = await self._thread_of(current.lobby.message)
        why: Msg | None = None
        if thread is None:
            thread, why = await self._make(current, current.lobby.message)
        if thread is not None:
            await self._ctx.service.channels.record(current.id, thread=thread)
        posted = None if why is None else await self._post_reason(row, current, why)
        await self._ctx.store.outbox_sent(row.id, posted)

    async def _make(self, match: MatchRow, lobby_message: int) -> tuple[int | None, Msg | None]:
        """Return the new thread; or why there is none, if people should know."""
        reader = await self._ctx.readers.public(match.place.guild)
        name = thread_name(match, reader)
        channel = self._ctx.discord.client.get_partial_messageable(
            match.place.channel, guild_id=match.place.guild
        )
        message = channel.get_partial_message(lobby_message)
        try:
            try:
                made = await message.create_thread(name=name, auto_archive_duration=ARCHIVE_AFTER)
            except discord.HTTPException as error:
                if error.code != _INVALID_FORM:
                    raise
                log.warning("a thread is made with the channel's own archive time", extra={"match": match.id})
                made = await message.create_thread(name=name)
        except discord.Forbidden as error:
            if error.code == _NO_ACCESS:  # nothing could be posted in the channel either
                raise
            return None, msg("bot.thread.permission", match=match.id)
        except discord.HTTPException as error:
            match error.code:
                case code if code == _THREAD_EXISTS:
                    return lobby_message, None
                case code if code == _TOO_MANY_THREADS:
                    return None, msg("bot.thread.full", match=match.id)
                case code if code == _NO_THREADS_HERE:
                    return None, msg("bot.thread.kind", match=match.id)
                case code if code == _UNKNOWN_MESSAGE:
                    return None, None
            if remedies.passes(what := remedies.meaning(error)):
                raise
            return None, msg("bot.thread.refused", match=match.id, code=what.label)
        return made.id, None

    async def _thread_of(self, message: int) -> int | None:
        try:
            return (await self._ctx.discord.client.fetch_channel(message)).id
        except discord.NotFound:
            return None

    async def _post_reason(self, row: OutboxRow, match: MatchRow, why: Msg) -> Post:
        """Say in the channel why the match is played there."""
        reader = await self._ctx.readers.public(match.place.guild)
        channel = self._ctx.discord.client.get_partial_messageable(
            match.place.channel, guild_id=match.place.guild
        )
        self._poster.done(row)  # what was begun is the thread; the message wasn't
        message = await self._poster.post(row, channel, Outgoing(reader.say(why), silent=True))
        return Post(message.id, channel.id, match.id, "notice", match.version)
