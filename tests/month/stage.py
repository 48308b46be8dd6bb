"""The stage of a month: the server, its people, and a bot in the same process that comes and goes.

The bot is composed as in production, on one database file. A stop closes it as a signal would; a crash takes
its tasks, sockets and database away between two steps of the loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import hashlib
import os
import random
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Protocol, cast
from unittest import mock
from weakref import WeakSet

import aiohttp
import discord
from simcord.backend.models import Message
from simcord.components import walk_components

import render
from bot.app import Dominium
from bot.platform.config import Config
from bot.platform.loopback import point_discord_at
from bot.platform.permissions import INVITE
from bot.platform.real_clock import DiscordClock
from bot.sharded import ShardedDominium
from games.engine.scene import Badge, Scene
from locales import Catalogue
from matches.absence.heartbeat import SILENCE
from matches.ports import Store
from storage import open_either
from storage.connection import Database
from tests.bot_process.house import Records
from tests.fakes import FakeEntropy
from tests.loopback import LoopbackDiscord, Person
from tests.loopback.pointing import pointed_back
from tests.month.virtual_time import OWNER, LoopClock, VirtualLoop, virtual_discord

_SOON = 31.0
"""Seconds within which a waiting message is worth waiting for."""
_PATIENCE = 150.0
"""Simulated seconds in which the bot comes to rest, unless something keeps it from that."""
_RESTING = ("discord-ui-view-timeout",)


class Client(Protocol):
    """What the stage wants of a bot: discord.py's client, and whether work is left that will be done soon."""

    def busy(self, soon: float) -> bool:
        """Return whether the bot still has something to do within so many seconds."""


class OurBot(Dominium):
    """The bot itself, on a database that a crash can take away."""

    def __init__(self, config: Config, entropy: FakeEntropy, records: Callable[[], Records]) -> None:
        self.database: Any = None
        self._records = records

        async def opened() -> Store:
            store = await open_either(config.store, clock=DiscordClock())
            self.database = cast("Any", store)._database
            return store

        super().__init__(config, opened, entropy=entropy)

    def busy(self, soon: float) -> bool:
        """Return whether messages wait to be sent or read, or to be handled."""
        if not hasattr(self, "pollers") or not self.is_ready():
            return True
        reading = any(not gap.waits for gap in self._missed._gaps.values())
        if self._missed._unlisted or reading or self._inbox._waiting:
            return True
        return any(
            loop.is_running() and (loop._handle is None or loop._handle.done())
            for loop in (self.pollers.outbox, self.pollers.gaps, self.pollers.matches)
        ) or bool(self.due(soon))

    def due(self, soon: float) -> int:
        """Return how many messages are due within so many seconds."""
        until = int((DiscordClock().now().timestamp() + soon) * 1000)
        count: int = self._records().ask("SELECT count(*) FROM outbox WHERE due <= ?", until)[0][0]
        return count

    @contextlib.contextmanager
    def beating(self) -> Iterator[None]:
        """Have it that the bot beats while time leaps, if it does so now: to play that would take long."""
        heartbeat, now = self.context.service.heartbeat, DiscordClock().now
        beats = heartbeat._last is not None and now() - heartbeat._last < SILENCE
        yield
        heartbeat._last = now() if beats else heartbeat._last

    def crash(self) -> None:
        """Lose the database without saving anything."""
        if self.database is None:
            return
        self.database._closed = True
        if isinstance(self.database, Database):
            self.database._db._conn.close()
            self.database._lease.release()
        else:
            self.database._close()


class OurShards(OurBot, ShardedDominium):
    """The same with several shards."""


@cache
def catalogue() -> Catalogue:
    """Return the texts, loaded once for all bots."""
    return Catalogue()


def sketch(scene: Scene, *args: Any, **settings: Any) -> bytes:
    """Return what stands for the picture of a scene: bytes that no other scene has, whatever is on clocks."""
    panels = (replace(each, badges=tuple(filter(_lasts, each.badges))) for each in scene.panels)
    scene = replace(scene, panels=tuple(panels))
    return b"\x89PNG\r\n\x1a\n" + hashlib.sha256(repr(scene).encode()).hexdigest().encode()


def _lasts(badge: Badge) -> bool:
    return not badge.label.key.startswith("bot.clock.")


@contextlib.contextmanager
def _quick_pictures() -> Iterator[None]:
    with (
        mock.patch.object(render, "draw", sketch),
        mock.patch("bot.app.warm_up"),
        mock.patch("bot.app.Catalogue", catalogue),
    ):
        yield


class OpenRecords(Records):
    """The bot's database, read by one connection that stays open."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)

    def ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        return self._connection.execute(query, values).fetchall()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class Sockets(aiohttp.UnixConnector):
    """The bot's way to the server, which can be taken away whole."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), limit=0)
        self._made: WeakSet[aiohttp.connector.Connection] = WeakSet()

    async def connect(self, *args: Any, **named: Any) -> aiohttp.connector.Connection:
        """Return a connection, and remember it."""
        made = await super().connect(*args, **named)
        self._made.add(made)
        return made

    def cut(self) -> None:
        """Close what is open: whoever crashes closes nothing, and aiohttp warns when it is collected."""
        for connection in list(self._made):
            connection.close()


