"""The bot as `bot.main` composes it, quick to connect, repeatable, and killed at the step a test names.

Read from the environment: what `bot.platform.config` reads, `DOMINIUM_TEST_SEED`, `DOMINIUM_TEST_KILL` as
`step:n`, the n-th pass of a step after SIGUSR1, `DOMINIUM_TEST_AHEAD`, seconds by which the bot's clock is
ahead, `DOMINIUM_TEST_POLL`, seconds between looks for what is due, `DOMINIUM_TEST_HEARTBEAT`, seconds after
which a silent gateway counts as dead, `DOMINIUM_TEST_PAUSE`, seconds for which nothing is sent where nothing
is answered, `DOMINIUM_TEST_RETRY`, the most seconds between tries, `DOMINIUM_TEST_LOCK`, seconds to wait for
a locked database, `DOMINIUM_TEST_NOTE`, seconds between notes of what was heard, `DOMINIUM_TEST_REPLAY_LOCK`,
a file whose lock replays wait for, and `DOMINIUM_TEST_SLOW`, seconds after which an answer is slow, and
`DOMINIUM_TEST_LEASE`, seconds that a shard is leased. Told on standard output: `READY`, `QUIET`, `ARMED`,
`REPLAY`, and the changes that a test may wait for, made or `failed`.
"""

from __future__ import annotations

import asyncio
import fcntl
import gc
import json
import logging
import os
import select
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar, cast

import discord

import render
from bot import app, sharded
from bot import main as composition
from bot.app import Dominium
from bot.inbound import catch_up, commands
from bot.outbound import remedies
from bot.platform import counters
from bot.platform.config import Config, load_config
from bot.platform.reader_settings import Preferences, Readers
from bot.sharded import ShardedDominium
from matches.ports import Entropy, Store, StoreError
from matches.store.rows import Commit
from render.themes import THEMES
from storage import connection, open_either
from tests.bot import shared
from tests.fakes import FakeEntropy

if TYPE_CHECKING:
    from bot.app import OpenStore
    from bot.context import Context

assert shared
T = TypeVar("T")
ANY = "any"


def tell(line: str) -> None:
    """One line for the test, at once and in one piece.

    Bots and their parent write to one pipe, and a bot may die in the middle of a line: each call is one
    write, which begins a line of its own.
    """
    os.write(1, f"\n{line}\n".encode())


class ClockAhead:
    """The library's clock, set ahead."""

    def __init__(self, seconds: float) -> None:
        self._ahead = timedelta(seconds=seconds)

    def now(self) -> datetime:
        """The time, aware, UTC."""
        return discord.utils.utcnow() + self._ahead


TOLD = frozenset(
    ("commit", "save_plan", "outbox_sent", "outbox_retry", "outbox_drop", "outbox_park", "mark_read")
)
"""The changes of the store that the test is told of."""


class Fuse:
    """Kills this process with SIGKILL when the named step is passed for the n-th time."""

    def __init__(self, order: str) -> None:
        self.step, _, number = order.partition(":")
        self._left = int(number or 1)
        self._armed = False

    def arm(self) -> None:
        """Count from now on."""
        self._armed = True
        tell("ARMED")

    def reach(self, step: str) -> None:
        """Pass a step: this call may be the last of the process."""
        if not self._armed or self.step not in (step, ANY):
            return
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class WatchedStore:
    """A store that tells the fuse of every call, before it and after, and the test when nothing waits."""

    def __init__(self, store: Store, fuse: Fuse) -> None:
        self._store = store
        self._fuse = fuse

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method: Callable[..., Awaitable[Any]] = getattr(self._store, name)
        if name in ("leases", "news"):
            return method

        async def step(*args: Any, **kwargs: Any) -> Any:
            known = name
            if name == "commit" and not cast("Commit", args[0]).entries:
                known = "note"
            self._fuse.reach(f"{known}.before")
            try:
                result = await method(*args, **kwargs)
            except StoreError:
                tell(f"{known} failed")
                raise
            self._fuse.reach(f"{known}.after")
            if known in TOLD:
                tell(known)
            if name in ("outbox_sent", "outbox_drop", "outbox_park", "outbox_retry"):
                await self.tell_quiet()
            return result

        return step

    async def tell_quiet(self) -> None:
        """Say so if nothing waits to be sent."""
        if not await self._store.outbox_pending():
            tell("QUIET")


