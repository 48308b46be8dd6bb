"""The whole path of a move, message in to board posted, against a bare discord.py bot that posts a file.

Both bots run in processes of their own against loopback servers in this one, and take turns move by move. A
time ends when the server has handled the post. The file has the size of a board. Figures in milliseconds.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import discord

from tests.bot_process.house import ROUTES, House
from tests.bot_process.lobbies import begin, join, newest, open_lobby
from tests.bot_process.process import Nursery, environment
from tests.loopback import BotProcess, LoggedRequest, LoopbackDiscord, Moment

TARGET = 3.0
"""How many times as long as the bare bot's answer a move may take, at the 99th percentile."""
ROUNDS = 3
"""Rounds with new processes; the one with the median ratio counts, for a disk has its moods."""
WARM = 10
"""Moves before the first that counts: caches fill, connections open."""
_BARE = Path(__file__).with_name("bare.py")


@dataclass(frozen=True, slots=True)
class Figures:
    """Milliseconds of ours and of the bare bot, and their ratio at the 99th percentile.

    Moves that end a match are told apart: their board comes with the match's story.
    """

    moves: int
    bytes: int
    ours_p50: float
    ours_p99: float
    bare_p50: float
    bare_p99: float
    ratio_p50: float
    ratio_p99: float
    last_move: float
    """The longest move that ended a match; 0 if none did."""


class Stopwatch:
    """From a message to the moment in which the server has handled the bot's next post."""

    def __init__(self, server: LoopbackDiscord) -> None:
        self._posted: asyncio.Future[float] | None = None
        server.on_request = self._hear
        self.size = 0

    async def _hear(self, moment: Moment, request: LoggedRequest) -> bool | None:
        if moment is Moment.AFTER and (request.method, request.template) == ROUTES["post"]:
            self.size = sum(file.size for file in request.files)
            if self._posted is not None and not self._posted.done():
                self._posted.set_result(perf_counter())
        return None

    async def time(self, say: Callable[[], object]) -> float:
        """Milliseconds until the answer to what is said."""
        self._posted = asyncio.get_running_loop().create_future()
        begun = perf_counter()
        say()
        return 1000 * (await asyncio.wait_for(self._posted, 20) - begun)


class Ours:
    """The bot as `dominium run` starts it, and two people who play."""

    def __init__(self, server: LoopbackDiscord, folder: Path) -> None:
        self.house = House(server, Nursery(server), folder / "dominium.sqlite3", "path")
        self._server = server
        self.watch = Stopwatch(server)
        self.process = BotProcess(
            server,
            [sys.executable, "-m", "dominium", "run"],
            {
                **environment(),
                "DISCORD_TOKEN": server.token,
                "DOMINIUM_DATA": str(self.house.path),
                "DOMINIUM_DISCORD_API": server.url,
                "DOMINIUM_LOG_LEVEL": "WARNING",
            },
        )

    @property
    def playing(self) -> bool:
        """Whether a match is running."""
        rows = self.house.records.rows()
        return bool(rows) and rows[-1].status == "live"

    async def move(self) -> float:
        """One move by whoever is to move, by mention."""
        if not self.playing:
            await self._begin()
        row = newest(self.house)
        text, thread = self.house.any_move(row.id), self.house.thread(row.id)
        mover = self.house.mover(row, self.house.now(row.id))
        took = await self.watch.time(lambda: mover.send(thread, text, mention=True))
        await self._rest()
        return took

    async def _begin(self) -> None:
        for act in (open_lobby, join, begin):
            made = act(self.house)
            await made.do()
            await _until(made.done)
            await self._rest()

    async def _rest(self) -> None:
        """Let the bot finish, so that no move pays for the one before."""
        await _until(lambda: not self.house.records.waiting())


class Bare:
    """The bare bot and a person who mentions it."""

    def __init__(self, server: LoopbackDiscord, size: int) -> None:
        guild = server.create_guild("Bare")
        self._room = guild.create_text_channel("games")
        self._person = server.create_person("Ann", guild)
        self.watch = Stopwatch(server)
        self.process = BotProcess(
            server,
            [sys.executable, _BARE],
            {
                **environment(),
                "DISCORD_TOKEN": server.token,
                "DOMINIUM_DISCORD_API": server.url,
                "BARE_SIZE": str(size),
            },
        )

    async def move(self) -> float:
        """One message and its answer."""
        return await self.watch.time(lambda: self._person.send(self._room, "a1-a2", mention=True))


async def _until(state: Callable[[], bool]) -> None:
    while not state():  # noqa: ASYNC110 - the bot as it is tells nobody what its database holds
        await asyncio.sleep(0.002)


def percentile(times: list[float], share: float) -> float:
    """The time that this share of all times does not exceed."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


async def _server(stack: AsyncExitStack) -> LoopbackDiscord:
    """A Discord of its own, without the global limit of requests: moves come faster here than people's."""
    server = await stack.enter_async_context(LoopbackDiscord(approved=discord.Intents.default()))
    server.limits.everywhere(None)
    return server


async def measure(moves: int) -> Figures:
    """Let both take turns."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        ours = Ours(await _server(stack), folder)
        await stack.enter_async_context(ours.process)
        for _ in range(WARM):
            await ours.move()
        size = ours.watch.size
        bare = Bare(await _server(stack), size)
        await stack.enter_async_context(bare.process)
        for _ in range(WARM):
            await bare.move()
        mine: list[float] = []
        last: list[float] = []
        theirs: list[float] = []
        gc.collect()
        gc.disable()  # the servers' own pauses are nobody's merit
        for _ in range(moves):
            took = await ours.move()
            (mine if ours.playing else last).append(took)
            theirs.append(await bare.move())
        gc.enable()
    p = percentile
    return Figures(
        moves,
        size,
        p(mine, 0.5),
        p(mine, 0.99),
        p(theirs, 0.5),
        p(theirs, 0.99),
        p(mine, 0.5) / p(theirs, 0.5),
        p(mine, 0.99) / p(theirs, 0.99),
        max(last, default=0.0),
    )


def main() -> int:
    """Measure and print; 1 if the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.bench.path")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--moves", type=int, default=300, help="how many moves are timed")
    chosen = parser.parse_args()
    rounds = sorted((asyncio.run(measure(chosen.moves)) for _ in range(ROUNDS)), key=lambda f: f.ratio_p99)
    found = rounds[ROUNDS // 2]
    passed = found.ratio_p99 <= TARGET
    if chosen.json:
        print(json.dumps({**asdict(found), "target": TARGET, "passed": passed}))
        return 0 if passed else 1
    print(f"move path, {found.moves} moves, the median of {ROUNDS} rounds, {found.bytes} bytes a board (ms)")
    print(f"{'':8}{'ours':>8}{'bare':>8}{'ratio':>8}")
    print(f"{'p50':8}{found.ours_p50:8.1f}{found.bare_p50:8.1f}{found.ratio_p50:8.2f}")
    verdict = "pass" if passed else "FAIL"
    print(
        f"{'p99':8}{found.ours_p99:8.1f}{found.bare_p99:8.1f}{found.ratio_p99:8.2f}  ≤ {TARGET:g}  {verdict}"
    )
    print(f"the longest move that ended a match: {found.last_move:.1f}")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
