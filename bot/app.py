"""The Discord client: builds the context, starts its pollers, and ends it.

Start-up work is done once, in `setup_hook`; READY only reads missed messages. An error in an interaction is
logged once, and answered with one sentence. The events of the gateway are in `bot/gateway_events.py`.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import discord
from discord import app_commands

import render
from bot.context import Context, Delivery, Discord, Operation
from bot.gateway_events import GatewayEvents
from bot.inbound import commands, interactions
from bot.inbound.catch_up import CatchUp
from bot.inbound.messages import Inbox
from bot.messages.components import CallButton, CallMenu, CallPeople
from bot.messages.films import Replays
from bot.messages.lessons import taught_games
from bot.messages.names import escaped_text
from bot.messages.operation import new_errors_text
from bot.messages.picture_cache import Pictures
from bot.messages.presenter import Presenter
from bot.outbound.answers import Answers
from bot.outbound.computer_turns import ComputerTurns
from bot.outbound.engine import Publisher
from bot.outbound.kinds.by_type import Kinds
from bot.outbound.posting import Poster
from bot.outbound.showcases import Showcases
from bot.outbound.thread_care import ThreadCare
from bot.platform.config import Config
from bot.platform.corrections import Corrections
from bot.platform.counters import Counters, RequestMeter
from bot.platform.error_reports import ErrorReports, ErrorWebhook, post_text
from bot.platform.maintenance import Maintenance
from bot.platform.members import Members
from bot.platform.permissions import INVITE
from bot.platform.reader_settings import Preferences, Readers
from bot.platform.real_clock import DiscordClock, SystemEntropy
from bot.platform.running_work import ErrorGuard, unless_store_fails
from bot.platform.server_maps import ServerMaps
from bot.platform.shards import Guilds, Shards
from bot.platform.tablebases import find_oracles
from bot.platform.thinkers.pool import WorkerPool
from bot.platform.thinkers.processes import ProcessThinker
from bot.platform.throttle import Throttle
from bot.pollers import Pollers
from games.ai.players_by_level import Levels
from games.engine import registry
from games.engine.game import Fact
from games.engine.match import Match
from games.engine.message import Who, msg
from locales import Catalogue
from matches.clocks.timekeeper import ClockFace
from matches.long_work import in_thread
from matches.ports import Clock, Entropy, Store
from matches.service import MatchService
from matches.store.operation import OutboxState
from matches.store.rows import MatchRow
from matches.thinking.jobs import Thinker
from matches.thinking.thread_thinker import ThreadThinker

log = logging.getLogger(__name__)
OpenStore = Callable[[], Awaitable[Store]]

_NOBODY = discord.AllowedMentions.none()
_RATE_LIMIT_PATIENCE = 30.0


def intents(config: Config) -> discord.Intents:
    """Return the gateway intents that the bot needs, and no others."""
    wanted = discord.Intents.none()
    wanted.guilds = True
    wanted.guild_messages = True
    wanted.dm_messages = True
    wanted.message_content = config.message_content
    return wanted


class Tree(app_commands.CommandTree["Dominium"]):
    """The slash commands; errors are answered and logged."""

    async def interaction_check(self, interaction: discord.Interaction[Dominium], /) -> bool:
        """Return whether a person may use a command; if not, reply why."""
        ctx = interaction.client.context
        try:
            return await interactions.may_act(ctx, interaction)
        except Exception as error:
            if interaction.type is discord.InteractionType.autocomplete:  # it takes no message
                log.exception("what someone may use can't be known")
            else:
                await interactions.report_failure(ctx, interaction, error)
            return False

    async def on_error(
        self, interaction: discord.Interaction[Dominium], error: app_commands.AppCommandError, /
    ) -> None:
        """Answer with one sentence, and log the traceback."""
        await interactions.report_failure(interaction.client.context, interaction, error)


class Dominium(GatewayEvents):
    """The bot. `open_store` is called at the start; the store is closed with the client."""

    invite_permissions = INVITE

    pollers: Pollers
    """Made in `setup_hook`, and started there."""

    def __init__(
        self,
        config: Config,
        open_store: OpenStore,
        *,
        clock: Clock | None = None,
        entropy: Entropy | None = None,
        **options: Any,
    ) -> None:
        """`options` are further ones of the library's client."""
        self._clock: Clock = clock or DiscordClock()
        self.counters = Counters(self._clock.now())
        self.errors = ErrorReports(self._clock)
        self.meter = RequestMeter(self.counters)
        super().__init__(
            intents=intents(config),
            allowed_mentions=_NOBODY,
            max_ratelimit_timeout=_RATE_LIMIT_PATIENCE,
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            http_trace=self.meter.trace(),
            **options,
        )
        self.own_shards = Shards()
        self._beginning = {0}
        self._commands_sent = False
        self.counters.watch("gateway connected", lambda: bool(self.own_shards.heard))
        self.counters.watch("shards served", lambda: len(self.own_shards.held))
        self.counters.watch("shards heard", lambda: len(self.own_shards.heard))
        self.counters.watch("gateway latency", lambda: self.latency)
        self.config = config
        self._guard = ErrorGuard(self, self.counters)
        self.tree = Tree(self, allowed_contexts=commands.CONTEXTS, allowed_installs=commands.INSTALLS)
        self._entropy: Entropy = entropy or SystemEntropy()
        self._open_store = open_store
        self._answers = Answers(self._clock, self.counters)
        self._store: Store | None = None
        self._turns: ComputerTurns
        self._thinker: Thinker | None = None
        self.idle: Callable[[Awaitable[Any]], Awaitable[Any]] = lambda result: result
        """Awaits what comes from outside; a simulated Discord that waits until we rest replaces it."""

    # --- start and stop -------------------------------------------------------------------------------

    async def setup_hook(self) -> None:
        """Open the store, register components, sync the commands if they changed, start the pollers."""
        logging.getLogger().addHandler(self.errors)
        store = self._store = await self._open_store()
        inherited = await store.outbox_begin(self._clock.now())
        self.context = ctx = await self._compose(store)
        await ctx.service.erasures.load()
        self._inbox = Inbox(ctx)
        self._missed = CatchUp(self._inbox)
        poster = Poster(ctx, inherited)
        self._publisher = Publisher(ctx, poster, Kinds(ctx, poster))
        self._publisher.expect(await store.outbox_awaited())
        self._turns = ComputerTurns(ctx, self._publisher, self._guard)
        self._thread_care = ThreadCare(ctx)
        self.add_dynamic_items(CallButton, CallMenu, CallPeople)
        commands.add(self.tree, ctx)
        await in_thread(warm_up, ctx.readers.catalogue, self.config.theme)
        await self._sync_commands()
        self.pollers = Pollers(
            ctx,
            self._guard,
            inbox=self._inbox,
            missed=self._missed,
            publisher=self._publisher,
            turns=self._turns,
            thread_care=self._thread_care,
            answers=self._answers,
            showcases=Showcases(ctx),
            webhook=ErrorWebhook(
                self.config.error_webhook,
                self._clock,
                lambda groups, more: new_errors_text(groups, more, ctx.readers.default),
                post_text,
            ),
            sync_commands=self._sync_commands,
        )
        self.pollers.start()

    async def _sync_commands(self) -> None:
        if not self._commands_sent:
            self._commands_sent = await commands.sync(self.tree, self.context)

    async def _compose(self, store: Store) -> Context:
        preferences = Preferences(store)
        readers = Readers(Catalogue(), self.config, preferences)
        maps = ServerMaps(store)
        levels = Levels(await in_thread(find_oracles, self.config.table_folder))
        self._thinker = self._make_thinker(levels)
        service = MatchService(
            store,
            self._clock,
            self._entropy,
            lobby_life=timedelta(hours=self.config.lobby_hours),
            levels=levels,
            thinker=self._thinker,
            pace=timedelta(seconds=self.config.answer_seconds),
            silence=timedelta(seconds=self.config.silence_seconds),
            before_commit=self._draw_ahead,
            user_settings=lambda user: preferences.get("user", user),
            meter=self.counters,
            support=self.config.support_link,
            escape=escaped_text,
        )
        pictures = Pictures(maps.with_map_images, lambda seconds: self.counters.took("draw", seconds))
        return Context(
            config=self.config,
            clock=self._clock,
            store=store,
            service=service,
            presenter=Presenter(pictures, Replays(maps.with_map_images), levels.judged),
            readers=readers,
            preferences=preferences,
            maps=maps,
            discord=Discord(self, Guilds(self, self.own_shards), Members(self, self._clock)),
            delivery=Delivery(self._send, self._finish, self._sent, self._answers.send, Corrections()),
            operation=Operation(
                self.counters, self.errors, Throttle(self._clock), Maintenance(preferences, self._clock)
            ),
        )

    def _make_thinker(self, levels: Levels) -> Thinker:
        if not self.config.thinkers:
            return ThreadThinker(levels)
        pool = WorkerPool(self.config.thinkers, self.config.table_folder, count=self.counters.add)
        self.counters.watch("computer jobs waiting", lambda: pool.waiting)
        self.counters.watch("computer processes", lambda: len(pool.pids))
        return ProcessThinker(levels, pool, waits=self.idle)

    async def _send(self) -> None:
        await unless_store_fails(self._publisher.drain())

    async def _sent(self, match_id: str) -> None:
        await unless_store_fails(self._publisher.sent(match_id))

    async def _finish(self, match_id: str, row: MatchRow | None = None) -> None:
        await unless_store_fails(self._finish_now(match_id, row))

    async def _finish_now(self, match_id: str, row: MatchRow | None) -> None:
        if row is not None and row.unreachable:
            await self.context.store.outbox_hurry(match_id, self._clock.now())
        await self.context.service.plans.run(match_id)
        await self._publisher.drain()
        self._turns.start(match_id, row)

    def _draw_ahead(
        self, row: MatchRow, match: Match, facts: tuple[Fact, ...], face: ClockFace | None
    ) -> None:
        """Start drawing the public board while its change is being committed."""
        reader = self.context.readers.known_public(row.place.guild)
        if reader is None:
            return
        try:
            self.context.presenter.draw_ahead(match, facts, reader, face)
        except Exception:  # the move counts even if its picture fails
            log.exception("%s: the board can't be drawn ahead", row.id)

    async def outbox_state(self) -> OutboxState | None:
        """Return what waits to be sent; None before the store is open. Raises StoreError."""
        return None if self._store is None else await self._store.outbox_state(self._clock.now())

    async def close(self) -> None:
        """Stop the pollers and the computers, leave Discord, close the store."""
        if hasattr(self, "pollers"):
            self.pollers.stop()
        if hasattr(self, "_turns"):
            await self._turns.close()
        if hasattr(self, "context"):
            await self.context.service.analyses.close()
        if self._thinker is not None:
            await self._thinker.close()
        await super().close()
        if hasattr(self, "context"):
            self.context.presenter.replays.close()
            if hasattr(self, "_inbox"):
                try:
                    await self._inbox.save_marks()
                except Exception:
                    log.exception("the read marks could not be saved")
        logging.getLogger().removeHandler(self.errors)
        if hasattr(self, "context"):
            await unless_store_fails(self.errors.save(self.context.store))
        if self._store is not None:  # also after a start that failed: its thread would keep the process
            await self._store.close()


def warm_up(catalogue: Catalogue, theme: str) -> None:
    """Draw the first board of each game, say a sentence in each language, and try the lessons. Blocks."""
    for game in registry.all_games():
        for language in catalogue.languages:
            say = catalogue.speaker(language)
            say(msg("bot.board.next", n=1, who=(Who(0), Who(1))))
            scene = game.scene(game.view(game.start(game.setup(game.seats[0])).state, None), None)
            render.draw(scene, say, theme=theme)
    taught_games()
