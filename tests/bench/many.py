"""A store with a million matches beside one with a thousand: opening, looking, moving, sweeping.

Times are those of the store's methods, in milliseconds. Matches are short, since logs are read one at a time:
what could grow is what looks for matches. At the 99th percentile it takes three times as long at most.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from matches.ports import Store
from matches.store.archive import ArchiveQuery
from matches.store.rows import Commit, MatchRow
from storage import open_either
from storage.rows import to_ms
from tests.fakes import START, FakeClock
from tests.storage.rows import lobby, move

TARGET = 3.0
FLOOR = 0.5
"""Milliseconds below which nothing counts as slow: so little is noise."""
_HEAD = "{}: p99 in ms with a thousand matches, and with many"
TIMES = 300
LIVE = 40
"""Matches that go on, however many are over: the bot reads all of them at its start."""
HOUR = timedelta(hours=1)
NOW = to_ms(START)

FILL = """
INSERT INTO matches (id, game, status, guild, channel, thread, host, options, secret, created, updated,
    version, revision, use_thread, reminded, expires, unreachable, result)
SELECT 'M-' || i, 'focus', CASE WHEN i <= {live} THEN 'live' ELSE 'over' END, i % 500, i, NULL,
    i % {people}, '{{}}', '{secret}', {now} - i * 1000, {now} - i * 1000, 2, 2, 0, 0, NULL, '',
    '{{"how":"outcome","ranks":[1,2]}}'
FROM {numbers};
INSERT INTO seats SELECT 'M-' || i, s, 'person', (i * (1 + 6 * s) + 3 * s) % {people}, 'Ann', ''
FROM {numbers}, {two};
INSERT INTO entries SELECT 'M-' || i, s, 'play', 0, 'e3-e4', {now}, 1 FROM {numbers}, {three};
"""
SQLITE = {
    "numbers": (
        "(WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < {count}) SELECT i FROM c)"
    ),
    "two": "(SELECT 0 AS s UNION ALL SELECT 1)",
    "three": "(SELECT 0 AS s UNION ALL SELECT 1 UNION ALL SELECT 2)",
}
POSTGRES = {
    "numbers": "generate_series(1, {count}) AS n (i)",
    "two": "generate_series(0, 1) AS t (s)",
    "three": "generate_series(0, 2) AS t (s)",
}


def fill(count: int, words: dict[str, str]) -> str:
    """Return the statements that add so many matches."""
    made = {key: text.format(count=count) for key, text in words.items()}
    return FILL.format(live=LIVE, people=max(100, count // 20), secret="5e" * 32, now=NOW, **made)


async def fill_file(path: Path, count: int) -> None:
    """Add matches to a new file."""
    await (await open_either(path, clock=FakeClock())).close()
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA synchronous = OFF")
    db.executescript(f"BEGIN; {fill(count, SQLITE)} COMMIT; PRAGMA optimize;")
    db.close()


def steps(store: Store) -> dict[str, Callable[[int], Awaitable[Any]]]:
    """What is measured, each with the number of the try."""
    last: list[MatchRow] = []

    async def moves(number: int) -> None:
        if not last:
            last.append(lobby("Z-1"))
            await store.create(Commit(last[0], START))
        change = move(last[0], f"r{number}")
        await store.commit(change)
        last[0] = change.row
        for row in await store.outbox_pending("Z-1"):
            await store.outbox_drop(row.id, "sent")

    async def sweep(number: int) -> None:
        await store.expiring(START)
        await store.overdue(START)
        await store.idle_due(START, HOUR)
        await store.follows_due(START, 100)
        await store.outbox(START)

    return {
        "a move": moves,
        "a sweep": sweep,
        "/matches mine": store.by_user,
        "/matches finished": lambda number: store.finished(ArchiveQuery(number), 11),
        "... opponent:": lambda number: store.finished(ArchiveQuery(number, opponent=number * 7 + 3), 11),
        "... of a server": lambda number: store.finished(ArchiveQuery(guild=number), 11),
        "what to read": lambda number: store.channels_to_read(),
    }


async def measure(where: Path | str) -> dict[str, float]:
    """Return the 99th percentile of each step, in milliseconds."""
    opening = []
    for _ in range(5):
        began = perf_counter()
        await (await open_either(where, clock=FakeClock())).close()
        opening.append((perf_counter() - began) * 1000)
    found = {"opening": sorted(opening)[2]}
    store = await open_either(where, clock=FakeClock())
    for name, step in steps(store).items():
        times = []
        for number in range(TIMES):
            began = perf_counter()
            await step(number)
            times.append((perf_counter() - began) * 1000)
        found[name] = sorted(times)[TIMES * 99 // 100 - 1]
    await store.close()
    return found


def compare(few: dict[str, float], many: dict[str, float], *, target: float = TARGET) -> bool:
    """Print both, and return whether nothing takes too long."""
    passed = True
    for key, value in few.items():
        good = many[key] <= target * max(value, FLOOR)
        passed = passed and good
        verdict = "pass" if good else "FAIL"
        print(f"  {key:24} {value:8.2f} {many[key]:8.2f}  ×{many[key] / value:.1f}  {verdict}")
    return passed


def main() -> int:
    """Measure and print; 1 if the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.bench.many")
    parser.add_argument("--matches", type=int, default=1_000_000, help="how many matches are many")
    parser.add_argument("--postgresql", action="store_true", help="measure PostgreSQL too; it takes minutes")
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        found = []
        for count in (1000, asked.matches):
            path = Path(folder) / f"{count}.sqlite3"
            asyncio.run(fill_file(path, count))
            found.append(asyncio.run(measure(path)))
            size = path.stat().st_size / 1e6
        print(_HEAD.format("SQLite"))
        passed = compare(*found)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"  the file has {size:,.0f} MB, this process had {most:,.0f} MB at most")
    if asked.postgresql:
        passed = on_postgresql(asked.matches) and passed
    return 0 if passed else 1


def on_postgresql(matches: int) -> bool:
    """Do the same on a server of our own."""
    import psycopg

    from tests.postgres_server import started

    server, found = started(), []
    try:
        for count in (1000, matches):
            url = server.database()
            with psycopg.connect(url, autocommit=True) as db:
                db.execute(fill(count, POSTGRES).encode())
                db.execute("VACUUM ANALYZE")
            found.append(asyncio.run(measure(url)))
        print(_HEAD.format("PostgreSQL"))
        return compare(*found)
    finally:
        server.remove()


if __name__ == "__main__":
    sys.exit(main())
