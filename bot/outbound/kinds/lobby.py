"""Keep the message of a lobby up to date; in a forum it is a post: a thread whose first message it is.

In a match of direct messages each guest has one. Once the lobby has become a match its message shows that,
its reminder goes, and its post gets the names of the players.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import discord

from bot.messages.names import thread_name
from bot.messages.outgoing import Outgoing
from bot.outbound.posting import ARCHIVE_AFTER, GoneError, MessageKind
from bot.platform.permissions import permissions_in, post_tags
from games.engine.message import msg
from matches.outbox.messages import LobbyMessage
from matches.outbox.queue import OutboxRow
from matches.store.rows import MatchRow, Post

_TAG_REQUIRED = 40067


class LobbyMessages(MessageKind[LobbyMessage]):
    """The messages of lobbies: posted once, and edited as long as they stand."""

    async def deliver(self, row: OutboxRow, message: LobbyMessage) -> None:
        """Post the lobby's message, or edit the one that is there."""
        current = await self._ctx.service.queries.row(row.draft.match)
        if current is None:
            await self._ctx.store.outbox_drop(row.id, "no such match")
            return
        self._poster.require_guild(current)
        reader = await self._ctx.readers.public(current.place.guild)
        begins = await self._ctx.service.forks.begins(current)
        length = await self._ctx.service.queries.length(current)
        kept = await self._ctx.service.queries.kept(current)
        outgoing = await self._poster.drawn(
            row,
            lambda picture: self._ctx.presenter.lobby(
                current, reader, picture=picture, begins=begins, length=length, kept=kept
            ),
        )
        outgoing = await self._poster.gated(outgoing, current, row.draft.user)
        if row.draft.user is None:
            channel = self._ctx.discord.client.get_partial_messageable(
                current.lobby_channel, guild_id=current.place.guild
            )
            standing = current.lobby.message
        else:
            channel = await self._poster.channel(row, current)
            sent = await self._ctx.store.posts(current.id, "lobby")
            standing = next((post.message for post in sent if post.channel == channel.id), None)
        if current.status != "lobby":
            await self._remove_reminder(current)
        if standing is not None and await self._poster.bring_up_to_date(row, channel, standing, outgoing):
            await self._rename_post(current)
            # A crash may have come between sending the message and recording it: record it now.
            await self._ctx.store.outbox_sent(row.id, Post(standing, channel.id, current.id, "lobby"))
            return
        if standing is not None and current.status != "lobby":
            await self._ctx.store.outbox_sent(row.id, None)
            return
        if row.draft.user is None and await self._is_forum(current):
            await self._ctx.store.outbox_sent(row.id, await self._post_lobby(row, current, outgoing))
            return
        posted = await self._poster.post(row, channel, outgoing)
        if row.draft.user is None:
            await self._ctx.service.channels.record(current.id, lobby_message=posted.id)
        await self._ctx.store.outbox_sent(row.id, Post(posted.id, posted.channel.id, current.id, "lobby"))

    async def _remove_reminder(self, row: MatchRow) -> None:
        """Delete the reminder of a lobby that has started or closed."""
        for post in await self._ctx.store.posts(row.id, "notice"):
            if post.seq is None:
                channel = self._ctx.discord.client.get_partial_messageable(
                    post.channel, guild_id=row.place.guild
                )
                with contextlib.suppress(discord.HTTPException):  # already deleted, or not allowed
                    await channel.get_partial_message(post.message).delete()

    # --- posts in forums ------------------------------------------------------------------------------

    async def _is_forum(self, match: MatchRow) -> bool:
        """Return whether a lobby without a message is to become a post in a forum."""
        place = match.place
        if place.guild is None or place.thread is not None or match.lobby.message is not None:
            return False
        if match.lobby.use_thread:  # its lobby is a message in the channel
            return False
        return isinstance(await self._channel(place.channel), discord.ForumChannel)

    async def _channel(self, channel: int) -> object:
        return self._ctx.discord.client.get_channel(channel) or await self._ctx.discord.client.fetch_channel(
            channel
        )

    async def _post_lobby(self, row: OutboxRow, match: MatchRow, outgoing: Outgoing) -> Post:
        """Make the post that is a match's lobby, or find it if an earlier try has made it."""
        forum = await self._channel(match.place.channel)
        if not isinstance(forum, discord.ForumChannel):
            raise GoneError
        post = await self._find_post(forum, match) if self._poster.begin(row) else None
        if post is None:
            post = await self._make_post(forum, match, outgoing)
        await self._ctx.service.channels.record(match.id, thread=post, lobby_message=post)
        return Post(post, post, match.id, "lobby")

    async def _rename_post(self, match: MatchRow) -> None:
        """Give the post of a match that has begun the names of its players."""
        post = match.place.thread
        if match.lobby.use_thread or post is None or match.status != "live":
            return
        known = self._ctx.discord.client.get_channel(post)
        name = thread_name(match, await self._ctx.readers.public(match.place.guild))
        if not isinstance(known, discord.Thread) or known.name == name:
            return
        # Names may be changed twice in ten minutes only: a name isn't worth waiting for.
        with contextlib.suppress(discord.HTTPException, discord.RateLimited):
            await known.edit(name=name)

    async def _find_post(self, forum: discord.ForumChannel, match: MatchRow) -> int | None:
        """Return our post whose name ends with the match's id."""
        me = self._ctx.discord.client.user
        for thread in await forum.guild.active_threads():
            ours = me is not None and thread.owner_id == me.id
            if ours and thread.parent_id == forum.id and thread.name.endswith(f" · {match.id}"):
                return thread.id
        return None

    async def _make_post(self, forum: discord.ForumChannel, match: MatchRow, outgoing: Outgoing) -> int:
        reader = await self._ctx.readers.public(match.place.guild)
        fields: dict[str, Any] = outgoing.fields() | {
            "name": thread_name(match, reader),
            "auto_archive_duration": ARCHIVE_AFTER,
        }
        try:
            made = await forum.create_thread(applied_tags=self._tags(forum, match), **fields)
        except discord.HTTPException as error:
            if error.code != _TAG_REQUIRED:
                raise
            # The tags have changed since we were sent them.
            forum = await self._fetched(forum)
            fields |= {"files": outgoing.attachments()}
            made = await forum.create_thread(applied_tags=self._tags(forum, match), **fields)
        return made.thread.id

    def _tags(self, forum: discord.ForumChannel, match: MatchRow) -> Sequence[discord.ForumTag]:
        title = self._ctx.readers.default.say(msg(f"{match.game}.title"))
        moderator = permissions_in(forum, forum.guild.me).manage_threads
        return post_tags(forum, (title, match.game), moderator=moderator) or ()

    async def _fetched(self, forum: discord.ForumChannel) -> discord.ForumChannel:
        known = await self._ctx.discord.client.fetch_channel(forum.id)
        return known if isinstance(known, discord.ForumChannel) else forum
