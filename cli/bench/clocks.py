"""Looking for clocks that are due among 2,000 live matches when none is, against a bare indexed query."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from cli.bench.commits import BEGUN, StillClock, new_match
from cli.bench.measure import Line, compare, limit
from matches.clocks.control import PRESETS, to_json
from matches.service import MatchService
from matches.store.rows import Conditions
from storage import open_store

MATCHES = 2000
POLLS = 50
"""Polls, and queries, a round."""


class NoEntropy:
    """No secrets are made here."""

    def token(self, size: int) -> bytes:
        """Return zeros."""
        return bytes(size)


def lines(rounds: int, disk: Path) -> Iterator[Line]:
    """Yield the ratio to the bare query, and how long one poll takes."""
    with TemporaryDirectory(dir=disk, prefix=".dominium-bench-") as name, asyncio.Runner() as runner:
        path = Path(name) / "bench.sqlite3"
        store = runner.run(open_store(path, clock=StillClock()))
        relaxed = PRESETS["relaxed"]
        clock = None if relaxed is None else to_json(relaxed)

        async def fill() -> None:
            for number in range(MATCHES):
                commit = new_match(number)
                due = {0: BEGUN + timedelta(seconds=1 + number)}
                row = replace(commit.row, conditions=Conditions(clock))
                await store.create(replace(commit, row=row, deadlines=due))

        runner.run(fill())
        service = MatchService(store, StillClock(), NoEntropy())
        bare = sqlite3.connect(f"file:{path}?mode=ro", uri=True)

        async def polls() -> None:
            for _ in range(POLLS):
                await service.time_up.tick()

        def ours(number: int) -> float:
            begun = perf_counter()
            runner.run(polls())
            return (perf_counter() - begun) / POLLS * 1000

        def theirs(number: int) -> float:
            begun = perf_counter()
            for _ in range(POLLS):
                bare.execute(
                    "SELECT match FROM deadlines WHERE due <= ? ORDER BY due LIMIT 100", (0,)
                ).fetchall()
            return (perf_counter() - begun) / POLLS * 1000

        try:
            line = compare(
                "poll of 2,000 clocks v bare query",
                "ms",
                ours,
                theirs,
                rounds=rounds,
                target=60,
                better="less",
            )
            yield line
            yield limit("poll of 2,000 clocks, none due", "ms", line.ours, 10)
        finally:
            bare.close()
            runner.run(store.close())
