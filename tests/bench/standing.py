"""A million rated matches beside a thousand: a rebuild, leaderboards, profiles, and the end of a match.

One real match is played, and copied for other people and times. `dominium ratings rebuild --write` runs as a
process of its own; then what each command reads and draws is measured, in time of a core, so that others who
use the machine don't count. At the 99th percentile that takes twice as long at most, the rebuild of a million
five minutes, and pairing a large Swiss two seconds. `--postgresql` rebuilds on a server of our own, too.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Final

from bot.actions.standing import CHARTED, read_profile, read_top
from bot.messages.profile import profile_text, rating_chart, shown_ladder
from bot.messages.standing import TopView, top_table
from bot.platform.reader_settings import Reader
from locales import Catalogue
from matches.ports import Store
from matches.results import Lobby, Person, Played
from matches.service import MatchService
from matches.standing.match_results import result_of
from matches.store.rows import Commit, MatchRow, Place
from render import draw_rating_chart, draw_table
from storage import open_either, open_store
from tests.bench.many import compare
from tests.fakes import FakeClock, FakeEntropy
from tournaments.event import Entrant, Event, with_result
from tournaments.progress import advanced

MINUTES: Final = 5
"""How long a rebuild of a million may take."""
TARGET: Final = 2.0
TIMES: Final = 1000
MOVES: Final = 10
"""Moves of each player in the match that is copied."""
READER: Final = Reader(Catalogue())
GUILDS: Final = 50
FIRST: Final = 1000
"""The id of the first person; all others follow."""
PEOPLE: Final = 500
ROUNDS: Final = 10
SECONDS: Final = 2.0
"""How long a round of a Swiss of this size may take to pair, in a thread of its own."""
_STEP: Final = 20_000
"""Milliseconds between the ends of two matches."""

_COPY: Final = """
CREATE TEMP TABLE numbers AS WITH RECURSIVE c (i) AS (
    SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < {count}
) SELECT i, {first} + (i * 7919) % {people} AS a,
    {first} + ((i * 7919) % {people} + 1 + (i * 104729) % ({people} - 1)) % {people} AS b,
    printf('M-%06X', i * 7368787 & 0xFFFFFF) AS id FROM c ORDER BY id;
INSERT INTO matches ({columns}) SELECT {values} FROM matches AS m, numbers AS n WHERE m.id = '{id}'
ORDER BY n.i;
INSERT INTO seats SELECT n.id, s.seat, s.occupant, CASE s.seat WHEN 0 THEN n.a ELSE n.b END,
    'P' || CASE s.seat WHEN 0 THEN n.a ELSE n.b END, s.level
