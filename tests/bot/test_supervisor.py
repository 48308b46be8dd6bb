"""The supervisor among processes of straw: when it starts, replaces, ends and kills them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from bot.main import _heed_supervisor
from bot.platform.config import OF_PROCESS, OF_SUPERVISOR, load_config
from bot.platform.shards import Shards
from bot.supervisor import READY, WRONG_SETTING, Supervisor
from cli.terminal import Sorry
from tests.month.virtual_time import VirtualLoop


class Process:
    """A process of straw, which lives until it is told to end, and holds its end of the socket till then."""

    def __init__(self, number: int, fd: int) -> None:
        self.pid = number
        self.deaf = False
        """Whether it doesn't end when it is asked to."""
        self.asked: list[float] = []
        """When it was asked to end."""
        self.ended_at: float | None = None
        self._fd = os.dup(fd)
        self._status: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def say(self, line: bytes = READY) -> None:
        os.write(self._fd, line)

    def end(self, status: int) -> None:
        os.close(self._fd)
        self.ended_at = asyncio.get_running_loop().time()
        self._status.set_result(status)

    async def wait(self) -> int:
        return await asyncio.shield(self._status)

    def terminate(self) -> None:
        if self._status.done():
            raise ProcessLookupError
        self.asked.append(asyncio.get_running_loop().time())
        if not self.deaf:
            asyncio.get_running_loop().call_soon(self.end, -signal.SIGTERM)

    def kill(self) -> None:
        asyncio.get_running_loop().call_later(0.5, self.end, -signal.SIGKILL)


@dataclass
class Machine:
    """A supervisor of two processes, and all that it has started."""

    supervisor: Supervisor
    processes: list[Process] = field(default_factory=list)
    started: list[tuple[float, str]] = field(default_factory=list)
    """When each was started, and its number among the others."""
    signals: dict[int, Callable[[], None]] = field(default_factory=dict)
    broken: int = 0
    """How many starts fail from now on."""

    async def spawn(self, *command: str, env: dict[str, str], pass_fds: tuple[int]) -> Process:
        assert env[OF_SUPERVISOR] == str(pass_fds[0])
        if self.broken:
            self.broken -= 1
            raise BlockingIOError("no more processes")
        self.started.append((asyncio.get_running_loop().time(), env[OF_PROCESS]))
        self.processes.append(Process(len(self.processes), pass_fds[0]))
        return self.processes[-1]

    async def restart(self, process: Process) -> float:
        """Let a process end, and return for how long it was missed."""
        begun, before = asyncio.get_running_loop().time(), len(self.started)
        process.end(1)
        await asyncio.sleep(29.9)
        if len(self.started) == before:
            await asyncio.sleep(1)
        return self.started[before][0] - begun

    @property
    def living(self) -> list[int]:
        return [each.pid for each in self.processes if each.ended_at is None]


@contextlib.asynccontextmanager
async def machine(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Machine, asyncio.Task[int]]]:
    """Two processes run; afterwards all have ended, and so has every connection."""
    config = load_config({"DATABASE_URL": "postgresql://localhost/x", "PROCESSES": "2"})
    made = Machine(Supervisor(config))
    loop: Any = asyncio.get_running_loop()
    monkeypatch.setattr(asyncio, "create_subprocess_exec", made.spawn)
    monkeypatch.setattr(loop, "add_signal_handler", made.signals.__setitem__)
    running = asyncio.create_task(made.supervisor.run())
    await loop.idle()
    assert made.started == [(0, "0"), (0, "1")]
    try:
        yield made, running
    finally:
        if not running.done():
            made.signals[signal.SIGTERM]()
        await running
        await loop.idle()
    assert made.living == []


