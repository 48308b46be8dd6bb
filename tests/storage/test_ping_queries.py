"""What the poller of pings asks every half minute is answered by indexes, however many matches are live."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from matches.rows import Commit
from storage import open_store
from tests.fakes import START, FakeClock
from tests.storage.rows import lobby

QUERIES = {
    "what is due": "SELECT * FROM pings WHERE due <= 5 ORDER BY due, match, seat LIMIT 100",
    "a match": "SELECT * FROM pings WHERE match = 'F-001' ORDER BY seat",
    "a person": "SELECT * FROM pings WHERE user = 7 AND state <> 'over' ORDER BY began, match, seat",
    "what stands": "SELECT * FROM ping_posts WHERE match = 'F-001' AND seat = 1 AND message IS NOT 4",
}


@pytest.mark.parametrize("asked", QUERIES)
async def test_no_query_reads_a_whole_table(tmp_path: Path, asked: str) -> None:
    path = tmp_path / "store.sqlite3"
    store = await open_store(path, clock=FakeClock())
    await store.create(Commit(lobby(), START))
    await store.close()
    db = sqlite3.connect(path)
    try:
        plan = [row[-1] for row in db.execute(f"EXPLAIN QUERY PLAN {QUERIES[asked]}")]
    finally:
        db.close()
    assert plan
    assert not any(step.startswith("SCAN") for step in plan), plan
