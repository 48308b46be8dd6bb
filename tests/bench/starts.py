"""A restart with a thousand live matches beside one with a hundred: `python -m tests.bench.starts`.

The bot is started as `dominium run` starts it, on the loopback Discord with its 50 requests a second. Most
matches are in active threads, some in archived ones, and some people have written directly. A few have
written moves while the bot was away, and somebody writes one, in an archived thread, as soon as it is seen
online.

Figures in seconds are counted from the moment in which the bot is online. Requests that read channels are
what must not grow with what is live; silent direct messages are read after everything else, and don't count.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import sys
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import discord
from simcord.builders import ChannelHandle

from bot.inbound.read_marks import session_mark
from bot.platform.permissions import INVITE
from bot.platform.real_clock import DiscordClock, SystemEntropy
from matches.results import Lobby, Played
from matches.results import Person as Player
from matches.service import MatchService
from matches.store.rows import Place
from storage import open_store
from tests.bot_process.process import environment
from tests.loopback import BotProcess, LoggedRequest, LoopbackDiscord, Moment, Person

TARGET = 3.0
"""Seconds after which the first move is answered."""
FEW, MANY = 100, 1000
MISSED = 20
"""Matches in which somebody has moved while the bot was away."""
IN_A_SERVER = 5
"""Matches of one server."""
ARCHIVED = 4
"""Every how manieth thread is archived."""
DIRECT = 5
"""Every how manieth server's players have written directly."""
QUIET = 4.0
"""Seconds without a request after which a start is over: the pollers' pauses are shorter."""
PATIENCE = 60.0
SLACK = 20
"""By how many reads more matches may differ: a tenth of what reading them all would take."""
SILENT = timedelta(days=20)
"""For how long they have written nothing there since: such messages are read late, one a second."""
READS = (("GET", "/channels/{channel_id}/messages"), ("GET", "/channels/{channel_id}"))
_POST = ("POST", "/channels/{channel_id}/messages")


@dataclass(frozen=True, slots=True)
class Figures:
    """Seconds from the start to being online, and from there to the boards; requests that read."""

    matches: int
    online: float
    first: float
    missed: float
    settled: float
    reads: int


@dataclass(frozen=True, slots=True)
class Table:
    """A match, its thread, and who plays it."""

    begun: Played
    thread: ChannelHandle
    people: tuple[Person, ...]

    def move(self) -> None:
        """Let whoever is to move write the first legal move."""
        match = self.begun.match
        (seat,) = match.to_act
        view = match.game.view(match.state, seat)
        text = match.game.format(view, next(iter(match.game.actions(view, seat))))
        mover = next(one for one in self.people if one.id == self.begun.row.seats[seat].user)
        mover.send(self.thread, text, mention=True)


async def seat(server: LoopbackDiscord, path: Path, count: int) -> list[Table]:
    """Let so many matches begin, all of their messages sent and read."""
    store, tables = await open_store(path, clock=DiscordClock()), []
    service, backend = MatchService(store, DiscordClock(), SystemEntropy()), server.world.backend
    for number in range(0, count, IN_A_SERVER):
        guild = server.create_guild(f"Club {number}")
        room = guild.create_text_channel("games")
        people = tuple(server.create_person(f"{name}{number}", guild) for name in ("Ann", "Ben"))
        ann, ben = (Player(one.id, one.user.name) for one in people)
        for _ in range(min(IN_A_SERVER, count - number)):
            thread = backend.create_thread(room.id, "Focus", server.bot_id)
            handle = next(one for one in room.threads if one.id == thread.id)
            place = Place(guild.id, room.id, thread.id)
            opened = await service.lobbies.create(ann, place, "focus", request=f"o{thread.id}")
            assert isinstance(opened, Lobby), opened
            await service.lobbies.join(opened.row.id, ben, request=f"j{thread.id}")
            begun = await service.lobbies.start(opened.row.id, ann.id, request=f"s{thread.id}")
            assert isinstance(begun, Played), begun
            board = people[0].send(handle, "Who begins?")
            await store.mark_read({thread.id: board.id})
            tables.append(Table(begun, handle, people))
        if number // IN_A_SERVER % DIRECT == 0:
            for one in people:
                said = discord.utils.time_snowflake(discord.utils.utcnow() - SILENT)
                await store.save_settings("user", one.id, {"direct": [one.dm.id, said]})
    for row in await store.outbox_pending():
        await store.outbox_drop(row.id, "sent")
    for table in tables[ARCHIVED - 1 :: ARCHIVED]:
        server.archive(table.thread)
    await store.close()
    return tables


