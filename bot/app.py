"""The composition root on Discord: the client that builds the context, and turns events into calls with it.

Start-up work is done in `setup_hook`, once; READY and RESUMED only read what was missed. An error in an event
or interaction is logged once, and answered by one kind sentence where somebody waits for an answer.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, TypeVar

import discord
from discord import app_commands
from discord.ext import tasks

from bot.context import Context
from bot.inbound import catch_up, commands, deletions, interactions
from bot.inbound.messages import Inbox
from bot.messages.components import Call, Choose, Press, submitted_form
from bot.messages.pictures import Pictures
from bot.messages.presenter import Presenter
from bot.messages.warm_up import warm_up
from bot.outbound.publisher import Publisher
from bot.platform.clock import DiscordClock, SystemEntropy
from bot.platform.config import Config
from bot.platform.corrections import Corrections
from bot.platform.members import Members
from bot.platform.permissions import INVITE
from bot.platform.preferences import Preferences
from bot.platform.readers import Readers
from bot.platform.server_maps import ServerMaps
from bot.platform.tablebases import find_oracles
from games.ai.levels import Levels
from games.engine.game import Fact
from games.engine.match import Match
from locales import Catalogue
from matches.ports import Clock, Entropy, MatchRow, Store
from matches.service import MatchService

log = logging.getLogger(__name__)
T = TypeVar("T")
OpenStore = Callable[[], Awaitable[Store]]

_NOBODY = discord.AllowedMentions.none()
_RATE_LIMIT_PATIENCE = 30.0


def intents(config: Config) -> discord.Intents:
    """Return what the bot listens to: as little as it needs."""
    wanted = discord.Intents.none()
    wanted.guilds = True
    wanted.guild_messages = True
    wanted.dm_messages = True
    wanted.message_content = config.message_content
    return wanted


class Tree(app_commands.CommandTree["Dominium"]):
    """Slash commands; an error is answered kindly and logged."""

    async def on_error(
        self, interaction: discord.Interaction[Dominium], error: app_commands.AppCommandError, /
    ) -> None:
        """One sentence for the person, the trace for the operator."""
        await interactions.failed(interaction.client.context, interaction, error)


class Dominium(discord.Client):
    """The bot. `open_store` is called at start; the store is closed with the client."""

    invite_permissions = INVITE

    context: Context
    """Made in `setup_hook`."""

    def __init__(
        self,
        config: Config,
        open_store: OpenStore,
        *,
        clock: Clock | None = None,
        entropy: Entropy | None = None,
    ) -> None:
        super().__init__(
            intents=intents(config),
            allowed_mentions=_NOBODY,
            max_ratelimit_timeout=_RATE_LIMIT_PATIENCE,
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
        )
        self.config = config
        self.tree = Tree(self)
        self._clock: Clock = clock or DiscordClock()
        self._entropy: Entropy = entropy or SystemEntropy()
        self._open_store = open_store
        self._inbox: Inbox
        self._publisher: Publisher
        self._catching_up = asyncio.Lock()
        self._gate = asyncio.Event()

    async def idle(self, awaitable: Awaitable[T]) -> T:
        """Wait for something that is nobody's request; a simulated Discord puts its own hook here."""
        return await awaitable

    # --- life -----------------------------------------------------------------------------------------

    async def setup_hook(self) -> None:
        """Open the store, learn the components, send the command list if it changed, start the pollers."""
        started = self._clock.now()
        store = await self._open_store()
        self.context = ctx = await self._compose(store)
        self._inbox = Inbox(ctx)
        self._publisher = Publisher(ctx, started)
        self.add_dynamic_items(Press, Choose)
        commands.add(self.tree, ctx)
        await asyncio.to_thread(warm_up, ctx.readers.catalogue, self.config.theme)
        await self._sync()
        self._poll_outbox.start()
        self._poll_matches.start()

    async def _compose(self, store: Store) -> Context:
        preferences = Preferences(store)
        readers = Readers(Catalogue(), self.config, preferences)
        maps = ServerMaps(store)
        levels = Levels(await asyncio.to_thread(find_oracles, self.config.table_folder))
        service = MatchService(
            store,
            self._clock,
            self._entropy,
            lobby_life=timedelta(hours=self.config.lobby_hours),
            levels=levels,
            foresee=self._foresee,
        )
        return Context(
            config=self.config,
            clock=self._clock,
            store=store,
            service=service,
            presenter=Presenter(Pictures(maps.whole), levels.known),
            readers=readers,
            preferences=preferences,
            maps=maps,
            members=Members(self, self._clock),
            corrections=Corrections(),
            client=self,
            send=self._send,
            deliver=self._deliver,
        )

    async def _send(self) -> None:
        await self._publisher.drain()

    async def _deliver(self, match_id: str, row: MatchRow | None = None) -> None:
        await self._publisher.drain()
        if await self.context.service.computers.run(match_id, row):
            await self._publisher.drain()

    def _foresee(self, row: MatchRow, match: Match, facts: tuple[Fact, ...]) -> None:
        """Have the board that all will see drawn while its change is written down."""
        reader = self.context.readers.known_public(row.place.guild)
        if reader is None:
            return
        try:
            self.context.presenter.foresee(match, facts, reader)
        except Exception:  # the move counts, whatever becomes of its picture
            log.exception("%s: the board can't be drawn ahead", row.id)

    async def _sync(self) -> None:
        """Two hundred creations a day are allowed: the list is sent only when it changed."""
        listed = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        listed.append({"application": self.application_id})
        digest = hashlib.sha256(json.dumps(listed, sort_keys=True).encode()).hexdigest()
        preferences = self.context.preferences
        known = await preferences.get("guild", 0)
        if known.get("commands") == digest and not self.config.always_sync:
            return
        await self.tree.sync()
        await preferences.save("guild", 0, {**known, "commands": digest})

    async def close(self) -> None:
        """Stop the pollers, leave Discord, close the store."""
        self._poll_outbox.cancel()
        self._poll_matches.cancel()
        await super().close()
        if hasattr(self, "context"):
            if hasattr(self, "_inbox"):
                await self._guarded(self._inbox.save_marks())
            await self.context.store.close()

    @tasks.loop(seconds=2)
    async def _poll_outbox(self) -> None:
        """Second tries, and what a crash left."""
        try:
            await self._inbox.save_marks()
            await catch_up.close_gaps(self._inbox)
            await self._publisher.drain()
        except Exception:
            log.exception("the outbox could not be read")

    @tasks.loop(seconds=30)
    async def _poll_matches(self) -> None:
        """Lobbies that end, computers that were to move when the process died."""
        try:
            await self.context.service.housekeeping.tick()
            await self._publisher.drain()
        except Exception:
            log.exception("matches could not be looked after")

    @_poll_outbox.before_loop
    async def _when_ready(self) -> None:
        await self.wait_until_ready()

    @_poll_matches.before_loop
    async def _when_ready_too(self) -> None:
        await self.wait_until_ready()

    # --- events ---------------------------------------------------------------------------------------

    async def on_ready(self) -> None:
        """A new session: read what was missed. May come more than once."""
        log.info("ready", extra={"user": str(self.user), "guilds": len(self.guilds)})
        await self._catch_up()

    async def on_resumed(self) -> None:
        """The session goes on; a gap longer than it covers has been lost."""
        await self._catch_up()

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is back after an outage, or came late: what was written there meanwhile was not told."""
        self._gate.clear()
        await self._catch_up()

    async def on_disconnect(self) -> None:
        """From here on messages may be missed: new ones wait until those are read."""
        self._gate.clear()

    async def _catch_up(self) -> None:
        async with self._catching_up:
            await self._guarded(catch_up.catch_up(self._inbox))
            self._gate.set()

    async def on_message(self, message: discord.Message) -> None:
        """Every message comes in here, missed ones before new ones."""
        if not self._gate.is_set():
            await self.idle(self._gate.wait())
        await self._guarded(self._inbox.receive(message))

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """A move that counted stays as it was, and its author hears so."""
        await self._guarded(self._inbox.edited(payload))

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """A board that is still needed comes back."""
        await self._guarded(deletions.messages_gone(self.context, (payload.message_id,)))

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """The same for many at once."""
        await self._guarded(deletions.messages_gone(self.context, payload.message_ids))

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A match's thread is gone: nothing is lost, its people hear how to go on."""
        await self._guarded(deletions.place_gone(self.context, payload.thread_id))

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """The same for a channel."""
        await self._guarded(deletions.place_gone(self.context, channel.id))

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Submitted forms, those shown before a restart too."""
        call = submitted_form(interaction)
        if call is not None:
            await self.on_component(interaction, call)

    async def on_component(self, interaction: discord.Interaction[Any], call: Call) -> None:
        """A pressed button, a used menu or a submitted form; our components call it."""
        await interactions.answer_call(self.context, interaction, call)

    async def _guarded(self, work: Awaitable[None]) -> None:
        try:
            await work
        except Exception:
            log.exception("an event could not be handled")
