"""The client of a bot with several shards, in one process or in several that share a PostgreSQL database.

With several processes each keeps the leases of some shards (`storage.postgres.shard_leases`) and has the
sessions of these: it begins one when it gets the lease, and ends it before it gives the lease back. So what
people do in a server reaches one process at a time, and what was written in between is read afterwards.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Collection, Coroutine, Iterable, Mapping
from datetime import timedelta
from typing import Any, Final, Protocol

import discord
from yarl import URL

from bot.app import Dominium, OpenStore
from bot.platform.config import Config
from bot.platform.running_work import InProgress, unless_store_fails
from matches.ports import StoreError

log = logging.getLogger(__name__)

LOOK_EVERY = 1.5
"""Seconds between renewals of the leases, at most."""
MARGIN = 1.5
"""Seconds before the end of a lease from which nothing is sent."""
_FINISH_WITHIN: Final = 5.0
"""Seconds for what has begun in a shard to end before it is given back."""


class RenewedLeases(Protocol):
    """What a renewal of leases has brought."""

    @property
    def held(self) -> frozenset[int]:
        """The shards that this process serves now."""

    @property
    def asked(self) -> frozenset[int]:
        """Those of them that another process asks for."""

    @property
    def taken(self) -> Mapping[int, float]:
        """Those that it has just taken, each with the seconds for which nobody served it."""

    @property
    def others(self) -> float:
        """For how many seconds another process has been living; 0 if none does."""


class Leases(Protocol):
    """The leases of shards of one process; a store has them if several processes share it."""

    seconds: float
    """How long a lease lasts that isn't renewed."""

    async def agree(self, count: int, *, exact: bool = True) -> int:
        """Make `count` the number of shards, and return it.

        If other processes use another number, that is returned; StoreError if it has to be `exact`.
        """

    async def renew(self, prefers: Collection[int], give_back: Collection[int] = ()) -> RenewedLeases:
        """Renew the leases, give some back, take what is free, and ask for what is preferred."""

    async def note_silence(self, shard: int, start: int, end: int) -> None:
        """Record that nobody could play in the servers of a shard; `start` and `end` in milliseconds."""

    async def turn_to_identify(self, bucket: int) -> float:
        """Return the seconds to wait before a session may be begun: one after another in each bucket."""

    async def leave(self) -> None:
        """Give back all leases, as this process ends."""


