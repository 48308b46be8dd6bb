"""An event loop whose time passes only when nothing else is left to do, and a discord.py that lives in it.

Everything runs in one thread: sockets, the database, pictures. When no callback is ready and no socket has
anything to read, the loop jumps to its next timer. So an hour costs nothing, and the same script takes the
same steps in every run. The sockets are Unix sockets, which deliver within the call that sends.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import random
import selectors
import sqlite3
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from unittest import mock

import aiosqlite
import discord.backoff
import discord.ext.tasks
import discord.gateway
from simcord._clock import Clock

T = TypeVar("T")
BEGIN = datetime(2026, 3, 1, 8, tzinfo=UTC)
OWNER: contextvars.ContextVar[str] = contextvars.ContextVar("owner", default="")
"""Who has started a task: a task inherits it from the one that starts it."""


class _Selector(selectors.DefaultSelector):
    """Never waits: when nothing is ready it tells those who wait for that, or lets time pass."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready now."""
        ready: list[tuple[selectors.SelectorKey, int]] = super().select(0)
        if ready or timeout == 0:
            return ready
        if self.loop.waiting:
            waiter = self.loop.waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
        elif timeout is None:
            raise RuntimeError("nothing is left that could happen")
        else:
            self.loop.now += timeout
        return ready


class _Inline(ThreadPoolExecutor):
    """Does the work at once, in the calling thread."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Return the finished work."""
        done: Future[T] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except BaseException as error:
            done.set_exception(error)
        return done


class VirtualLoop(asyncio.SelectorEventLoop):
    """The loop.

    Attributes:
        now: seconds since its beginning.
        waiting: those who wait until nothing is left to do now.
        tasks: the tasks that were started and may still run, oldest first, with who has started them.
    """

    def __init__(self) -> None:
        self.now = 0.0
        self.waiting: deque[asyncio.Future[None]] = deque()
        self.tasks: dict[asyncio.Task[Any], str] = {}
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)
        # After 194 days a float no longer tells a nanosecond apart, and timers that are due would never run.
        self._clock_resolution = 1e-6
        self.set_default_executor(_Inline(1))
        self.set_task_factory(self._start)

    def _start(self, loop: Any, coroutine: Any, **more: Any) -> Any:
        task: asyncio.Task[Any] = asyncio.Task(coroutine, loop=loop, **more)
        context = more.get("context")
        self.tasks[task] = OWNER.get() if context is None else context.get(OWNER, "")
        task.add_done_callback(self.tasks.pop)
        return task

    def time(self) -> float:
        """The simulated time."""
        return self.now

    async def idle(self) -> None:
        """Wait until nothing is left to do without letting time pass."""
        waiter: asyncio.Future[None] = self.create_future()
        self.waiting.append(waiter)
        await waiter

    def next_timer(self) -> float | None:
        """When the next timer is due."""
        timers: list[Any] = self._scheduled  # type: ignore[attr-defined]
        return min((timer.when() for timer in timers if not timer.cancelled()), default=None)


class LoopClock(Clock):
    """The loop's time as that of the world."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def now(self) -> datetime:
        """The time, aware, in UTC."""
        return BEGIN + timedelta(seconds=self._loop.now)

    def advance(self, seconds: float) -> None:
        """Let time pass for all: the server, the bot and the people."""
        self._loop.now += seconds


class _InlineSqlite:
    """aiosqlite's connection without its thread: a job is done when it is given, its result comes later."""

    def __init__(self, connection: sqlite3.Connection, dice: random.Random) -> None:
        self._conn = connection
        self._dice = dice
        self._last = asyncio.Event()
        self._last.set()

    async def _execute(self, job: Callable[[], T]) -> T:
        before, self._last = self._last, asyncio.Event()
        mine = self._last
        try:
            return job()
        finally:
            try:
                for _ in range(self._dice.randrange(4)):
                    await asyncio.sleep(0)
                await before.wait()  # results come in the order of the jobs
            finally:
                mine.set()

    async def close(self) -> None:
        """Close the connection."""
        self._conn.close()


class QuietKeepAlive(discord.gateway.KeepAliveHandler):
    """Heartbeats without a thread: none are sent; that a socket is dead is noticed when a test says so."""

    def start(self) -> None:
        """Do nothing."""

    def beat(self) -> dict[str, Any]:
        """Answer the server that asks for a heartbeat."""
        return self.get_payload()


class _SeededBackoff(discord.backoff.ExponentialBackoff[bool]):
    dice = random.Random(0)

    def __init__(self, base: int = 1, *, integral: bool = False) -> None:
        super().__init__(base, integral=integral)
        self._randfunc = self.dice.randrange if integral else self.dice.uniform


@contextlib.contextmanager
def virtual_discord(loop: VirtualLoop, dice: random.Random) -> Iterator[LoopClock]:
    """Let discord.py and the database live in the loop's time and thread; random waits follow ``dice``."""
    clock = LoopClock(loop)
    _SeededBackoff.dice = dice

    def until(when: datetime) -> float:
        return max(0.0, (when - clock.now()).total_seconds())

    def next_time(poller: Any, now: Any = None) -> datetime:
        return clock.now() + timedelta(seconds=poller._sleep)

    def connect(path: Any, **settings: Any) -> Coroutine[Any, Any, _InlineSqlite]:
        async def opened() -> _InlineSqlite:
            connection = sqlite3.connect(path, **settings)
            return _InlineSqlite(connection, dice)

        return opened()

    with (
        mock.patch("discord.utils.utcnow", clock.now),
        mock.patch("discord.utils.compute_timedelta", until),
        mock.patch.object(discord.ext.tasks.Loop, "_get_next_sleep_time", next_time),
        mock.patch("discord.gateway.KeepAliveHandler", QuietKeepAlive),
        mock.patch("discord.client.ExponentialBackoff", _SeededBackoff),
        mock.patch("discord.ext.tasks.ExponentialBackoff", _SeededBackoff),
        mock.patch.object(aiosqlite, "connect", connect),
        mock.patch("storage.postgres.connection.ThreadPoolExecutor", _Inline),
    ):
        yield clock
