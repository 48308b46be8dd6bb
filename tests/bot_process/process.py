"""Bots forked from one process that has imported everything: a start costs a fraction of a second.

That process serves all tests of a worker. Each test has a nurse forked from it, and each bot is forked from
the nurse. What is killed is the whole process of the bot; its nurse only gives birth and reports deaths.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.loopback import LoopbackDiscord

ENTRY = Path(__file__).with_name("entry.py")
ROOT = Path(__file__).resolve().parents[2]


def environment() -> dict[str, str]:
    """This process's environment, with the project's root on the path and without the bot's settings.

    Computers think in threads and answer at once, unless a test asks for something else.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("DOMINIUM_", "DISCORD_"))}
    path = os.pathsep.join(filter(None, (str(ROOT), kept.get("PYTHONPATH"))))
    quick = {"DOMINIUM_THINKERS": "0", "DOMINIUM_ANSWER_SECONDS": "0"}
    return {**kept, **quick, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}


@functools.cache
def _door() -> Path:
    """Return the socket of this worker's nursery, which is opened with the first call."""
    folder = Path(tempfile.mkdtemp(prefix="nursery"))
    process = subprocess.Popen(
        (sys.executable, ENTRY, "nursery", folder / "door"),
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )

    def close() -> None:
        process.communicate()  # the end of its standard input is the end of the nursery
        shutil.rmtree(folder)

    atexit.register(close)
    if process.stdout is None or b"OPEN\n" not in process.stdout:
        raise RuntimeError("the nursery did not open")
    return folder / "door"


class Nursery:
    """One bot after another, all against one server.

    Attributes:
        output: what the current or last bot has written, including standard error.
        pid: the process id of the current or last bot.
    """

    def __init__(self, server: LoopbackDiscord) -> None:
        self._server = server
        self._writer: asyncio.StreamWriter | None = None
        self._nurse_pid = 0
        self._reader: asyncio.Task[None] | None = None
        self.pid = 0
        self._alive = False
        self._status: int | None = None
        self.output: list[str] = []

    async def __aenter__(self) -> Self:
        reader, self._writer = await asyncio.open_unix_connection(_door())
        self._reader = asyncio.create_task(self._read(reader))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is None or self._reader is None:
            return
        if self.running:
            await self.kill()
        self._writer.write_eof()
        try:
            async with asyncio.timeout(self._server.patience):
                await asyncio.shield(self._reader)
        except TimeoutError:  # a bot that we lost sight of: nothing of this test may outlive it
            os.killpg(self._nurse_pid, signal.SIGKILL)
            await self._reader
        self._writer.close()
        await self._writer.wait_closed()

    @property
    def running(self) -> bool:
        """Whether a bot is born and not yet dead."""
        return self._alive

    async def start(self, settings: Mapping[str, str]) -> None:
        """Give birth to a bot with these settings, and wait until it has read what it missed."""
        if self._writer is None or self.running:
            raise RuntimeError("the nursery is closed, or occupied")
        self._server.gateway.launch += 1
        self.output = []
        self._status = None
        self._writer.write(f"{json.dumps(dict(settings))}\n".encode())
        await self.wait_for(lambda: "READY" in self.output, "READY")

    async def _read(self, reader: asyncio.StreamReader) -> None:
        async for raw in reader:
            line = raw.decode(errors="replace").rstrip("\n")
            if line.startswith("BORN "):
                self.pid, self._alive = int(line.split()[1]), True
            elif line.startswith("NURSE "):
                self._nurse_pid = int(line.split()[1])
            elif line.startswith("DIED "):
                self._alive, self._status = False, int(line.split()[1])
            elif line:
                self.output.append(line)
            self._server.changed()

    async def wait_for(self, state: Callable[[], bool], what: str, *, alive: bool = True) -> None:
        """Wait until the state is true, looking again at every line, request and event.

        Raises:
            AssertionError: it did not come, or the bot died meanwhile if it is to be `alive`.
        """

        def reached() -> bool:
            if state():
                return True
            if alive and self._status is not None:
                raise AssertionError(f"the bot died ({self._status}) before: {what}")
            return False

        try:
            await self._server.wait_until(reached, what)
        except AssertionError as error:
            raise AssertionError("\n".join((str(error), *self.output[-60:]))) from None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal without waiting for what comes of it."""
        with contextlib.suppress(ProcessLookupError):  # it may just have died
            if self.running:
                os.kill(self.pid, number)

    async def arm(self) -> None:
        """Let the bot's fuse count from now on."""
        self.signal(signal.SIGUSR1)
        await self.wait_for(lambda: "ARMED" in self.output, "ARMED")

    async def wait(self) -> int:
        """Wait for the bot's death; its exit status, negative for a signal."""
        await self.wait_for(lambda: self._status is not None, "the bot's end", alive=False)
        return self._status or 0

    async def kill(self) -> int:
        """SIGKILL, and wait until it is dead."""
        self.signal(signal.SIGKILL)
        return await self.wait()
