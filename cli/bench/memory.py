"""What a further thousand live matches cost in memory while no one moves in them.

Each match is looked at once, as a message in its thread does, so that every cache had its chance to keep it.
Python's allocations are counted, with the service and the real store; SQLite's page cache has a fixed limit.
"""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.platform.real_clock import SystemEntropy
from cli.bench.commits import StillClock, new_match
from cli.bench.measure import Line, limit
from matches.service import MatchService
from storage import open_store

FEW, MANY = 1_000, 3_000
LIMIT = 100_000
"""Bytes for a further thousand."""


async def _measure(path: Path) -> float:
    store = await open_store(path, clock=StillClock())
    service = MatchService(store, StillClock(), SystemEntropy())

    async def grow(start: int, stop: int) -> int:
        for number in range(start, stop):
            commit = new_match(number)
            await store.create(commit)
            await service.queries.current(commit.row.id)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        few = await grow(0, FEW)
        many = await grow(FEW, MANY)
    finally:
        tracemalloc.stop()
        await store.close()
    return (many - few) * 1_000 / (MANY - FEW)


def lines(disk: Path) -> Iterator[Line]:
    """Yield one line: bytes for each further thousand live matches."""
    with TemporaryDirectory(dir=disk, prefix=".dominium-bench-") as name:
        cost = asyncio.run(_measure(Path(name) / "bench.sqlite3"))
    yield limit("memory of a further 1,000 live matches", "bytes", cost, LIMIT)