class TestedBot(Dominium):
    """The bot without the pauses that spare the real Discord, and with steps of its own for the fuse."""

    def __init__(self, config: Config, fuse: Fuse) -> None:
        self.fuse = fuse
        clock = ClockAhead(float(os.environ.get("DOMINIUM_TEST_AHEAD", "0")))

        async def opened() -> Store:
            name = f"process {os.getpid()}" if config.is_shared else None
            self.watched = WatchedStore(await open_either(config.store, clock=clock, name=name), fuse)
            return cast("Store", self.watched)

        super().__init__(config, opened, clock=clock, entropy=FakeEntropy(os.environ["DOMINIUM_TEST_SEED"]))
        # An option of the client's constructor which the bot has no use for: seconds to wait for more guilds.
        self._connection.guild_ready_timeout = 0.02
        if patience := os.environ.get("DOMINIUM_TEST_HEARTBEAT"):
            self._connection.heartbeat_timeout = float(patience)

    async def setup_hook(self) -> None:
        """Let the tasks of the start wait less between their turns."""
        await super().setup_hook()
        if poll := os.environ.get("DOMINIUM_TEST_POLL"):
            for loop in (self.pollers.outbox, self.pollers.gaps, self.pollers.threads, self.pollers.commands):
                loop.change_interval(seconds=float(poll))

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify at once: the library would let five seconds pass before a second time."""

    async def _catch_up(self) -> None:
        await super()._catch_up()
        tell("READY")
        await self.watched.tell_quiet()

    async def on_message(self, message: discord.Message) -> None:
        """A message has come in, and nothing was done about it."""
        if message.author != self.user:
            self.fuse.reach("message")
        await super().on_message(message)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """An interaction has come in, and nothing was done about it."""
        self.fuse.reach("interaction")
        await super().on_interaction(interaction)


class TestedShards(TestedBot, ShardedDominium):
    """The same with several shards."""


def fused(draw: Callable[..., bytes], fuse: Fuse) -> Callable[..., bytes]:
    """Return a drawing function with a step before it and one after; the event loop goes on as usual."""

    def drawn(*args: Any, **kwargs: Any) -> bytes:
        fuse.reach("draw.before")
        picture = draw(*args, **kwargs)
        fuse.reach("draw.after")
        return picture

    return drawn


def held_back(animate: Callable[..., bytes], path: str) -> Callable[..., bytes]:
    """Return an animating function that waits until nobody else holds the lock of a file."""

    def animated(*args: Any, **kwargs: Any) -> bytes:
        tell("REPLAY")
        with Path(path).open("a") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
        return animate(*args, **kwargs)

    return animated


def hurry_leases(seconds: float) -> None:
    """Let leases of shards last so long, and all that belongs to them in proportion."""
    from storage.postgres import sessions
    from storage.postgres.shard_leases import ShardLeases

    sessions.HUNG_AFTER = seconds
    ShardLeases.seconds, ShardLeases.orphaned = seconds, seconds / 3
    sharded.LOOK_EVERY, sharded.MARGIN = seconds / 5, seconds / 5


def run() -> None:
    """Serve as the command does, until a signal or the fuse."""
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    remedies.RETRY_FIRST = remedies.PAUSE_FIRST = timedelta(milliseconds=10)
    if pause := os.environ.get("DOMINIUM_TEST_PAUSE"):
        remedies.PAUSE_FIRST = remedies.PAUSE_MOST = timedelta(seconds=float(pause))
    if most := os.environ.get("DOMINIUM_TEST_RETRY"):
        remedies.RETRY_MOST = timedelta(seconds=float(most))
    if lock := os.environ.get("DOMINIUM_TEST_LOCK"):
        connection.LOCK_TIMEOUT = float(lock)
    if note := os.environ.get("DOMINIUM_TEST_NOTE"):
        catch_up.NOTE_EVERY = timedelta(seconds=float(note))
    if slow := os.environ.get("DOMINIUM_TEST_SLOW"):
        counters.SLOW = float(slow)
    if lease := os.environ.get("DOMINIUM_TEST_LEASE"):
        hurry_leases(float(lease))
    fuse = Fuse(os.environ.get("DOMINIUM_TEST_KILL", "nothing"))
    signal.signal(signal.SIGUSR1, lambda *_: fuse.arm())

    def build(config: Config, *, entropy: Entropy | None = None) -> TestedBot:
        several = composition.kind(config) is ShardedDominium
        return (TestedShards if several else TestedBot)(config, fuse)

    composition.build = build
    render.draw = fused(render.draw, fuse)
    if replay_lock := os.environ.get("DOMINIUM_TEST_REPLAY_LOCK"):
        render.film = held_back(render.film, replay_lock)
    asyncio.run(composition.serve(load_config(os.environ)))


def prepare() -> None:
    """Make once what is the same in each bot: first drawings, and what the list of commands is made of."""
    config = Config(token="", data=Path("nowhere"), theme=THEMES[0])
    catalogue = cast("Any", app).Catalogue()
    app.warm_up(catalogue, config.theme)
    texts = SimpleNamespace(config=config, readers=Readers(catalogue, config, cast("Preferences", None)))
    commands.add(Dominium(config, cast("OpenStore", None)).tree, cast("Context", texts))


def nursery(path: str) -> None:
    """Fork a nurse for each connection to a socket, until standard input ends.

    Forked after the imports and what can be prepared, nurses and bots start in a fraction of the time. What
    is there by then is never collected, since each fork would copy it.
    """
    prepare()
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nurses that end leave nothing behind
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(path)
        door.listen()
        tell("OPEN")
        while sys.stdin.fileno() not in select.select([door, sys.stdin.fileno()], (), ())[0]:
            family, _ = door.accept()
            if os.fork() == 0:
                os.setsid()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for standard in range(3):
                    os.dup2(family.fileno(), standard)
                family.close()
                door.close()
                nurse()
                os._exit(0)
            family.close()


def nurse() -> None:
    """Fork a bot for each line of settings on standard input; say its number and how it ended."""
    tell(f"NURSE {os.getpid()}")
    for line in sys.stdin:
        if (child := os.fork()) == 0:
            os.environ.update(json.loads(line))
            sys.stdin.close()
            run()
            os._exit(0)
        tell(f"BORN {child}")
        _, status = os.waitpid(child, 0)
        tell(f"DIED {os.waitstatus_to_exitcode(status)}")


if __name__ == "__main__":
    nursery(sys.argv[2]) if sys.argv[1:2] == ["nursery"] else run()
