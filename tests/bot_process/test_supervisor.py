"""`PROCESSES=2`: a supervisor and its processes, each killed, all replaced, and asked to stop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable

import discord
import pytest

from bot.platform.config import OF_PROCESS, OF_SUPERVISOR, load_config
from bot.platform.permissions import INVITE
from bot.supervisor import WRONG_SETTING, Supervisor
from cli.terminal import Sorry
from tests.bot_process.process import environment
from tests.loopback import BotProcess, LoopbackDiscord

pytestmark = [pytest.mark.process, pytest.mark.slow]

COMMAND = (sys.executable, "-m", "dominium", "run")


@pytest.fixture
async def server() -> AsyncIterator[LoopbackDiscord]:
    async with LoopbackDiscord(approved=discord.Intents.default(), invited=INVITE) as made:
        made.gateway.buckets = 16
        for shard in range(2):
            made.create_guild(f"Club {shard}", shard=(shard, 2))
        yield made


def settings(server: LoopbackDiscord, url: str, **more: str) -> dict[str, str]:
    """The environment of the supervisor."""
    return {
        **environment(),
        "DISCORD_TOKEN": server.token,
        "DATABASE_URL": url,
        "DOMINIUM_DISCORD_API": server.url,
        "PROCESSES": "2",
        "SHARDS": "2",
        **more,
    }


def started(bot: BotProcess) -> list[int]:
    """The processes that the supervisor has started, in order."""
    lines = [re.search(r"a process starts.*new=(\d+)", line) for line in bot.output]
    return [int(found[1]) for found in lines if found]


def hears(server: LoopbackDiscord, *shards: int) -> Callable[[], bool]:
    return lambda: server.gateway.hearing() == list(shards)


async def test_processes_are_kept_replaced_and_end_with_their_supervisor(
    server: LoopbackDiscord, empty_database: str
) -> None:
    gateway = server.gateway
    gateway.buckets, gateway.identify_every = 1, 4.5
    async with BotProcess(server, COMMAND, settings(server, empty_database)) as bot:
        await server.wait_until(hears(server, 0, 1))
        assert gateway.too_early == 0, "both processes keep to Discord's pace"
        gateway.buckets, gateway.identify_every = 16, 0
        first = started(bot)
        assert len(first) == 2
        os.kill(first[1], signal.SIGKILL)
        await bot.wait_for_line(lambda line: "a process has ended: another is started" in line)
        await server.wait_until(hears(server, 0, 1))
        bot.signal(signal.SIGHUP)
        await bot.wait_for_line(lambda line: "a process was replaced number=1" in line)
        await server.wait_until(hears(server, 0, 1))
        assert len(started(bot)) == 5
        bot.signal(signal.SIGKILL)
        assert await bot.wait() == -signal.SIGKILL, "its output ends with the last process"
        assert gateway.hearing() == []


async def test_a_wrong_setting_ends_a_process_for_good(server: LoopbackDiscord, ready_database: str) -> None:
    wrong = settings(server, ready_database, PROCESSES="1", SHARD_IDS="0,5")
    bot = BotProcess(server, COMMAND, wrong)
    await bot.start(connected=False)
    assert await bot.wait() == WRONG_SETTING == Sorry.exit_code
    assert "SHARD_IDS names shard 5 of 2: they are numbered from 0" in bot.transcript()


@pytest.mark.parametrize(
    ("what", "status"), [("sys.exit(2)", 2), ("os.kill(os.getppid(), signal.SIGTERM)", 0)]
)
async def test_all_end_with_what_one_of_them_does(what: str, status: int) -> None:
    """The other process waits until it is terminated."""
    process = f"import os, signal, sys\nif os.environ[{OF_PROCESS!r}] == '1': {what}\nsignal.pause()"
    config = load_config({"DATABASE_URL": "postgresql://localhost/x", "PROCESSES": "2"})
    assert await Supervisor(config, (sys.executable, "-S", "-c", process)).run() == status


async def test_a_process_that_was_replaced_is_ended() -> None:
    """These say that they serve, and notice no successor."""
    process = f"import os, signal\nos.write(int(os.environ[{OF_SUPERVISOR!r}]), b'serves\\n')\nsignal.pause()"
    config = load_config({"DATABASE_URL": "postgresql://localhost/x", "PROCESSES": "2"})
    supervisor = Supervisor(config, (sys.executable, "-S", "-c", process))
    for number in range(2):
        await supervisor._start(number)
    old = [child.process for child in supervisor._children.values()]
    await supervisor.replace()
    new = [child.process for child in supervisor._children.values()]
    ended = [each.returncode for each in (*old, *new)]
    supervisor._ending.set()
    for each in (*old, *new):
        with contextlib.suppress(ProcessLookupError):
            each.terminate()
    await asyncio.gather(*supervisor._tasks)
    assert ended == [-signal.SIGTERM] * 2 + [None] * 2
