"""How many more moves a second two processes carry than one: `python -m tests.bench.processes`.

People play Focus in servers of two shards, against the bot as `dominium run` starts it, on a PostgreSQL
server of its own and a loopback Discord: first with one process that has both shards, then with two that have
one each.

What counts is the work. A process can't use more than about one core, for Python's interpreter has one lock.
So with enough cores, k processes carry k divided by the CPU time that they spend on a move. That is what is
compared; moves a second as the clock on the wall saw them stand beside it, but here people, Discord and the
database share the same cores. The database's own work for a move is told, too: it is what processes share.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import discord

from bot.platform.permissions import INVITE
from tests.bot_process.clubs import Club
from tests.bot_process.cluster import PostgresRecords
from tests.bot_process.house import House
from tests.bot_process.process import Nursery, environment
from tests.loopback import BotProcess, LoopbackDiscord
from tests.postgres_server import PostgresServer, started

TARGET = 1.6
MATCHES = 4
"""Matches that are played at a time in each server."""
_COMMAND = (sys.executable, "-m", "dominium", "run")
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Load:
    """What so many processes spend on a move, in seconds of CPU, and moves a second on the wall."""

    processes: int
    bot: float
    database: float
    a_second: float

    @property
    def carried(self) -> float:
        """Moves a second with a core for each process."""
        return self.processes / self.bot


def cpu(pid: int) -> float:
    """Return the CPU time of a process so far, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


def family(pid: int) -> float:
    """Return the CPU time of a process, of its children that live and of those that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    ended = (int(fields[13]) + int(fields[14])) / _TICK
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    return cpu(pid) + ended + sum(cpu(int(child)) for child in children)


async def measure(server: PostgresServer, processes: int, moves: int) -> Load:
    """Let people play, and return what the processes of the bot spend on a move."""
    async with contextlib.AsyncExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        loopback = await stack.enter_async_context(
            LoopbackDiscord(approved=discord.Intents.all(), invited=INVITE)
        )
        loopback.patience, loopback.gateway.buckets = 120, 16
        house = House(loopback, Nursery(loopback), Path(folder) / "unused", "processes")
        url = server.database(empty=True)
        clubs = [Club(house, f"Club {shard}", shard, 2) for shard in range(2)]
        pids = []
        for number in range(processes):
            settings = {
                **environment(),
                "DISCORD_TOKEN": loopback.token,
                "DATABASE_URL": url,
                "SHARDS": "2",
                "SHARD_IDS": str(number) if processes > 1 else "",
                "DOMINIUM_DISCORD_API": loopback.url,
                "DOMINIUM_MESSAGE_CONTENT": "yes",
            }
            bot = await stack.enter_async_context(BotProcess(loopback, _COMMAND, settings))
            pids.append(bot.pid)
        await loopback.wait_until(lambda: loopback.gateway.hearing() == [0, 1])
        house.records = stack.enter_context(contextlib.closing(PostgresRecords(url)))
        tables = [(club, await club.begin()) for club in clubs for _ in range(MATCHES)]
        await play(tables, 2)  # what is done once isn't counted
        before, base, begun = sum(map(cpu, pids)), family(server.pid), perf_counter()
        await play(tables, moves)
        count, lasted = moves * len(tables), perf_counter() - begun
        spent, asked = sum(map(cpu, pids)) - before, family(server.pid) - base
        return Load(processes, spent / count, asked / count, count / lasted)


async def play(tables: list[tuple[Club, str]], moves: int) -> None:
    """Play so many moves in each match, all matches side by side."""

    async def one(club: Club, match: str) -> None:
        for _ in range(moves):
            await club.move(match)

    await asyncio.gather(*(one(club, match) for club, match in tables))


async def run(moves: int) -> bool:
    """Measure both, print what was found, and return whether two carry enough more than one."""
    server = started()
    try:
        loads = [await measure(server, processes, moves) for processes in (1, 2)]
    finally:
        server.remove()
    print("processes  CPU of the bot a move  CPU of the database  moves/s here  moves/s, a core each")
    for load in loads:
        print(
            f"{load.processes:9}  {load.bot * 1000:18.1f} ms  {load.database * 1000:16.1f} ms  "
            f"{load.a_second:12.1f}  {load.carried:20.1f}"
        )
    ratio = loads[1].carried / loads[0].carried
    print(f"two carry {ratio:.2f} times as much as one; at least {TARGET} wanted")
    return ratio >= TARGET


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=12, help="moves in each match")
    sys.exit(0 if asyncio.run(run(parser.parse_args().moves)) else 1)