def in_virtual_time(play: Callable[[Machine, asyncio.Task[int]], Any], patch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with machine(patch) as (made, running):
            await play(made, running)

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(run())


def test_a_process_that_ends_is_started_again_after_pauses_that_grow(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def play(house: Machine, running: asyncio.Task[int]) -> None:
        waited = [await house.restart(house.processes[-1]) for _ in range(7)]
        assert waited == [1, 2, 4, 8, 16, 30, 30]
        newest = house.processes[-1]
        assert await house.restart(house.processes[0]) == 1, "each has pauses of its own"
        await asyncio.sleep(29)
        assert [await house.restart(newest), await house.restart(house.processes[-1])] == [1, 2], (
            "it has lasted"
        )
        assert len(house.supervisor._tasks) == 2, "one watches each"

    in_virtual_time(play, monkeypatch)
    assert "another is started" in caplog.text


def test_one_that_cannot_be_started_now_is_started_later(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def play(house: Machine, _: asyncio.Task[int]) -> None:
        house.broken = 2
        house.processes[1].end(-signal.SIGKILL)  # the machine is short of memory
        await asyncio.sleep(8)
        assert house.started[2:] == [(7, "1")]

    in_virtual_time(play, monkeypatch)
    assert [record.getMessage() for record in caplog.records] == [
        "a process has ended: another is started",
        *["a process can't be started now"] * 2,
    ]


def test_they_are_replaced_one_after_the_other_once_the_new_one_serves(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "bot.supervisor")

    async def play(house: Machine, running: asyncio.Task[int]) -> None:
        house.signals[signal.SIGHUP]()
        await asyncio.sleep(175)
        assert house.living == [0, 1, 2], "a session of each of many shards has to wait for its turn"
        house.processes[2].say()
        await asyncio.sleep(100)
        assert house.living == [1, 2, 3]
        house.processes[3].say()
        await asyncio.sleep(100)
        assert house.living == [2, 3]
        assert [number for _, number in house.started] == ["0", "1", "0", "1"]
        assert [record.getMessage() for record in caplog.records] == [
            *["a process starts"] * 3,
            "a process was replaced",
            "a process starts",
            "a process was replaced",
        ]
        house.processes[2].end(1)
        await asyncio.sleep(2)
        assert house.living == [3, 4], "the new ones are kept as the old ones were"
        assert len(house.supervisor._living) == 2, "no connection is kept to those that have ended"

    in_virtual_time(play, monkeypatch)


@pytest.mark.parametrize("how", ["ends", "hangs", "stammers", "cannot be started"])
def test_the_old_ones_go_on_if_the_new_one_does_not_come_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    async def play(house: Machine, running: asyncio.Task[int]) -> None:
        house.broken = how == "cannot be started"
        house.signals[signal.SIGHUP]()
        await asyncio.sleep(1)
        if how == "ends":
            house.processes[2].end(1)
        elif how == "stammers":
            house.processes[2].say(b"what?\n")
        await asyncio.sleep(400)
        assert house.living == [0, 1]
        (said,) = [record.getMessage() for record in caplog.records]
        assert said == (
            "a process can't be started now"
            if how == "cannot be started"
            else "a new process doesn't take over: the old one goes on"
        )
        if how == "hangs":
            assert house.processes[2].asked == [180]
        house.signals[signal.SIGHUP]()
        await asyncio.sleep(1)
        house.processes[-1].say()
        await asyncio.sleep(1)
        assert 0 not in house.living, "the next time it may succeed"

    in_virtual_time(play, monkeypatch)


@pytest.mark.parametrize("after", [0.5, 5])
def test_none_is_left_over_if_the_old_one_ends_while_it_is_being_replaced(
    monkeypatch: pytest.MonkeyPatch, after: float
) -> None:
    async def play(house: Machine, running: asyncio.Task[int]) -> None:
        house.signals[signal.SIGHUP]()
        await asyncio.sleep(1)
        house.processes[0].end(1)
        await asyncio.sleep(after)
        house.processes[2].say()
        await asyncio.sleep(60)
        numbers = [house.started[each][1] for each in house.living]
        assert sorted(set(numbers)) == ["0", "1"]
        assert 2 in house.living
        assert numbers.count("0") == 1

    in_virtual_time(play, monkeypatch)


def test_all_end_at_once_and_one_that_does_not_is_killed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def play(house: Machine, running: asyncio.Task[int]) -> None:
        house.processes[0].deaf = True
        house.signals[signal.SIGTERM]()
        assert await running == 0
        assert [each.ended_at for each in house.processes] == [25.5, 0]
        assert [len(each.asked) for each in house.processes] == [1, 1]

    in_virtual_time(play, monkeypatch)
    assert "a process doesn't end: it is killed" in caplog.text


def test_the_end_may_come_while_they_are_being_replaced(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def play(house: Machine, running: asyncio.Task[int]) -> None:
        house.signals[signal.SIGHUP]()
        await asyncio.sleep(1)
        assert house.living == [0, 1, 2]
        house.signals[signal.SIGINT]()
        assert await running == 0
        assert house.living == []
        assert [each.asked for each in house.processes] == [[1]] * 3

    in_virtual_time(play, monkeypatch)
    assert not caplog.records


@pytest.mark.parametrize("waits", [False, True])
def test_a_wrong_setting_ends_all(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, waits: bool
) -> None:
    async def play(house: Machine, running: asyncio.Task[int]) -> None:
        if waits:
            house.processes[0].end(1)  # it would be started again in a second
            await asyncio.sleep(0.5)
        house.processes[1].end(WRONG_SETTING)
        assert await running == WRONG_SETTING == Sorry.exit_code
        await asyncio.sleep(60)
        assert len(house.started) == 2

    in_virtual_time(play, monkeypatch)
    assert len(caplog.records) == waits


@pytest.mark.parametrize("serves", ["not yet", "and says so", "and says so in vain"])
async def test_a_process_ends_with_its_supervisor_whether_or_not_it_serves(serves: str) -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    shards, serving, loop = Shards(), asyncio.Event(), asyncio.get_running_loop()
    task = asyncio.create_task(serving.wait())
    client: Any = SimpleNamespace(own_shards=shards)
    heeding = asyncio.create_task(_heed_supervisor(theirs.detach(), client, task))  # type: ignore[arg-type]
    if serves != "not yet":
        shards.hear({0})
        assert await loop.sock_recv(ours, 1) == READY[:1]
    if serves == "and says so":
        assert await loop.sock_recv(ours, 100) == READY[1:]
    ours.close()
    await heeding
    await asyncio.wait([task])
    assert task.cancelled()
