"""The composition root on Discord: one client that holds clock, store, service, presenter and publisher.

Start-up work is done in `setup_hook`, once; READY and RESUMED only read what was missed. An error in
an event or interaction is logged once, and answered by one kind sentence where somebody waits for an answer.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any, TypeVar

import discord
from discord import app_commands
from discord.ext import tasks

import render
from bot import catchup, commands, deletions, doors, present
from bot.answers import private
from bot.clock import DiscordClock, SystemEntropy
from bot.components import HANDLERS, Call, Choose, Press, asked
from bot.config import Config
from bot.maps import ServerMaps
from bot.permissions import INVITE
from bot.preferences import Preferences
from bot.presenter import Outgoing, Presenter, Reader
from bot.publisher import Publisher
from bot.tables import find_oracles
from games.ai.levels import Levels
from games.engine.game import Fact, Seat
from games.engine.match import Match
from games.engine.message import msg
from locales import Catalogue
from matches.ports import Clock, Entropy, MatchRow, Store
from matches.service import MatchService

log = logging.getLogger(__name__)
T = TypeVar("T")
OpenStore = Callable[[], Awaitable[Store]]

_NOBODY = discord.AllowedMentions.none()
_RATE_LIMIT_PATIENCE = 30.0


def intents(config: Config) -> discord.Intents:
    """What the bot listens to: as little as it needs."""
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
        await interaction.client.failed(interaction, error)


class Dominium(discord.Client):
    """The bot. `open_store` is called at start; the store is closed with the client."""

    invite_permissions = INVITE

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
        self.clock: Clock = clock or DiscordClock()
        self.entropy: Entropy = entropy or SystemEntropy()
        self.catalogue = Catalogue()
        self.presenter = Presenter(self.catalogue)
        self.tree = Tree(self)
        self.publisher = Publisher(self)
        self.store: Store
        self.preferences: Preferences
        self.maps: ServerMaps
        self.service: MatchService
        self.started: datetime
        self.handled: present.Recent[int] = present.Recent(4096)
        self.members: present.Recent[tuple[int, int, int]] = present.Recent(1024)
        self.marks = catchup.ReadMarks()
        self.regretted: present.Recent[tuple[str, int]] = present.Recent(1024)
        self._open_store = open_store
        self._catching_up = asyncio.Lock()
        self._gate = asyncio.Event()

    async def idle(self, awaitable: Awaitable[T]) -> T:
        """Wait for something that is nobody's request; a simulated Discord puts its own hook here."""
        return await awaitable

    # --- life -----------------------------------------------------------------------------------------

    async def setup_hook(self) -> None:
        """Open the store, learn the components, send the command list if it changed, start the pollers."""
        self.started = self.clock.now()
        self.store = await self._open_store()
        self.preferences = Preferences(self.store)
        self.maps = ServerMaps(self.store)
        self.presenter.studio.fetch = self.maps.whole
        levels = Levels(await asyncio.to_thread(find_oracles, self.config.table_folder))
        self.presenter.analysed = levels.known
        self.service = MatchService(
            self.store,
            self.clock,
            self.entropy,
            lobby_life=timedelta(hours=self.config.lobby_hours),
            levels=levels,
            foresee=self._foresee,
        )
        self.add_dynamic_items(Press, Choose)
        commands.add(self)
        await asyncio.to_thread(present.warm_up, self.presenter, self.config.theme)
        await self._sync()
        self._poll_outbox.start()
        self._poll_matches.start()

    async def _sync(self) -> None:
        """Two hundred creations a day are allowed: the list is sent only when it changed."""
        listed = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        listed.append({"application": self.application_id})
        digest = hashlib.sha256(json.dumps(listed, sort_keys=True).encode()).hexdigest()
        known = await self.preferences.get("guild", 0)
        if known.get("commands") == digest and not self.config.always_sync:
            return
        await self.tree.sync()
        await self.preferences.save("guild", 0, {**known, "commands": digest})

    async def close(self) -> None:
        """Stop the pollers, leave Discord, close the store."""
        self._poll_outbox.cancel()
        self._poll_matches.cancel()
        await super().close()
        if hasattr(self, "store"):
            await self.store.close()

    @tasks.loop(seconds=2)
    async def _poll_outbox(self) -> None:
        """Second tries, and what a crash left."""
        try:
            await catchup.close_gaps(self)
            await self.publisher.drain()
        except Exception:
            log.exception("the outbox could not be read")

    @tasks.loop(seconds=30)
    async def _poll_matches(self) -> None:
        """Lobbies that end, computers that were to move when the process died."""
        try:
            await self.service.tick()
            await self.publisher.drain()
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

    async def on_disconnect(self) -> None:
        """From here on messages may be missed: new ones wait until those are read."""
        self._gate.clear()

    async def _catch_up(self) -> None:
        async with self._catching_up:
            await self._guarded(catchup.catch_up(self))
            self._gate.set()

    async def on_message(self, message: discord.Message) -> None:
        """Every message goes through one entry, missed ones before new ones."""
        if not self._gate.is_set():
            await self.idle(self._gate.wait())
        await self._guarded(doors.receive(self, message))

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """A move that counted stays as it was, and its author hears so."""
        await self._guarded(doors.edited(self, payload))

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """A board that is still needed comes back."""
        await self._guarded(deletions.messages_gone(self, (payload.message_id,)))

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """The same for many at once."""
        await self._guarded(deletions.messages_gone(self, payload.message_ids))

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A match's thread is gone: nothing is lost, its people hear how to go on."""
        await self._guarded(deletions.place_gone(self, payload.thread_id))

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """The same for a channel."""
        await self._guarded(deletions.place_gone(self, channel.id))

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Submitted forms, those shown before a restart too."""
        call = asked(interaction)
        if call is not None:
            await self.answer_call(interaction, call)

    async def _guarded(self, work: Awaitable[None]) -> None:
        try:
            await work
        except Exception:
            log.exception("an event could not be handled")

    async def answer_call(self, interaction: discord.Interaction[Any], call: Call) -> None:
        """A pressed button, a used menu or a submitted form."""
        handler = HANDLERS.get(call.verb)
        try:
            if handler is None:
                reader = await self.reader_of(interaction)
                await private(
                    interaction, Outgoing(self.presenter.say(msg("bot.error.old"), reader.language))
                )
                return
            await handler(self, interaction, call)
        except Exception as error:
            await self.failed(interaction, error)

    async def failed(self, interaction: discord.Interaction[Any], error: Exception) -> None:
        """We erred: say so in one sentence, keep the trace."""
        origin = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        if isinstance(origin, discord.NotFound) and origin.code == 10062:
            log.warning("an interaction was answered too late", extra={"interaction": interaction.id})
            return
        log.error("an interaction failed", exc_info=origin, extra={"interaction": interaction.id})
        try:
            text = self.presenter.say(msg("bot.error.ours"), self.config.language)
            await private(interaction, Outgoing(text))
        except discord.HTTPException:
            log.warning("and could not be answered", extra={"interaction": interaction.id})

    # --- readers --------------------------------------------------------------------------------------

    def _theme(self, name: object) -> str:
        return str(name) if name in render.THEMES else self.config.theme

    def _language(self, *wished: object) -> str:
        for wish in wished:
            if wish and (language := self.catalogue.language(str(wish))) is not None:
                return language
        return self.config.language

    def _foresee(self, row: MatchRow, match: Match, facts: tuple[Fact, ...]) -> None:
        """Have the board that all will see drawn while its change is written down."""
        made = self.preferences.known("guild", row.place.guild) if row.place.guild else {}
        if made is None:
            return
        reader = Reader(self._language(made.get("language")), self._theme(made.get("theme")))
        try:
            self.presenter.foresee(match, facts, reader)
        except Exception:  # the move counts, whatever becomes of its picture
            log.exception("%s: the board can't be drawn ahead", row.id)

    async def public_reader(self, guild: int | None) -> Reader:
        """How boards look that everybody in a server sees."""
        made = await self.preferences.get("guild", guild) if guild else {}
        return Reader(self._language(made.get("language")), self._theme(made.get("theme")))

    async def reader(self, user: int, locale: str | None, seat: Seat | None) -> Reader:
        """How one person reads in private."""
        made = await self.preferences.get("user", user)
        return Reader(
            self._language(made.get("language"), locale),
            self._theme(made.get("theme")),
            made.get("board") == "text",
            seat,
        )

    async def reader_of(self, interaction: discord.Interaction[Any], seat: Seat | None = None) -> Reader:
        """How the person of an interaction reads."""
        return await self.reader(interaction.user.id, str(interaction.locale), seat)

    # --- looks at matches -----------------------------------------------------------------------------

    async def present(self, match_id: str) -> tuple[Match, tuple[Fact, ...]]:
        """A match as it stands, and what its last change was. LookupError if there is none."""
        return await self.service.present(match_id)

    async def note_about_missing(self, row: MatchRow, match: Match, reader: Reader) -> str:
        """A line when the player to move has left the server."""
        return await present.note_about_missing(self, row, match, reader)

    def record_file(self, row: MatchRow, match: Match) -> tuple[tuple[str, bytes, str], ...]:
        """The text record of a finished match, to hang on its last board."""
        return present.record_file(self, row, match)

    async def after(self, match_id: str) -> None:
        """What follows a change: computers move, and everything is sent."""
        await self.publisher.drain()
        if await self.service.run_computers(match_id):
            await self.publisher.drain()
