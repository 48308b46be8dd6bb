"""Make the threads and forum posts of matches.

A thread is made on the lobby's message when the match starts. In a forum the lobby itself is a post: a thread
whose first message it is. Threads are asked for with the longest time until Discord archives them; which of
them are kept open for longer is decided in `thread_care`.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Sequence
from typing import Any, Literal

import discord

from bot.context import Context
from bot.messages.outgoing import Outgoing
from bot.messages.seats import thread_name
from bot.outbound.posting import GoneError, Poster
from bot.outbound.remedies import Remedy, meaning
from bot.platform.permissions import permissions_in
from bot.platform.places import post_tags
from games.engine.message import Msg, msg
from matches.outbox.queue import OutboxRow
from matches.store.rows import MatchRow, Post

log = logging.getLogger(__name__)
_WEEK: Literal[10080] = 10_080
"""Minutes without a message until Discord archives a thread of ours: the longest time it offers."""
_UNKNOWN_MESSAGE = 10008
_TAG_REQUIRED = 40067
_NO_ACCESS = 50001
_NO_THREADS_HERE = 50024
_INVALID_FORM = 50035
_THREAD_EXISTS = 160004
_TOO_MANY_THREADS = 160006


class Threads:
    """Makes threads and posts for rows of the outbox, and lets errors through that it has no answer to."""

    def __init__(self, ctx: Context, poster: Poster) -> None:
        self._ctx = ctx
        self._poster = poster

    # --- threads --------------------------------------------------------------------------------------

    async def create(self, row: OutboxRow) -> None:
        """Create the match's thread on the lobby's message, whose id it takes: it can't be created twice.

        Where that isn't possible the match is played in the channel itself, which is told there.
        """
        current = await self._ctx.service.queries.row(row.draft.match)
        if current is None or current.place.thread is not None or current.lobby_message is None:
            await self._ctx.store.outbox_sent(row.id, None)
            return
        self._poster.require_guild(current)
        thread: int | None = None
        if self._poster.begin(row):
            thread = await self._thread_of(current.lobby_message)
        why: Msg | None = None
        if thread is None:
            thread, why = await self._make(current, current.lobby_message)
        if thread is not None:
            await self._ctx.service.channels.record(current.id, thread=thread)
        told = None if why is None else await self._tell(row, current, why)
        await self._ctx.store.outbox_sent(row.id, told)

    async def _make(self, match: MatchRow, lobby_message: int) -> tuple[int | None, Msg | None]:
        """Return the new thread; or why there is none, if people should know."""
        reader = await self._ctx.readers.public(match.place.guild)
        name = thread_name(match, reader)
        channel = self._ctx.client.get_partial_messageable(match.place.channel, guild_id=match.place.guild)
        message = channel.get_partial_message(lobby_message)
        try:
            try:
                made = await message.create_thread(name=name, auto_archive_duration=_WEEK)
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
            if (what := meaning(error)).remedy in (Remedy.RETRY, Remedy.PAUSE):
                raise
            return None, msg("bot.thread.refused", match=match.id, code=what.label)
        return made.id, None

    async def _thread_of(self, message: int) -> int | None:
        try:
            return (await self._ctx.client.fetch_channel(message)).id
        except discord.NotFound:
            return None

    async def _tell(self, row: OutboxRow, match: MatchRow, why: Msg) -> Post:
        """Say in the channel why the match is played there."""
        reader = await self._ctx.readers.public(match.place.guild)
        channel = self._ctx.client.get_partial_messageable(match.place.channel, guild_id=match.place.guild)
        self._poster.done(row)  # what was begun is the thread; the message wasn't
        message = await self._poster.post(row, channel, Outgoing(reader.say(why), silent=True))
        return Post(message.id, channel.id, match.id, "notice", match.version)

    # --- posts in forums ------------------------------------------------------------------------------

    async def is_forum(self, match: MatchRow) -> bool:
        """Return whether a lobby without a message is to become a post in a forum."""
        place = match.place
        if place.guild is None or place.thread is not None or match.lobby_message is not None:
            return False
        if match.use_thread:  # its lobby is a message in the channel
            return False
        return isinstance(await self._channel(place.channel), discord.ForumChannel)

    async def _channel(self, channel: int) -> object:
        return self._ctx.client.get_channel(channel) or await self._ctx.client.fetch_channel(channel)

    async def post_lobby(self, row: OutboxRow, match: MatchRow, outgoing: Outgoing) -> Post:
        """Make the post that is a match's lobby, or find it if an earlier try has made it."""
        forum = await self._channel(match.place.channel)
        if not isinstance(forum, discord.ForumChannel):
            raise GoneError
        post = await self._find_post(forum, match) if self._poster.begin(row) else None
        if post is None:
            post = await self._make_post(forum, match, outgoing)
        await self._ctx.service.channels.record(match.id, thread=post, lobby_message=post)
        return Post(post, post, match.id, "lobby")

    async def rename_post(self, match: MatchRow) -> None:
        """Give the post of a match that has begun the names of its players."""
        post = match.place.thread
        if match.use_thread or post is None or match.status != "live":
            return
        known = self._ctx.client.get_channel(post)
        name = thread_name(match, await self._ctx.readers.public(match.place.guild))
        if not isinstance(known, discord.Thread) or known.name == name:
            return
        # Names may be changed twice in ten minutes only: a name isn't worth waiting for.
        with contextlib.suppress(discord.HTTPException, discord.RateLimited):
            await known.edit(name=name)

    async def _find_post(self, forum: discord.ForumChannel, match: MatchRow) -> int | None:
        """Return our post whose name ends with the match's id."""
        me = self._ctx.client.user
        for thread in await forum.guild.active_threads():
            ours = me is not None and thread.owner_id == me.id
            if ours and thread.parent_id == forum.id and thread.name.endswith(f" · {match.id}"):
                return thread.id
        return None

    async def _make_post(self, forum: discord.ForumChannel, match: MatchRow, outgoing: Outgoing) -> int:
        reader = await self._ctx.readers.public(match.place.guild)
        fields: dict[str, Any] = outgoing.fields() | {
            "name": thread_name(match, reader),
            "auto_archive_duration": _WEEK,
        }
        try:
            made = await forum.create_thread(applied_tags=self._tags(forum, match), **fields)
        except discord.HTTPException as error:
            if error.code != _TAG_REQUIRED:
                raise
            # The tags have changed since we were told them.
            forum = await self._fetched(forum)
            fields |= {"files": outgoing.attachments()}
            made = await forum.create_thread(applied_tags=self._tags(forum, match), **fields)
        return made.thread.id

    def _tags(self, forum: discord.ForumChannel, match: MatchRow) -> Sequence[discord.ForumTag]:
        title = self._ctx.readers.default.say(msg(f"{match.game}.title"))
        moderator = permissions_in(forum, forum.guild.me).manage_threads
        return post_tags(forum, (title, match.game), moderator=moderator) or ()

    async def _fetched(self, forum: discord.ForumChannel) -> discord.ForumChannel:
        known = await self._ctx.client.fetch_channel(forum.id)
        return known if isinstance(known, discord.ForumChannel) else forum
