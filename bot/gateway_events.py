"""The events of the gateway: each becomes a call of what handles it.

An error in an event is logged once. The client that takes part in this is made in `bot/app.py`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

import discord

from bot.actions.servers.joined_servers import greet
from bot.context import Context
from bot.inbound import deletions, interactions
from bot.inbound.catch_up import CatchUp
from bot.inbound.messages import Inbox
from bot.messages.components import Call, submitted_form
from bot.outbound.engine import Publisher
from bot.outbound.thread_care import ThreadCare
from bot.platform.counters import Counters, RequestMeter
from bot.platform.running_work import ErrorGuard
from bot.platform.shards import Shards

log = logging.getLogger(__name__)


class GatewayEvents(discord.Client):
    """The events of a client that has one session."""

    context: Context
    """Made in `setup_hook`, as are the next four."""
    _inbox: Inbox
    _missed: CatchUp
    _publisher: Publisher
    _thread_care: ThreadCare
    _guard: ErrorGuard
    counters: Counters
    meter: RequestMeter
    own_shards: Shards
    """Those that this process serves and hears."""
    _connected = False
    """Whether a session has begun before."""
    _beginning: set[int]
    """Shards with a session whose servers are still being sent."""

    async def on_connect(self) -> None:
        """Note that a session has begun, and has missed what was written before."""
        if self._connected:
            self.counters.add("new sessions")
            log.warning("a new session replaces the one before")
        self._connected = True
        self._beginning.add(0)
        self._missed.note_session()

    async def on_disconnect(self) -> None:
        """Note that nothing reaches us: time doesn't count until a session goes on."""
        self.own_shards.lose(self.own_shards.heard)

    async def on_ready(self) -> None:
        """Read the missed messages of a new session. May be called more than once."""
        self._beginning.clear()
        self.own_shards.hear(self.own_shards.held)
        self._thread_care.note_gap()
        log.info("ready", extra={"user": str(self.user), "guilds": len(self.guilds)})
        await self._guard.run_on_store(self._publisher.guilds_back())
        await self._catch_up()
        await self._greet(self.context.discord.guilds.all)

    async def _greet(self, guilds: Iterable[discord.Guild]) -> None:
        """Greet the servers that invited the bot while it was away."""
        for guild in guilds:
            await self._guard.run_on_store(greet(self.context, guild))

    async def on_resumed(self) -> None:
        """Send what is due. A resumed session has replayed what was missed: there is nothing to read."""
        self.own_shards.hear(self.own_shards.held)
        self.counters.add("sessions resumed")
        log.info("the session was resumed")
        await self._catch_up()

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Read the missed messages of a server that was unavailable, or comes late: no event brought them."""
        if self.own_shards.of(guild.id) not in self._beginning:
            self._missed.note_gap(guild.id)
            self._thread_care.note_gap()
            await self._catch_up()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Post what waited for our return to a server, and read what was written there meanwhile.

        That may have been missed is noted first: else the board that is posted would move the read mark.
        """
        self._missed.note_gap(guild.id)
        await self._guard.run_on_store(self._publisher.guilds_back())
        await self.on_guild_available(guild)
        await self._guard.run_on_store(greet(self.context, guild))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Stop sending to a server that we were removed from. An outage of Discord isn't handled here."""
        await self._guard.run_on_store(self._publisher.guild_changed(guild.id))

    async def _catch_up(self) -> None:
        await self._guard.run(self._missed.run())

    async def on_message(self, message: discord.Message) -> None:
        """Handle a new message, after the missed ones of its channel."""
        await self._guard.run(self._missed.receive(message))
        if message.guild is None and not message.author.bot:
            await self._dm_reopened(message.author.id)

    async def _dm_reopened(self, user: int) -> None:
        """Send a person what waited because they took no direct messages."""
        if user in self._publisher.closed_dms:
            await self._guard.run_on_store(self._publisher.dm_reopened(user))

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Reply to the author of an edited move that it stays as it was."""
        await self._guard.run(self._inbox.edited(payload))

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Restore a deleted board that is still needed."""
        await self._guard.run(deletions.messages_deleted(self.context, (payload.message_id,)))

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Restore deleted boards that are still needed."""
        await self._guard.run(deletions.messages_deleted(self.context, payload.message_ids))

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Notify the people of a match in a deleted thread of how to continue."""
        await self._guard.run(deletions.channel_deleted(self.context, payload.thread_id))

    async def on_thread_update(self, before: discord.Thread, after: discord.Thread) -> None:
        """Note that a thread was archived, and send what waited for one to be unlocked."""
        self._thread_care.note_change(before, after)
        if before.locked and not after.locked:
            await self._guard.run_on_store(self._publisher.guild_changed(after.guild.id))

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Notify the people of a match in a deleted channel of how to continue, also of one in its threads.

        For archived threads there is no event: reading the channels of the server finds those that are gone.
        """
        self._missed.note_gap(channel.guild.id)
        await self._guard.run(deletions.channel_deleted(self.context, channel.id))
        await self._catch_up()

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Read what was written in a channel while its rights kept us from hearing it."""
        if before.overwrites != after.overwrites:
            await self._hear_again(after.guild)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Read what was written in a server while a role of ours lacked the right to hear it."""
        if before.permissions != after.permissions:
            await self._hear_again(after.guild)

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """Read what was written in a server while that role may have kept us from hearing it."""
        await self._hear_again(role.guild)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Read what was written in a server while our roles kept us from hearing it, or we were timed out.

        Discord sends us our own roles only, for we don't ask for those of others.
        """
        if before.roles != after.roles or before.timed_out_until != after.timed_out_until:
            await self._hear_again(after.guild)

    async def on_thread_join(self, thread: discord.Thread) -> None:
        """Read what was written in a private thread while we weren't in it; send what waited for a thread.

        The library reports a change of a thread that it doesn't know, as of an archived one, in this way.
        """
        if thread.is_private():
            await self._hear_again(thread.guild)
        elif not thread.archived and not thread.locked:
            await self._guard.run(self._missed.opened(thread.id))
            await self._guard.run_on_store(self._publisher.guild_changed(thread.guild.id))

    async def _hear_again(self, guild: discord.Guild) -> None:
        self._missed.note_gap(guild.id, reported=False)
        await self._guard.run_on_store(self._publisher.guild_changed(guild.id))
        await self._catch_up()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Handle submitted forms, including those shown before a restart. Called for every interaction."""
        self.meter.interaction_came(interaction.id)
        await self._dm_reopened(interaction.user.id)
        call = submitted_form(interaction)
        if call is not None:
            await self.on_component(interaction, call)

    async def on_component(self, interaction: discord.Interaction[Any], call: Call) -> None:
        """Handle a pressed button, a used menu or a submitted form. Called by our components."""
        await interactions.answer_call(self.context, interaction, call)
