"""How long the bot keeps its event loop busy at a time, while all games are played and looked at.

The promise is that nothing does for more than 20 ms. The bot runs as `dominium run` starts it, against a
loopback server: two people play each game, and one of them plays it against a computer of a middle level;
they look at boards, scores, odds, legal moves and the last turn. Then the bot is started anew, with cold
caches, and one match has become long meanwhile; they look again, resign and replay. The times are those of
the loop's callbacks after each start, in CPU time of the loop's thread.

At last four of the strongest computers think at a time, while people look at another match. The time by
which timers are late then, by the clock on the wall, stays below 20 ms for 99 of 100; beside it stands the
same with nobody thinking, since other programs make them late, too. With `--threads`, threads think.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import discord

from bot.platform.config import default_thinkers
from games.ai.players_by_level import Levels
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import Change, Entry
from games.engine.match import play as play_on
from tests.bench.path import percentile
from tests.bot_process.house import House, calls
from tests.bot_process.lobbies import begin, join, newest
from tests.bot_process.process import Nursery, environment
from tests.loopback import BotProcess, LoopbackDiscord

LONG = 4_000
"""Entries of the match that is loaded cold."""
TARGET = 20.0
"""Milliseconds for which a callback may keep the loop busy."""
LOOKS = 30
"""Number of times that people look at another match while the strongest computers think."""
BUSY = 1.5
"""How many times later than with nobody thinking timers may be, on a machine that is busy otherwise."""
_METERED = Path(__file__).with_name("metered.py")
_LOOKS = ("score", "last", "dice", "clock")


@dataclass(frozen=True, slots=True)
class Lag:
    """Milliseconds of the loop's callbacks."""

    callbacks: int
    length: int
    """Entries of the longest match that was loaded cold."""
    p99: float
    p999: float
    longest: tuple[tuple[float, str], ...]
    late: float
    """Milliseconds by which 99 of 100 timers were late at most, with nobody thinking."""
    late_thinking: float
    """The same with four of the strongest computers thinking."""

    @property
    def most(self) -> float:
        """The longest."""
        return self.longest[0][0]


def lengthen(house: House, match_id: str) -> int:
    """Play a match on at random, without a bot, until its log has `LONG` entries; return its length."""
    ((secret,),) = house.records.ask("SELECT secret FROM matches WHERE id = ?", match_id)
    match, random = house.now(match_id), Random(1)
    new: list[Entry] = []
    sealed = Sealed(bytes.fromhex(secret), match_id, match.salt)
    while match.seq < LONG and match.ending is None:
        seat = min(match.to_act)
        view = match.game.view(match.state, seat)
        change = play_on(match, seat, random.choice(list(match.game.actions(view, seat))), sealed)
        assert isinstance(change, Change)
        match = change.match
        new += change.entries
    at = int(1000 * datetime.now(UTC).timestamp())
    with contextlib.closing(sqlite3.connect(house.path)) as db, db:
        db.executemany(
            "INSERT INTO entries (match, seq, kind, seat, data, at) VALUES (?, ?, ?, ?, ?, ?)",
            [(match_id, one.seq, one.kind, one.seat, one.data, at + one.seq) for one in new],
        )
        status = "live" if match.ending is None else "over"
        db.execute("UPDATE matches SET version = ?, status = ? WHERE id = ?", (match.seq, status, match_id))
    return match.seq


