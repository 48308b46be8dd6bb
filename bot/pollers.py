"""What is done from time to time, whether or not anything happens: one task for each kind of work.

They start with the client, and wait until it is ready for the first time.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Final

from discord.ext import tasks

from bot.actions.people.erasures import finish_erasures
from bot.context import Context
from bot.inbound.catch_up import CatchUp
from bot.inbound.messages import Inbox
from bot.outbound.answers import Answers
from bot.outbound.computer_turns import ComputerTurns
from bot.outbound.engine import Publisher
from bot.outbound.showcases import Showcases
from bot.outbound.thread_care import ThreadCare
from bot.outbound.tournaments import keep_current
from bot.platform.error_reports import ErrorWebhook
from bot.platform.running_work import ErrorGuard

log = logging.getLogger(__name__)
_LAID_ASIDE: Final = timedelta(days=30)
"""How long a message that can't be sent is kept."""


class Pollers:
    """The tasks of one client. What is done once for all servers is left to the process that leads."""

    def __init__(
        self,
        ctx: Context,
        guard: ErrorGuard,
        *,
        inbox: Inbox,
        missed: CatchUp,
        publisher: Publisher,
        turns: ComputerTurns,
        thread_care: ThreadCare,
        answers: Answers,
        showcases: Showcases,
        webhook: ErrorWebhook,
        sync_commands: Callable[[], Awaitable[None]],
    ) -> None:
        self._ctx = ctx
        self._guard = guard
        self._inbox = inbox
        self._missed = missed
        self._publisher = publisher
        self._turns = turns
        self._thread_care = thread_care
        self._answers = answers
        self._showcases = showcases
        self._webhook = webhook
        self._sync_commands = sync_commands
        self._shards = ctx.discord.guilds.shards

    @property
    def all(self) -> tuple[tasks.Loop[Any], ...]:
        """All tasks."""
        return (
            self.outbox,
            self.gaps,
            self.answers,
            self.matches,
            self.erasures,
            self.servers,
            self.threads,
            self.clocks,
            self.pings,
            self.follows,
            self.showcases,
            self.tournaments,
            self.commands,
            self.errors,
            self.counts,
        )

    def start(self) -> None:
        """Start all tasks."""
        for task in self.all:
            task.start()

    def stop(self) -> None:
        """Stop all tasks."""
        for task in self.all:
            task.cancel()

    @tasks.loop(seconds=2)
    async def outbox(self) -> None:
        """Handle waiting messages, save read marks, send what failed or a crash left behind."""
        with self._ctx.operation.counters.sweep("outbox"):
            await self._guard.run_on_store(self._inbox.try_again())
            self._missed.note_heard()
            await self._guard.run_on_store(self._inbox.save_marks())
            await self._guard.run_on_store(self._publisher.drain())

    @tasks.loop(seconds=2)
    async def gaps(self) -> None:
        """Read the channels that Discord failed to deliver."""
        await self._guard.run(self._missed.retry())

    @tasks.loop(seconds=2)
    async def answers(self) -> None:
        """Send the answers that Discord didn't take before."""
        await self._guard.run(self._answers.try_again())

    @tasks.loop(seconds=30)
    async def matches(self) -> None:
        """Expire lobbies, and run computers that were to move when the process died."""
        try:
            with self._ctx.operation.counters.sweep("matches"):
                if self._shards.leads:
                    await self._ctx.service.housekeeping.tick(computers=False)
                for match_id in await self._ctx.service.computers.waiting(self._ctx.discord.guilds.serves):
                    self._turns.start(match_id)
                await self._publisher.drain()
        except Exception:
            log.exception("matches could not be looked after")

    @tasks.loop(seconds=60)
    async def erasures(self) -> None:
        """Finish forgetting people whom a crash has interrupted, and clean the database after them."""
        if self._shards.leads:
            await self._guard.run_on_store(finish_erasures(self._ctx))

    @tasks.loop(hours=1)
    async def servers(self) -> None:
        """Forget servers that the bot left long ago, and messages that can't be sent."""
        await self._guard.run_on_store(forget_what_is_over(self._ctx))

    @tasks.loop(seconds=60)
    async def threads(self) -> None:
        """Open threads of live matches that time has archived, and archive those of finished ones."""
        with self._ctx.operation.counters.sweep("threads"):
            await self._guard.run_on_store(self._thread_care.tick())

    @tasks.loop(seconds=10)
    async def clocks(self) -> None:
        """Look after the clocks of matches while people can play: while they reach us, and we reach them."""
        if self._shards.heard and not self._publisher.discord_is_down:
            with self._ctx.operation.counters.sweep("clocks"):
                await self._guard.run_on_store(sweep(self._ctx))

    @tasks.loop(seconds=30)
    async def pings(self) -> None:
        """Send the pings, reminders and digests that are due."""
        with self._ctx.operation.counters.sweep("pings"):
            if self._shards.leads:
                await self._guard.run_on_store(self._ctx.service.pings.tick())
            await self._guard.run_on_store(self._publisher.drain())

    @tasks.loop(seconds=15)
    async def follows(self) -> None:
        """Notify people about the matches that they follow."""
        if self._shards.leads:
            await self._guard.run_on_store(self._ctx.service.follows.tick())
        await self._guard.run_on_store(self._publisher.drain())

    @tasks.loop(seconds=15)
    async def showcases(self) -> None:
        """Bring the lists of live matches up to date."""
        await self._guard.run_on_store(self._showcases.tick())

    @tasks.loop(seconds=15)
    async def tournaments(self) -> None:
        """Pair tournaments, start their matches, and bring their messages up to date."""
        with self._ctx.operation.counters.sweep("tournaments"):
            if self._shards.leads:
                await self._guard.run_on_store(run_tournaments(self._ctx))
            await self._guard.run_on_store(keep_current(self._ctx))

    @tasks.loop(minutes=10)
    async def commands(self) -> None:
        """Send the list of commands again, until Discord has taken it."""
        await self._guard.run_on_store(self._sync_commands())

    @tasks.loop(seconds=30)
    async def errors(self) -> None:
        """Store the unexpected errors, and notify operators of new ones if they want that."""
        await self._guard.run_on_store(self._ctx.operation.errors.save(self._ctx.store))
        if self._shards.leads:
            await self._guard.run_on_store(self._webhook.tick(self._ctx.store))

    @tasks.loop(hours=24)
    async def counts(self) -> None:
        """Log once a day what was counted since."""
        if new := self._ctx.operation.counters.take_new():
            log.info("counted since the last report", extra={"counts": json.dumps(new)})

    @outbox.before_loop
    @gaps.before_loop
    @answers.before_loop
    @matches.before_loop
    @erasures.before_loop
    @servers.before_loop
    @threads.before_loop
    @clocks.before_loop
    @pings.before_loop
    @follows.before_loop
    @showcases.before_loop
    @tournaments.before_loop
    @commands.before_loop
    @errors.before_loop
    async def _when_ready(self) -> None:
        await self._shards.serving.wait()


