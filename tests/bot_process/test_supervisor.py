"""`PROCESSES=2`: a supervisor and its processes, each killed, all replaced, and asked to stop."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable

import discord
import pytest

from bot.platform.permissions import INVITE
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


async def test_processes_are_kept_replaced_and_stopped(server: LoopbackDiscord, empty_database: str) -> None:
    async with BotProcess(server, COMMAND, settings(server, empty_database)) as bot:
        await server.wait_until(hears(server, 0, 1))
        first = started(bot)
        assert len(first) == 2
        os.kill(first[1], signal.SIGKILL)
        await bot.wait_for_line(lambda line: "a process has ended: another is started" in line)
        await server.wait_until(hears(server, 0, 1))
        bot.signal(signal.SIGHUP)
        await bot.wait_for_line(lambda line: "a process was replaced number=1" in line)
        await server.wait_until(hears(server, 0, 1))
        assert len(started(bot)) == 5
        assert await bot.terminate() == 0
        assert server.gateway.hearing() == []


async def test_processes_end_with_their_supervisor(server: LoopbackDiscord, empty_database: str) -> None:
    server.gateway.buckets, server.gateway.identify_every = 1, 4.5
    async with BotProcess(server, COMMAND, settings(server, empty_database)) as bot:
        await server.wait_until(hears(server, 0, 1))
        assert server.gateway.too_early == 0, "both processes keep to Discord's pace"
        bot.signal(signal.SIGKILL)
        assert await bot.wait() == -signal.SIGKILL, "its output ends with the last process"
        assert server.gateway.hearing() == []


async def test_a_wrong_setting_ends_them_all(server: LoopbackDiscord, empty_database: str) -> None:
    wrong = settings(server, empty_database, SHARD_IDS="0,5")
    bot = BotProcess(server, COMMAND, wrong)
    await bot.start(connected=False)
    assert await bot.wait() == 2
    assert "SHARD_IDS names shard 5 of 2: they are numbered from 0" in bot.transcript()