class Play:
    """Two people who play matches against one bot after another."""

    def __init__(self, server: LoopbackDiscord, folder: Path, thinkers: int) -> None:
        self.house = House(server, Nursery(server), folder / "dominium.sqlite3", "lag")
        self._server = server
        self._folder = folder
        self._thinkers = thinkers
        self._random = Random(1)
        self.files: list[Path] = []
        self._pid = 0

    @contextlib.asynccontextmanager
    async def bot(self) -> AsyncIterator[None]:
        """A bot with a meter, caught up; its figures are written when it ends."""
        self.files.append(self._folder / f"lag-{len(self.files)}.json")
        settings = {
            **environment(),
            "DISCORD_TOKEN": self._server.token,
            "DOMINIUM_DATA": str(self.house.path),
            "DOMINIUM_DISCORD_API": self._server.url,
            "DOMINIUM_LOG_LEVEL": "WARNING",
            "DOMINIUM_THINKERS": str(self._thinkers),
            "LAG_FILE": str(self.files[-1]),
        }
        async with BotProcess(self._server, [sys.executable, _METERED, "run"], settings) as process:
            self._pid = process.pid
            self.begin_anew()
            yield
            await process.terminate()

    def begin_anew(self) -> None:
        """Let the meter forget what was before."""
        os.kill(self._pid, signal.SIGUSR1)

    async def rest(self, state: Callable[[], bool] = lambda: True) -> None:
        """Wait until the database is in a state and nothing waits to be sent."""
        while not state() or self.house.records.waiting():  # noqa: ASYNC110 - the bot tells nobody
            await asyncio.sleep(0.002)

    async def open(self, game: str, level: str | None = None) -> str:
        """Begin a match, of two people or against a computer of that level; return its id."""
        house, before = self.house, len(self.house.records.rows())
        await house.ann.slash(house.room, "play", game=game, players=2)
        await self.rest(lambda: len(house.records.rows()) == before + 1)
        if level is not None:
            match = newest(house).id
            lobby = next(one for one in house.server.messages(house.room) if match in str(calls(one)[:1]))
            menu = await house.ann.click(lobby, "Add computer")
            if menu.message is not None:
                await house.ann.select(menu.message, level)
            await self.rest()
        else:
            act = join(house)
            await act.do()
            await self.rest(act.done)
        act = begin(house)
        await act.do()
        await self.rest(act.done)
        return newest(house).id

    async def move(self, match_id: str) -> bool:
        """One random move by someone who is to move; False once the match is over."""
        house = self.house
        row = next(row for row in house.records.rows() if row.id == match_id)
        people = {seat for seat, user in enumerate(row.seats) if user in house.people}

        def waits() -> bool:
            match = house.now(match_id)
            return match.ending is not None or bool(match.to_act & people)

        await self.rest(waits)
        match = house.now(match_id)
        if match.ending:
            return False
        seat = min(match.to_act & people)
        view = match.game.view(match.state, Seat(seat))
        texts = [match.game.format(view, action) for action in match.game.actions(view, Seat(seat))]
        text = self._random.choice(texts)
        person, thread = house.people[row.seats[seat] or 0], house.thread(match_id)
        for _ in range(2):  # a warning is answered by typing the same again
            person.send(thread, text, mention=True)
            await self.rest()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self.rest(lambda: house.now(match_id).seq > match.seq)
                return True
        raise AssertionError(f"{text} was not played in {match_id}")

    async def end(self, match_id: str) -> None:
        """Resign, if the match isn't over, and replay it."""
        house, thread = self.house, self.house.thread(match_id)
        if not house.now(match_id).ending:
            sure = await house.ann.slash(thread, "match resign")
            assert sure.message is not None
            await house.ann.click(sure.message, "Yes, I resign")
            await self.rest(lambda: house.now(match_id).ending is not None)
        await house.ann.click(house.boards(match_id)[-1], "Replay")
        await self.rest()

    async def look(self, match_id: str) -> None:
        """Everything that can be asked about a match."""
        house, thread = self.house, self.house.thread(match_id)
        for what in _LOOKS:
            await house.ann.slash(thread, "ask about", what=what)
        await house.ann.slash(thread, "ask board")
        await house.ann.slash(thread, "ask odds")
        await house.ben.slash(thread, "ask moves")
        await self.rest()


def middle(game: str) -> str:
    """Return the name of a middle level: strong ones would think for most of an hour in all matches."""
    names = Levels().names(game)
    return names[len(names) // 2]


async def look_on(play: Play, *, thinking: int) -> None:
    """Look at a match again and again, while some of the strongest computers think about theirs."""
    other = await play.open("focus")
    matches = [await play.open("focus", Levels().names("focus")[-1]) for _ in range(thinking)]
    await asyncio.gather(*(play.move(match) for match in matches))
    play.begin_anew()
    for _ in range(LOOKS):
        await play.look(other)


async def measure(moves: int, thinkers: int) -> Lag:
    """Play, and read the meters."""
    with TemporaryDirectory() as folder:
        async with LoopbackDiscord(approved=discord.Intents.default()) as server:
            play = Play(server, Path(folder), thinkers)
            async with play.bot():
                matches = [
                    await play.open(key, level) for key in registry.KEYS for level in (None, middle(key))
                ]
                for match in matches:
                    for _ in range(moves):
                        if not await play.move(match):
                            break
                    await play.look(match)
            length = lengthen(play.house, matches[2 * registry.KEYS.index("domination")])
            async with play.bot():
                for match in matches:
                    await play.look(match)
                    await play.end(match)
            for thinking in (0, 4):
                async with play.bot():
                    await look_on(play, thinking=thinking)
            figures = [json.loads(path.read_text("utf-8")) for path in play.files]
    times = [time for each in figures for time in each["times"]]
    longest = sorted(((took, name) for each in figures for took, name in each["longest"]), reverse=True)
    late = [percentile(each["late"], 0.99) for each in figures[-2:]]
    return Lag(
        len(times), length, percentile(times, 0.99), percentile(times, 0.999), tuple(longest[:5]), *late
    )


def main() -> int:
    """Measure and print; 1 if the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.bench.lag")
    parser.add_argument("--moves", type=int, default=60, help="how many moves are played in each match")
    parser.add_argument("--threads", action="store_true", help="let computers think in threads")
    asked = parser.parse_args()
    found = asyncio.run(measure(asked.moves, 0 if asked.threads else default_thinkers()))
    passed = found.most <= TARGET and found.late_thinking <= max(TARGET, BUSY * found.late)
    print(f"event loop, {found.callbacks:,} callbacks (ms of the loop's thread)")
    print(f"with a cold start of a match of {found.length:,} entries")
    print(f"p99 {found.p99:.2f}, p99.9 {found.p999:.2f}, longest {found.most:.1f}  ≤ {TARGET:g}  ", end="")
    print("pass" if passed else "FAIL")
    print(
        f"timers late with four experts thinking (ms): p99 {found.late_thinking:.2f}  ≤ {TARGET:g}, ", end=""
    )
    print(f"with nobody thinking {found.late:.2f}")
    for took, name in found.longest:
        print(f"  {took:5.1f}  {name}")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
