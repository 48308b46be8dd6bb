"""Keep several processes of the bot running on one machine, which share its shards.

A process that ends is started again. SIGHUP replaces them one after the other: each new one takes the shards
over from the old one, which then ends, so that a new version is served without a stop. SIGTERM ends them all.
A process hears by its end of a socket if this one dies, and ends then, too.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.platform.config import OF_PROCESS, OF_SUPERVISOR, Config

log = logging.getLogger(__name__)

READY: Final = b"serves\n"
"""What a process sends its supervisor once it hears a shard."""
WRONG_SETTING: Final = 2
"""The exit status after which starting again would not help."""
_TAKE_OVER_WITHIN: Final = 180.0
"""Seconds for a new process to take over: with many shards, each has to wait for its turn."""
_END_WITHIN: Final = 25.0
"""Seconds for a process to end, less than service managers wait."""
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0
_NOT_STARTED: Final = "a process can't be started now"
_COMMAND: Final = (sys.executable, "-m", "dominium", "run")


@dataclass(frozen=True, slots=True)
class Child:
    """A process, its number among the others, and the way to hear from it."""

    number: int
    process: asyncio.subprocess.Process
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


class Supervisor:
    """The processes of one machine."""

    def __init__(self, config: Config, command: Sequence[str] = _COMMAND) -> None:
        """`command` starts one process, which finds its number in its environment."""
        self._config = config
        self._command = command
        self._children: dict[int, Child] = {}
        self._living: set[Child] = set()
        """All that haven't ended, those that are being replaced and their successors too."""
        self._pauses: dict[int, float] = {}
        self._ending = asyncio.Event()
        self._status = 0
        self._replacing = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> int:
        """Run until SIGINT or SIGTERM, or until a setting turns out to be wrong; return the exit status."""
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, self._ending.set)
        loop.add_signal_handler(signal.SIGHUP, lambda: self._begin(self.replace()))
        for number in range(self._config.processes):
            await self._start(number)
        await self._ending.wait()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*map(self._end, self._living))
        return self._status

    async def replace(self) -> None:
        """Replace all processes, one after the other; one whose successor doesn't come up goes on."""
        async with self._replacing:
            for number in sorted(self._children):
                try:
                    new = await self._spawn(number)
                except OSError as error:
                    log.error(_NOT_STARTED, extra={"number": number, "error": str(error)})
                    return
                if not await self._serves(new):
                    log.error(
                        "a new process doesn't take over: the old one goes on", extra={"number": number}
                    )
                    await self._end(new)
                    return
                old = self._children[number]  # another one, if the old one has ended meanwhile
                self._watch(new)
                await self._end(old)
                log.info("a process was replaced", extra={"number": number, "new": new.process.pid})

    # --- one process ----------------------------------------------------------------------------------

    async def _start(self, number: int) -> None:
        self._watch(await self._spawn(number))

    def _watch(self, child: Child) -> None:
        """Take a process for the one of its number, and start another if it ends on its own."""
        self._children[child.number] = child
        self._begin(self._restart_after(child))

    async def _spawn(self, number: int) -> Child:
        ours, theirs = socket.socketpair()
        with theirs:
            reader, writer = await asyncio.open_connection(sock=ours)
            try:
                process = await asyncio.create_subprocess_exec(
                    *self._command,
                    env=self.environment(os.environ, number, theirs.fileno()),
                    pass_fds=(theirs.fileno(),),
                )
            except BaseException:
                writer.close()
                raise
        log.info("a process starts", extra={"number": number, "new": process.pid})
        child = Child(number, process, reader, writer)
        self._living.add(child)
        return child

    def environment(self, base: Mapping[str, str], number: int, fd: int) -> dict[str, str]:
        """Return the environment of a process: each serves its metrics on a port of its own."""
        own = {OF_PROCESS: str(number), OF_SUPERVISOR: str(fd)}
        if self._config.metrics is not None:
            host, port = self._config.metrics
            own["DOMINIUM_METRICS"] = f"{host}:{port + number + 1 if port else 0}"
        return {**base, **own}

    async def _serves(self, child: Child) -> bool:
        """Wait until a process serves; return False if it ends before, or takes too long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_TAKE_OVER_WITHIN):
                return await child.reader.readline() == READY
        return False

    async def _restart_after(self, child: Child) -> None:
        began = asyncio.get_running_loop().time()
        status = await child.process.wait()
        self._forget(child)
        if not self._is_needed(child):
            return
        if status == WRONG_SETTING:
            self._status = status
            self._ending.set()
            return
        lasted = asyncio.get_running_loop().time() - began
        if lasted >= _LONGEST_PAUSE:
            self._pauses.pop(child.number, None)
        pause = self._next_pause(child.number)
        log.error(
            "a process has ended: another is started",
            extra={"number": child.number, "status": status, "seconds": pause},
        )
        await asyncio.sleep(pause)
        while self._is_needed(child):
            try:
                await self._start(child.number)
            except OSError as error:  # the machine has run out of memory or processes
                log.error(_NOT_STARTED, extra={"number": child.number, "error": str(error)})
                await asyncio.sleep(self._next_pause(child.number))

    def _is_needed(self, child: Child) -> bool:
        """Return whether a process is still the one of its number, so that another has to follow it."""
        return not self._ending.is_set() and self._children.get(child.number) is child

    def _next_pause(self, number: int) -> float:
        """Return the seconds to wait before another start, twice as many each time."""
        pause = self._pauses.get(number, _FIRST_PAUSE)
        self._pauses[number] = min(2 * pause, _LONGEST_PAUSE)
        return pause

    async def _end(self, child: Child) -> None:
        with contextlib.suppress(ProcessLookupError):
            child.process.terminate()
        try:
            async with asyncio.timeout(_END_WITHIN):
                await child.process.wait()
        except TimeoutError:
            log.error("a process doesn't end: it is killed", extra={"number": child.number})
            child.process.kill()
            await child.process.wait()
        self._forget(child)

    def _forget(self, child: Child) -> None:
        child.writer.close()
        self._living.discard(child)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
