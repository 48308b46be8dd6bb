"""The bot under test in a process of its own, to be killed and started again.

Nothing here sleeps: a start is over when the bot has its gateway session, a kill when the process is reaped.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Self

from tests.loopback.server import LoopbackDiscord


class BotProcess:
    """One command line, run any number of times against one server.

    Attributes:
        output: the lines of the present or last run, standard error among them.
    """

    def __init__(
        self,
        server: LoopbackDiscord,
        command: Sequence[str | os.PathLike[str]],
        env: Mapping[str, str] | None = None,
    ) -> None:
        """Describe the process; ``env`` is laid over this process's environment."""
        self._server = server
        self._command = [os.fspath(part) for part in command]
        self._env = {**os.environ, "PYTHONUNBUFFERED": "1", **(env or {})}
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._ended = False
        self.output: list[str] = []

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.running:
            await self.kill()

    @property
    def running(self) -> bool:
        """Whether the process is started and not yet reaped."""
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        """The process id of the present or last run."""
        return self._started.pid

    @property
    def returncode(self) -> int | None:
        """The exit status of the last run, negative for a signal; ``None`` while it runs."""
        return self._started.returncode

    @property
    def _started(self) -> asyncio.subprocess.Process:
        if self._process is None:
            raise RuntimeError("the bot's process was never started")
        return self._process

    async def start(self, *, connected: bool = True) -> None:
        """Start the process and, if ``connected``, wait for its gateway session.

        Raises:
            AssertionError: it ended before, or took longer than the server's patience; carries its output.
            RuntimeError: it is running.
        """
        if self.running:
            raise RuntimeError("the bot's process is already running")
        self._server.gateway.launch += 1
        self.output = []
        self._ended = False
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            cwd="/",  # where no `.env` lies
            env=self._env,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        self._reader = asyncio.create_task(self._read(self._process))
        if connected:
            await self._connected(self._process)

    async def _connected(self, process: asyncio.subprocess.Process) -> None:
        session = asyncio.create_task(self._server.wait_connected(self._server.gateway.launch))
        end = asyncio.create_task(process.wait())
        try:
            await asyncio.wait({session, end}, return_when=asyncio.FIRST_COMPLETED)
            if end.done() or session.exception() is not None:
                raise AssertionError(f"the bot's process did not connect:\n{self.transcript()}")
        finally:
            for task in (session, end):
                task.cancel()
            await asyncio.gather(session, end, return_exceptions=True)

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        stream = process.stdout
        if stream is None:
            return
        async for line in stream:
            self.output.append(line.decode(errors="replace").rstrip("\n"))
            self._server.changed()
        self._ended = True
        self._server.changed()

    def transcript(self) -> str:
        """The output so far as one text."""
        return "\n".join(self.output)

    async def wait_for_line(self, predicate: Callable[[str], bool]) -> str:
        """The first line of output that fits, already there or to come.

        Raises:
            AssertionError: the process ended, or the server's patience did, without one.
        """

        def written() -> str | None:
            found = next((line for line in self.output if predicate(line)), None)
            if found is None and self._ended:
                raise AssertionError("the bot ended without that line")
            return found

        try:
            return await self._server.wait_until(written, "that line")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.transcript()}") from None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal without waiting for what comes of it."""
        self._started.send_signal(number)

    async def wait(self) -> int:
        """Wait for the end of the process and of its output; returns the exit status."""
        status = await self._started.wait()
        if self._reader is not None:
            await self._reader
        return status

    async def kill(self) -> int:
        """SIGKILL, and wait until the process is gone and its sockets with it."""
        self.signal(signal.SIGKILL)
        status = await self.wait()
        launch = self._server.gateway.launch
        await self._server.wait_until(
            lambda: not self._server.gateway.connected(launch), "the end of the bot's gateway socket"
        )
        return status

    async def terminate(self) -> int:
        """SIGTERM, and wait for an orderly end."""
        self.signal(signal.SIGTERM)
        return await self.wait()

    async def restart(self) -> None:
        """Kill the process, if it runs, and start it anew."""
        if self.running:
            await self.kill()
        await self.start()
