"""Let computers move in the background, and send their moves: one task for each match.

Nobody waits for a computer but those who play with it. While it thinks, the match's channel shows that the
bot is typing. If too many matches wait for their computers, people are notified once, and the poller tries
again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging

import aiohttp
import discord

from bot.context import Context
from bot.outbound.engine import Publisher
from bot.platform.recent import RecentKeys
from bot.platform.running_work import ErrorGuard
from games.engine.message import msg
from matches.results import Played
from matches.store.rows import MatchRow
from matches.thinking.jobs import BusyError

log = logging.getLogger(__name__)

_TYPING_AFTER = 1.0
"""Seconds that a computer may think unseen."""
_TYPING_AGAIN = 8.0
"""Seconds until typing is shown again: Discord shows it for ten."""
_FAILURES = (discord.DiscordException, OSError, aiohttp.ClientError)


class ComputerTurns:
    """Runs the computers of matches."""

    def __init__(self, ctx: Context, publisher: Publisher, guard: ErrorGuard) -> None:
        self._ctx = ctx
        self._publisher = publisher
        self._guard = guard
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._looks: dict[str, asyncio.Task[None]] = {}
        """The coach's work, which no computer waits for."""
        self._again: set[str] = set()
        """Matches that have changed since their computers were run, which still goes on."""
        self._notified: RecentKeys[tuple[str, int]] = RecentKeys(1024)
        """Matches and entries after which people were notified that their computer has to wait."""
        self._closed = False

    def start(self, match_id: str, row: MatchRow | None = None) -> None:
        """Let the computers of a match move, if it is their turn. `row` is its row if it was just read."""
        if self._closed or (row is not None and all(seat.occupant != "computer" for seat in row.seats)):
            return
        if match_id in self._tasks:
            self._again.add(match_id)
            return
        work = self._guard.run_on_store(self._play(match_id, row))
        self._tasks[match_id] = task = asyncio.create_task(work, name=f"computers of {match_id}")
        task.add_done_callback(lambda _: self._end(match_id))

    def _end(self, match_id: str) -> None:
        del self._tasks[match_id]
        if match_id in self._again:
            self.start(match_id)

    async def close(self) -> None:
        """End all tasks. What the computers have to do is done after the next start."""
        self._closed = True
        tasks = (*self._tasks.values(), *self._looks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self, match_id: str, row: MatchRow | None) -> None:
        if not await self._is_ours(match_id, row):
            return
        more = True
        while more:
            self._again.discard(match_id)
            played = await self._run(match_id, row)
            planned = bool(played) and bool(await self._ctx.service.plans.run(match_id))
            if played:
                await self._publisher.drain()
            more, row = planned or match_id in self._again, None
        self._look(match_id)

    def _look(self, match_id: str) -> None:
        """Let the coach judge what its person has played, once the computers have answered."""
        if self._closed or match_id in self._looks:
            return
        work = self._guard.run_on_store(self._coach(match_id))
        self._looks[match_id] = task = asyncio.create_task(work, name=f"coach of {match_id}")
        task.add_done_callback(lambda _: self._looks.pop(match_id, None))

    async def _coach(self, match_id: str) -> None:
        if await self._ctx.service.coach.look(match_id) is not None:
            await self._publisher.drain()

    async def _is_ours(self, match_id: str, row: MatchRow | None) -> bool:
        """Return whether this process lets the computers of a match move."""
        guilds = self._ctx.discord.guilds
        if guilds.shards.count > 1 and row is None:
            row = await self._ctx.service.queries.row(match_id)
        return row is None or guilds.serves(row.place.guild)

    async def _run(self, match_id: str, row: MatchRow | None) -> tuple[Played, ...]:
        typing = asyncio.create_task(self._show_typing(match_id))
        try:
            return await self._ctx.service.computers.run(match_id, row)
        except BusyError:
            await self._notify_busy(match_id)
            return ()
        finally:
            typing.cancel()

    async def _show_typing(self, match_id: str) -> None:
        """Show that the bot is typing in the channel of a match, once that takes long."""
        await asyncio.sleep(_TYPING_AFTER)
        with contextlib.suppress(*_FAILURES):  # it is worth no second try, and nobody's time
            row = await self._ctx.service.queries.row(match_id)
            while row is not None and not row.unreachable:
                await self._place(row).typing()
                await asyncio.sleep(_TYPING_AGAIN)

    async def _notify_busy(self, match_id: str) -> None:
        """Notify the people of a match, once for a turn, that its computer has to wait for others."""
        row = await self._ctx.service.queries.row(match_id)
        if row is None or row.unreachable or not self._notified.add((match_id, row.version)):
            return
        reader = await self._ctx.readers.public(row.place.guild)
        try:
            await self._place(row).send(reader.say(msg("bot.computer.busy")), silent=True)
        except _FAILURES as error:
            log.info(
                "nobody was notified that a computer waits", extra={"match": match_id, "error": repr(error)}
            )

    def _place(self, row: MatchRow) -> discord.PartialMessageable:
        return self._ctx.discord.client.get_partial_messageable(row.place.home, guild_id=row.place.guild)