@dataclass
class Stage:
    """The server, and the bot that is on it now.

    Attributes:
        content: whether the message content intent is switched on.
        make: makes a new client, for the n-th launch.
        launches: how often the bot was started.
        online: whether the gateway lets it in.
    """

    server: LoopbackDiscord
    loop: VirtualLoop
    clock: LoopClock
    folder: Path
    seed: int
    content: bool
    make: Callable[[Stage], Any] | None = None
    shards: int = 1
    database: str = ""
    """A PostgreSQL database; empty for a SQLite file."""
    launches: int = 0
    online: bool = True
    bot: Any = None
    people: dict[int, Person] = field(default_factory=dict)
    _running: asyncio.Task[None] | None = None

    @cached_property
    def records(self) -> Records:
        """The bot's database."""
        if self.database:
            from tests.bot_process.cluster import PostgresRecords

            return PostgresRecords(self.database)
        return OpenRecords(self.folder / "dominium.sqlite3")

    def config(self) -> Config:
        """The bot's configuration."""
        return Config(
            token=self.server.token,
            data=self.folder / "dominium.sqlite3",
            database_url=self.database,
            shards=self.shards,
            message_content=self.content,
            thinkers=0,
            answer_seconds=0,
            discord_api=self.server.url,
        )

    # --- the bot --------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Start the bot on its database, and let it catch up."""
        self.launches += 1
        self.server.gateway.launch += 1
        if self.make is None:
            kind = OurBot if self.shards == 1 else OurShards
            entropy = FakeEntropy(f"{self.seed}/{self.launches}")
            self.bot = kind(self.config(), entropy, lambda: self.records)
        else:
            self.bot = self.make(self)
        self.bot.http.connector = Sockets(self.folder / "discord")
        OWNER.set(f"bot {self.launches}")
        self._running = asyncio.create_task(self.bot.start(self.server.token))
        OWNER.set("")
        await self.settle()

    async def stop(self) -> None:
        """Stop the bot as a signal does."""
        if self.bot is None:
            return
        OWNER.set(f"bot {self.launches}")
        await self.bot.close()
        OWNER.set("")
        await self._end()

    async def crash(self) -> None:
        """Take the bot away where it stands."""
        if self.bot is None:
            return
        self.bot.crash()
        await self._end()

    async def _end(self) -> None:
        # Python 3.11's wait_for may swallow a cancellation, so it is repeated.
        while mine := [task for task, owner in self.loop.tasks.items() if owner == f"bot {self.launches}"]:
            for task in mine:
                task.cancel()
            await asyncio.sleep(0)
        self.bot.http.connector.cut()
        await self.bot.http.connector.close()
        self.bot = None
        await self.loop.idle()

    # --- time -----------------------------------------------------------------------------------------

    async def settle(self, patience: float = _PATIENCE) -> bool:
        """Let the bot do what it has to do; return False if it isn't at rest after so many seconds."""
        end = self.loop.now + patience
        while True:
            await self.loop.idle()
            if not self._busy():
                return True
            when = self.loop.next_timer()
            if when is None or when > end:
                return False
            self.loop.now = max(self.loop.now, when)

    def _busy(self) -> bool:
        if self.bot is None:
            return False
        if self._running is not None and self._running.done():
            raise AssertionError(f"the bot has ended by itself: {self._running.exception()!r}")
        if self.online and len(set(self.server.gateway.hearing())) < self.shards:
            return True
        owner = f"bot {self.launches}"
        working = any(
            whose == owner and task.get_name().startswith(("discord.py:", "computers of "))
            for task, whose in self.loop.tasks.items()
        )
        return working or bool(self.bot.busy(_SOON))

    async def pass_time(self, seconds: float) -> None:
        """Let time pass at rest, in one leap: what is due meanwhile happens once, at its end."""
        await self.settle()
        with self.bot.beating() if isinstance(self.bot, OurBot) else contextlib.nullcontext():
            self.server.advance(seconds)
        await self.settle()

    def posts_by_bot(self, channel: int) -> list[Message]:
        """The bot's messages in a channel as the server has stored them, oldest first."""
        stored = self.server.world.stored_messages(channel)
        return [one for one in stored if one.author_id == self.server.bot_id]


def call_of(message: Message) -> tuple[str, str, int] | None:
    """Return verb, match and entry of a message's first button that has them, as `house.calls` does."""
    for component in walk_components(message.components):
        kind, *call = str(component.get("custom_id")).split(":")
        if kind == "domb":
            return call[0], call[1], int(call[2])
    return None


@contextlib.asynccontextmanager
async def open_stage(
    loop: VirtualLoop,
    seed: int,
    *,
    content: bool,
    make: Callable[[Stage], Any] | None = None,
    shards: int = 1,
    database: str = "",
) -> AsyncIterator[Stage]:
    """Return a stage without a bot yet; its bot is stopped and its database file deleted at the end."""
    fast = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with (
        tempfile.TemporaryDirectory(dir=fast) as folder,
        virtual_discord(loop, random.Random(f"{seed}/waits")) as clock,
        _quick_pictures(),
        contextlib.ExitStack() as restored,
    ):
        approved = discord.Intents.default()
        approved.message_content = content
        server = LoopbackDiscord(
            approved=approved, invited=INVITE, clock=clock, socket_path=Path(folder) / "discord"
        )
        async with server:
            restored.enter_context(pointed_back())
            point_discord_at(server.url)
            server.patience = 3600.0
            server.gateway.shards = shards
            stage = Stage(server, loop, clock, Path(folder), seed, content, make, shards, database)
            try:
                yield stage
            finally:
                await stage.stop()
                if "records" in stage.__dict__:
                    stage.__dict__["records"].close()
                gc.collect()  # what was left open is said here, not in some later test
