"""Durable commits of a move, against writing 4 KiB and fdatasync on the same disk, in operations per second.

A commit appends the entry, changes the row of the match and fills the outbox, as a move does.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from cli.bench.measure import Line, compare
from games.engine import match as engine
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import Entry, Kind
from matches import outbox_drafts as drafts
from matches.outbox.messages import BoardMessage
from matches.store.rows import Commit, Logged, MatchRow, Place, SeatRow
from storage import open_store

OPERATIONS = 150
"""Commits, and writes, a round."""
BEGUN = datetime(2026, 1, 1, tzinfo=UTC)


class StillClock:
    """A clock that stands still: nothing here depends on time."""

    def now(self) -> datetime:
        """Always the same moment."""
        return BEGUN


def new_match(number: int) -> Commit:
    """Return the first commit of a live match: two people, the log's opening entries."""
    game = registry.get("focus")
    match_id = f"F-B{number}"
    sealed = Sealed(number.to_bytes(32, "big"), match_id, f"bench:{number}")
    change = engine.begin(game, game.setup(2), sealed)
    row = MatchRow(
        id=match_id,
        game=game.key,
        status="live",
        place=Place(1, 2, 1_000_000 + number),
        host=10 + number,
        seats=(SeatRow(0, "person", 10 + number, "Ann"), SeatRow(1, "person", 20_000 + number, "Ben")),
        options=dict(change.match.setup.options),
        secret=sealed.secret.hex(),
        created=BEGUN,
        updated=BEGUN,
        version=change.match.seq,
    )
    logged = tuple(Logged(entry, BEGUN) for entry in change.entries)
    return Commit(row, BEGUN, logged, request=f"start-{number}")


def move(row: MatchRow, number: int) -> Commit:
    """Return the commit of one more move; the store doesn't check whether it is legal."""
    seq = row.version + 1
    at = BEGUN + timedelta(seconds=number)
    after = replace(row, version=seq, revision=row.revision + 1, updated=at)
    entry = Entry(seq, Kind.PLAY, Seat(seq % 2), "e4-e6")
    draft = drafts.draft(BoardMessage(seq, seq), row.id)
    return Commit(after, at, (Logged(entry, at, 10),), (draft,), request=f"move-{number}")


def lines(rounds: int, disk: Path) -> Iterator[Line]:
    """Yield one line: both measured in turns, in one directory of that disk."""
    with TemporaryDirectory(dir=disk, prefix=".dominium-bench-") as name, asyncio.Runner() as runner:
        store = runner.run(open_store(Path(name) / "bench.sqlite3", clock=StillClock()))
        first = new_match(0)
        runner.run(store.create(first))
        latest = [first.row]
        raw = os.open(Path(name) / "raw", os.O_CREAT | os.O_WRONLY, 0o600)
        sync = getattr(os, "fdatasync", os.fsync)
        block = b"x" * 4096

        async def commits() -> None:
            row = latest[0]
            for _ in range(OPERATIONS):
                commit = move(row, row.version)
                await store.commit(commit)
                row = commit.row
            latest[0] = row

        def ours(number: int) -> float:
            begun = perf_counter()
            runner.run(commits())
            return OPERATIONS / (perf_counter() - begun)

        def theirs(number: int) -> float:
            begun = perf_counter()
            for _ in range(OPERATIONS):
                os.write(raw, block)
                sync(raw)
            return OPERATIONS / (perf_counter() - begun)

        try:
            yield compare(
                "commit of a move v raw fdatasync",
                "/s",
                ours,
                theirs,
                rounds=rounds,
                target=0.4,
                better="more",
            )
        finally:
            os.close(raw)
            runner.run(store.close())