async def sweep(ctx: Context) -> None:
    """Note where people can't play; beat, do what the clocks of all matches make due, and deliver it.

    Call it only while people can play: a silence between two beats is given back to all clocks.
    """
    shards = ctx.discord.guilds.shards
    if shards.settled:  # before that, what isn't known isn't away
        await ctx.service.heartbeat.note_away(
            [guild.id for guild in ctx.discord.guilds.all if guild.unavailable]
        )
    if not shards.leads:
        return
    await ctx.service.heartbeat.beat(None)
    for played in await ctx.service.time_up.tick():
        await ctx.delivery.finish(played.row.id, played.row)


async def run_tournaments(ctx: Context) -> None:
    """Pair tournaments, and start and deliver their matches."""
    for row in await ctx.service.tournaments.tick():
        await ctx.delivery.finish(row.id, row)


async def forget_what_is_over(ctx: Context) -> None:
    """Forget what has been over for long."""
    await ctx.store.outbox_forget(ctx.clock.now() - _LAID_ASIDE)
    await forget_departed(ctx)


async def forget_departed(ctx: Context) -> None:
    """Note which servers the bot has left, and forget those that it left long ago.

    A server that Discord can't reach now isn't left: the library knows it all the same.
    """
    if not ctx.config.forget_servers_days or not ctx.discord.guilds.shards.settled:
        return
    after, now = timedelta(days=ctx.config.forget_servers_days), ctx.clock.now()
    for each in await ctx.store.note_servers({guild.id for guild in ctx.discord.guilds.all}, now):
        if now - each.since >= after:
            await ctx.store.forget_server(each.guild)
            ctx.preferences.forget("guild", each.guild)
            log.info("a server that was left is forgotten", extra={"guild": each.guild})