FROM numbers AS n CROSS JOIN seats AS s WHERE s.match = '{id}';
INSERT INTO entries SELECT n.id, e.seq, e.kind, e.seat, e.data, e.at + n.i * {step}, NULL
FROM numbers AS n CROSS JOIN entries AS e WHERE e.match = '{id}';
"""
"""Ids are in no order, as in a real database. Seats and entries are added by id, in a tenth of the time."""


def people_of(count: int) -> int:
    """Return how many people play so many matches."""
    return max(100, count // 50)


async def _play(path: Path) -> MatchRow:
    """Play a rated match in a new file."""
    clock = FakeClock()
    store = await open_store(path, clock=clock)
    service = MatchService(store, clock, FakeEntropy())
    ann, ben = Person(1, "Ann"), Person(2, "Ben")
    opened = await service.lobbies.create(ann, Place(8, 90), "focus", request="o", rated=True)
    assert isinstance(opened, Lobby)
    match = opened.row.id
    await service.lobbies.join(match, ben, request="j")
    assert isinstance(await service.lobbies.start(match, ann.id, request="s"), Played)
    for number in range(MOVES):
        for who in (ann, ben):
            for text in (await service.queries.legal(match, who.id))[:1]:
                clock.advance(timedelta(minutes=10))
                await service.play.submit(match, who.id, text, request=f"{number} {who.id}")
    assert isinstance(await service.play.resign(match, ben.id, request="end"), Played)
    row = await store.match(match)
    await store.close()
    assert row is not None
    return row


async def fill(path: Path, count: int) -> None:
    """Copy a match so many times; nothing of it has been counted yet."""
    row = await _play(path)
    people = people_of(count)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        names = [name for _, name, *_ in db.execute("PRAGMA table_info(matches)") if name != "n"]
        changed = {
            "id": "n.id",
            "guild": f"1 + n.i % {GUILDS}",
            "host": "n.a",
            "created": f"m.created + n.i * {_STEP}",
            "updated": f"m.updated + n.i * {_STEP}",
            "result": (
                'CASE WHEN (n.i % 4 < 3) = (n.a < n.b) THEN \'{"how":"outcome","ranks":[1,2]}\' '
                'ELSE \'{"how":"outcome","ranks":[2,1]}\' END'
            ),
        }
        script = _COPY.format(
            count=count,
            first=FIRST,
            people=people,
            step=_STEP,
            id=row.id,
            columns=", ".join(names),
            values=", ".join(changed.get(name, f"m.{name}") for name in names),
        )
        db.executescript(f"PRAGMA synchronous = OFF; BEGIN; {script} COMMIT; PRAGMA optimize;")


def rebuild(where: Path | str) -> tuple[float, float, float]:
    """Run the command; return minutes of the processor, minutes by the clock, and the most memory in MB."""
    began, before = perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = (sys.executable, "-m", "dominium", "ratings", "rebuild", "--write", "--database", str(where))
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return busy / 60, (perf_counter() - began) / 60, after.ru_maxrss / 1024


def steps(store: Store, last: MatchRow, people: int) -> dict[str, Callable[[int], Awaitable[float]]]:
    """What is measured: each takes the number of the try, and returns how many seconds of a core it took."""

    def someone(number: int) -> int:
        return FIRST + number * 37 % people

    async def top(number: int) -> float:
        """A page of a leaderboard, with its picture."""
        view = TopView("focus", "2", here=number % 2 == 0, season=number % 4 > 1, page=number % 3)
        guild, user = 1 + number % GUILDS, someone(number)
        began = process_time()
        page = await read_top(store, view, guild, user, last.updated)
        if (table := top_table(view.ladder(guild), page, user, READER)) is not None:
            draw_table(table[0], READER.say)
        return process_time() - began

    async def profile(number: int) -> float:
        """A profile, with its chart."""
        began = process_time()
        found = await read_profile(store, someone(number))
        profile_text(found, READER)
        if (ladder := shown_ladder(found)) is not None:
            history = await store.rating_history(ladder, found.user, CHARTED)
            draw_rating_chart(rating_chart(ladder, history, READER)[0], READER.say)
        return process_time() - began

    async def end(number: int) -> float:
        """The commit that ends one more match."""
        log, holders = await store.log(last.id), await store.holders(last.id)
        seats = tuple(replace(seat, user=someone(2 * number + seat.seat), name="Ann") for seat in last.seats)
        at = log[-1].at + timedelta(seconds=number + 1)
        row = replace(last, id=f"Z-{number}", seats=seats, updated=at)
        start, *rest = (replace(one, at=at, user=None) for one in log)
        live = replace(row, status="live", result=None, version=0, revision=0)
        await store.create(Commit(live, at, (start,)))
        result = result_of(row, (start, *rest), holders)
        began = process_time()
        await store.commit(Commit(replace(row, revision=1), at, tuple(rest), result=result))
        return process_time() - began

    return {"/ranking top": top, "/ranking profile": profile, "the end of a match": end}


async def measure(*paths: tuple[Path, int]) -> list[dict[str, float]]:
    """Return the 99th percentile of each step in each file, in milliseconds.

    Each has so many matches. They take turns, so that what else the machine does slows all of them.
    """
    stores, each = [], []
    for path, count in paths:
        store = await open_either(path, clock=FakeClock())
        row = await store.match(f"M-{count * 7368787 & 0xFFFFFF:06X}")
        assert row is not None
        stores.append(store)
        each.append(steps(store, row, people_of(count)))
    found: list[dict[str, float]] = [{} for _ in paths]
    for name in each[0]:
        times: list[list[float]] = [[] for _ in paths]
        for number in range(TIMES):
            for taken, step in zip(times, each, strict=True):
                taken.append(await step[name](number))
        for one, taken in zip(found, times, strict=True):
            one[name] = 1000 * sorted(taken)[TIMES * 99 // 100 - 1]
    for store in stores:
        await store.close()
    return found


def swiss() -> float:
    """Play a Swiss of PEOPLE, and return the seconds of the processor that its slowest round took to pair."""
    dice = Random(1)
    event = Event("swiss", ROUNDS, tuple(Entrant(number) for number in range(1, PEOPLE + 1)))
    slowest = 0.0
    for _ in range(ROUNDS):
        began = process_time()
        event = advanced(event)
        slowest = max(slowest, process_time() - began)
        for index in event.open:
            event = with_result(event, index, dice.choice(((2, 0), (1, 1), (0, 2))))
    return slowest


def on_postgresql(path: Path) -> tuple[float, float]:
    """Rebuild what a file has on a server; return minutes of a core, of the command and of the server."""
    from storage.postgres.files import load_database, owned
    from tests.postgres_server import started

    server = started()
    try:
        with owned(url := server.database()) as (db, name, _):
            load_database(db, name, path)
        server.stop()
        server.start()  # so that nothing counts of what has loaded the file, and may still be ending
        before = _used(server.pid)
        busy, *_ = rebuild(url)
        return busy, (_used(server.pid) - before) / 60
    finally:
        server.remove()


def _used(pid: int) -> float:
    """Return the seconds of the processor that a process and its children have used, on Linux."""
    found = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            one, _, rest = stat.read_text().partition(" ")
            parts = rest.rpartition(")")[2].split()
            if pid in (int(one), int(parts[1])):
                found += sum(map(int, parts[11:15]))
    return found / os.sysconf("SC_CLK_TCK")


def main() -> int:
    """Measure and print; 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.bench.standing")
    parser.add_argument("--matches", type=int, default=1_000_000, help="how many matches are many")
    parser.add_argument(
        "--postgresql", action="store_true", help="rebuild on PostgreSQL, too; it takes minutes"
    )
    asked = parser.parse_args()
    print("standing: the rebuild, then p99 in ms of a core with a thousand rated matches, and with many")
    with TemporaryDirectory() as folder:
        paths = [(Path(folder) / f"{count}.sqlite3", count) for count in (1000, asked.matches)]
        for path, count in paths:
            asyncio.run(fill(path, count))
            busy, took, most = rebuild(path)
            size = path.stat().st_size / 1e6
            print(
                f"  {count:,} matches: {busy:.2f} minutes of a core, {took:.2f} by the clock, "
                f"{most:,.0f} MB of memory, a file of {size:,.0f} MB",
                flush=True,
            )
            if asked.postgresql:
                command, server = on_postgresql(path)
                busy = max(busy, command + server)
                print(
                    f"  on PostgreSQL: {command:.2f} minutes of a core, {server:.2f} of the server",
                    flush=True,
                )
        found = asyncio.run(measure(*paths))
    passed = compare(*found, target=TARGET) and busy <= MINUTES
    pairing = swiss()
    print(f"  a round of a Swiss of {PEOPLE} is paired in {pairing:.2f} seconds of a core at most")
    return 0 if passed and pairing <= SECONDS else 1


if __name__ == "__main__":
    sys.exit(main())