async def note_heard(path: Path) -> None:
    """Note what the bot notes every minute: that everything until now was heard."""
    store = await open_store(path, clock=DiscordClock())
    await store.mark_read({session_mark(1, 0): discord.utils.time_snowflake(discord.utils.utcnow())})
    await store.close()


class Watch:
    """Hears what the bot asks and posts, and when."""

    def __init__(self, server: LoopbackDiscord, tables: list[Table]) -> None:
        server.on_request = self._hear
        self._direct = {str(one.dm.id) for table in tables for one in table.people}
        """Channels of direct messages: reading those goes on and on."""
        self.boards: dict[str, float] = {}
        """When each thread has got a board."""
        self.reads: list[float] = []
        self._last = perf_counter()
        self._heard = asyncio.Event()

    async def _hear(self, moment: Moment, request: LoggedRequest) -> bool | None:
        if moment is Moment.AFTER and request.args.get("channel_id") not in self._direct:
            self._last = perf_counter()
            self._heard.set()
            if (request.method, request.template) in READS:
                self.reads.append(self._last)
            elif (request.method, request.template) == _POST and request.files:
                self.boards.setdefault(request.args["channel_id"], self._last)
        return None

    async def quiet(self) -> float:
        """Wait until nothing was asked for some seconds, and return when the last request was."""
        with contextlib.suppress(TimeoutError):
            while True:
                await self._next(QUIET)
        return self._last

    async def board(self, table: Table) -> float:
        """Wait until a match has got a board, and return when it was."""
        while str(table.thread.id) not in self.boards:
            await self._next(PATIENCE)
        return self.boards[str(table.thread.id)]

    async def _next(self, seconds: float) -> None:
        """Wait for the next request. Raises TimeoutError."""
        self._heard.clear()
        await asyncio.wait_for(self._heard.wait(), seconds)


async def measure(count: int) -> Figures:
    """Start a bot with so many live matches twice, and measure the second start."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "dominium.sqlite3"
        async with LoopbackDiscord(approved=discord.Intents.default(), invited=INVITE) as server:
            tables = await seat(server, path, count)
            settings = {
                **environment(),
                "DISCORD_TOKEN": server.token,
                "DOMINIUM_DATA": str(path),
                "DOMINIUM_DISCORD_API": server.url,
                "DOMINIUM_LOG_LEVEL": "WARNING",
            }
            async with BotProcess(server, (sys.executable, "-m", "dominium", "run"), settings):
                await Watch(server, tables).quiet()
            await note_heard(path)
            asleep, *awake = (
                [one for one in tables if server.is_archived(one.thread) is archived]
                for archived in (True, False)
            )
            missed = random.Random(count).sample(awake[0], MISSED)
            for table in missed:
                table.move()
            watch, began = Watch(server, tables), perf_counter()
            async with BotProcess(server, (sys.executable, "-m", "dominium", "run"), settings):
                online = perf_counter()
                asleep[0].move()
                first = await watch.board(asleep[0])
                last = max([await watch.board(table) for table in missed])
                settled = await watch.quiet()
    return Figures(count, online - began, first - online, last - online, settled - online, len(watch.reads))


def main() -> int:
    """Measure and print; 1 if the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.bench.starts")
    parser.add_argument("--matches", type=int, default=MANY, help="how many live matches are many")
    asked = parser.parse_args()
    print("starts: seconds to be online, and from there to the first board, all missed ones, quiet; reads")
    found = [asyncio.run(measure(count)) for count in (FEW, asked.matches)]
    for one in found:
        print(
            f"  {one.matches:5} live {one.online:6.1f} {one.first:6.2f} {one.missed:6.2f} "
            f"{one.settled:6.1f} {one.reads:5}",
            flush=True,
        )
    few, many = found
    passed = many.first <= TARGET and many.reads <= few.reads + SLACK
    print("  pass" if passed else "  FAIL")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