class ShardedDominium(Dominium, discord.AutoShardedClient):
    """A bot with several shards."""

    def __init__(self, config: Config, open_store: OpenStore, **options: Any) -> None:
        super().__init__(config, open_store, shard_count=config.shards or None, **options)
        self._beginning.clear()
        self._leases: Leases | None = None
        self._prefers: set[int] = set()
        self._handing_back: set[int] = set()
        """Shards whose sessions are being ended, as another process asks for them."""
        self._given_back: set[int] = set()
        """Shards whose sessions have ended, and whose leases are given back with the next renewal."""
        self._begun: set[int] = set()
        """Shards that have a session."""
        self._before: dict[int, dict[int, discord.Guild]] = {}
        """The servers of a shard before its session was lost."""
        self._handled: defaultdict[int, InProgress] = defaultdict(InProgress)
        """The messages of each shard that are being handled."""
        self._left: set[int] = set()
        """Shards whose messages were left to others."""
        self._hurry = asyncio.Event()
        self._buckets = 1
        self._gateway = URL()
        self._to_launch: asyncio.Queue[int] = asyncio.Queue()
        self._launched = False
        """Whether a session has been begun before."""
        self._tasks: set[asyncio.Task[None]] = set()

    # --- leases ---------------------------------------------------------------------------------------

    async def setup_hook(self) -> None:
        """Find the number of shards, and hear what other processes change."""
        await super().setup_hook()
        store = self.context.store
        self._leases = getattr(store, "leases", None)
        if (news := getattr(store, "news", None)) is not None:
            news.start(self._heard)

    async def launch_shards(self) -> None:
        """Begin the sessions. Called by the library, once."""
        count, url, limits = await self.http.get_bot_gateway()
        self._buckets = max(1, int(limits.get("max_concurrency", 1)))
        self.shard_count = self._connection.shard_count = self.config.shards or count
        self._gateway = URL(url)
        self._start(self._launch())
        if self._leases is None:
            self.own_shards.begin(self.shard_count, range(self.shard_count))
            self._begin(range(self.shard_count))
            return
        count = await self._leases.agree(self.shard_count, exact=bool(self.config.shards))
        self.shard_count = self._connection.shard_count = count
        self.own_shards.begin(count, ())
        self._prefers = self.config.own_shards(count)
        if not self._prefers:  # there is nothing to be heard of before others end
            self.own_shards.serving.set()
        await self._renew(self._leases)
        self._start(self._keep(self._leases))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something go on in the background until it or the client ends."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _keep(self, leases: Leases) -> None:
        while not self.is_closed():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY):
                    await self._hurry.wait()
            self._hurry.clear()
            await self._guard.run(self._renew(leases))

    async def _renew(self, leases: Leases) -> None:
        begun, given = self.own_shards.now(), frozenset(self._given_back)
        try:
            turn = await leases.renew(self._prefers, given)
        except StoreError as error:
            log.warning("the leases of shards aren't renewed", extra={"error": str(error)})
            if self.own_shards.overdue > leases.seconds:
                await self._lose(frozenset(self._begun))  # others may have them by now, and answer
            return
        self._given_back -= given
        lost, late = self.own_shards.held - turn.held - given, not self.own_shards.in_time
        self.own_shards.renewed(turn.held, begun + leases.seconds - MARGIN)
        for shard in turn.held & self._left:
            self._missed.note_session(shard)  # before any new message of it
            self._start(self._catch_up())
        self._left.clear()
        if lost or turn.taken:
            log.info("shards", extra={"held": sorted(turn.held), "lost": sorted(lost)})
            self._publisher.share()
            self.context.service.computers.look_again()
            self.context.service.plans.look_again()
        if late:
            self._start(self._guard.run_on_store(self._publisher.drain()))  # what had to wait
        await self._lose(lost)
        for shard, seconds in turn.taken.items():
            await unless_store_fails(self._note_silence(leases, shard, min(seconds, turn.others)))
        self._begin(turn.held - self._begun - self._handing_back - self._given_back)
        for shard in turn.asked - self._handing_back - self._given_back:
            self._prefers.discard(shard)
            self._handing_back.add(shard)
            self._start(self._hand_back(shard))

    async def _lose(self, shards: Collection[int]) -> None:
        """End the sessions of shards that others may serve: what isn't done there is theirs to do."""
        for shard in shards:
            await self._end(shard)
        self._inbox.leave(lambda guild: self.own_shards.of(guild) in shards)

    async def _note_silence(self, leases: Leases, shard: int, seconds: float) -> None:
        """Give back to clocks the time for which nobody served a shard, though a process was there.

        The time in which there was none is given back to all matches, by the heartbeat.
        """
        if seconds <= self.config.silence_seconds:
            return
        now = self.context.clock.now()
        since = now - timedelta(seconds=seconds)
        await leases.note_silence(shard, int(since.timestamp() * 1000), int(now.timestamp() * 1000))
        self.context.service.heartbeat.look_again()

    async def _hand_back(self, shard: int) -> None:
        """End a session, let what has begun come to an end, and give the lease back."""
        await self._end(shard)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FINISH_WITHIN):
                await self._handled[shard].ended()
                await self._publisher.sending.ended()
        await self._guard.run_on_store(self._inbox.save_marks())
        self._given_back.add(shard)
        self._handing_back.discard(shard)
        self._hurry.set()

    def _begin(self, shards: Iterable[int]) -> None:
        """Begin sessions in the background, one after the other: each may have to wait for its turn."""
        self._begun.update(shards)
        self._connection.shard_ids = sorted(self._begun)
        for shard in sorted(shards):
            self._to_launch.put_nowait(shard)

    async def _launch(self) -> None:
        while True:
            shard = await self._to_launch.get()
            if shard in self._begun:
                log.info("a session begins", extra={"shard": shard})
                await self.launch_shard(self._gateway, shard, initial=not self._launched)
                self._launched = True
            if shard not in self._begun:  # its lease has ended meanwhile
                await self._end(shard)

    async def _end(self, shard: int) -> None:
        self._begun.discard(shard)
        self.own_shards.lose((shard,))
        self._connection.shard_ids = sorted(self._begun)
        if (session := self.get_shard(shard)) is not None:
            await session.disconnect()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a session may be begun: Discord lets one begin every five seconds, or a few."""
        if self._leases is None:
            await super().before_identify_hook(shard_id, initial=initial)
        else:
            await asyncio.sleep(await self._leases.turn_to_identify((shard_id or 0) % self._buckets))

    async def close(self) -> None:
        """Leave Discord, and give back what other processes can take over."""
        for task in tuple(self._tasks):
            task.cancel()
        if self._leases is not None and not self.is_closed():
            await unless_store_fails(self._give_all_back(self._leases))
        await super().close()

    async def _give_all_back(self, leases: Leases) -> None:
        for shard in tuple(self._begun):
            await self._end(shard)
        if hasattr(self, "_inbox"):
            await self._inbox.save_marks()
        await leases.leave()
        self.own_shards.renewed((), self.own_shards.now())

    # --- news of other processes ----------------------------------------------------------------------

    def _heard(self, topic: str, key: str) -> None:
        """Take note of what another process has changed; of all, if some of it may not have been heard."""
        ctx = self.context
        if topic == "shards":
            self._hurry.set()
        elif topic == "match":
            self._start(self._guard.run_on_store(self._changed(key)))
        elif topic == "plans":
            ctx.service.plans.look_again(key)
        elif topic == "settings":
            scope, _, owner = key.partition(":")
            ctx.preferences.forget("guild" if scope == "guild" else "user", int(owner))
        elif topic == "clocks":
            ctx.service.heartbeat.look_again()
        elif topic == "erasures":
            self._start(self._guard.run_on_store(ctx.service.erasures.load()))
        elif topic == "maps":
            ctx.maps.forget()
        elif topic == "parked":
            self._publisher.expect([key])
        elif not topic:
            self._start(self._guard.run_on_store(self._may_have_missed()))

    async def _changed(self, match_id: str) -> None:
        """Send the messages of a match that another process has changed, and let its computers move."""
        self.context.service.plans.look_again(match_id)
        row = await self.context.service.queries.row(match_id)
        if row is not None and self.context.discord.guilds.serves(row.place.guild):
            await self._finish(match_id, row)

    async def _may_have_missed(self) -> None:
        ctx = self.context
        ctx.preferences.forget_all()
        ctx.maps.forget()
        ctx.service.heartbeat.look_again()
        ctx.service.computers.look_again()
        ctx.service.plans.look_again()
        await ctx.service.erasures.load()
        self._publisher.expect(await ctx.store.outbox_awaited())

    # --- sessions -------------------------------------------------------------------------------------

    async def on_connect(self) -> None:
        """Do nothing: each session has its own event."""

    async def on_disconnect(self) -> None:
        """Do nothing: each session has its own event."""

    async def on_ready(self) -> None:
        """Do nothing: each session has its own event."""

    async def on_resumed(self) -> None:
        """Do nothing: each session has its own event."""

    async def on_shard_connect(self, shard: int) -> None:
        """Note that a session has begun, and has missed what was written before."""
        if shard not in self._begun:  # it was being renewed by the library when its lease ended
            await self._end(shard)
            return
        self._beginning.add(shard)
        self._missed.note_session(shard)

    async def on_shard_disconnect(self, shard: int) -> None:
        """Note that nothing of a shard reaches us."""
        self.own_shards.lose((shard,))
        self._before.setdefault(shard, {one.id: one for one in self.guilds if one.shard_id == shard})

    async def on_shard_ready(self, shard: int) -> None:
        """Read the missed messages of a new session, and forget the servers that the bot has left."""
        for guild in self._before.pop(shard, {}).values():
            # The library keeps what it knew before; a server that the new session has is a new object.
            if self.get_guild(guild.id) is guild:
                self._connection._remove_guild(guild)
        self._beginning.discard(shard)
        if shard not in self.own_shards.held:
            return
        self.own_shards.hear((shard,))
        self._thread_care.note_gap()
        log.info("ready", extra={"shard": shard, "guilds": len(self.context.discord.guilds.all)})
        await self._guard.run_on_store(self._publisher.guilds_back())
        await self._catch_up()
        await self._greet(guild for guild in self.context.discord.guilds.all if guild.shard_id == shard)

    async def on_shard_resumed(self, shard: int) -> None:
        """Send what is due. A resumed session has replayed what was missed: there is nothing to read."""
        self._before.pop(shard, None)
        if shard not in self._begun:
            await self._end(shard)
            return
        self.own_shards.hear((shard,))
        self.counters.add("sessions resumed")
        log.info("the session was resumed", extra={"shard": shard})
        await self._catch_up()

    async def on_message(self, message: discord.Message) -> None:
        """Handle a new message, and count it while that lasts.

        If another process may serve its shard by now, it is that one's, or read once the lease is renewed.
        """
        shard = self.own_shards.of(None if message.guild is None else message.guild.id)
        if not self.own_shards.in_time:
            self._left.add(shard)
            return
        with self._handled[shard]:
            await super().on_message(message)
