"""What the pollers of followers and showcases ask is answered by indexes, however many matches are live."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from matches.rows import Commit
from storage import open_store
from storage.follows import DUE
from tests.fakes import START, FakeClock
from tests.storage.rows import lobby

QUERIES = {
    "what is due": "SELECT * FROM follows WHERE due <= 5 AND NOT closed ORDER BY due, match, user LIMIT 100",
    "a person": "SELECT * FROM follows WHERE user = 7 AND NOT closed ORDER BY since, match",
    "a server": "SELECT * FROM matches WHERE guild = 5 AND status = 'live' ORDER BY updated DESC LIMIT 50",
    "a turn": DUE,
}
VALUES = {"at": 1, "gap": 1, "match": "F-001", "over": 0}


@pytest.mark.parametrize("asked", QUERIES)
async def test_no_query_reads_a_whole_table(tmp_path: Path, asked: str) -> None:
    path = tmp_path / "store.sqlite3"
    store = await open_store(path, clock=FakeClock())
    await store.create(Commit(lobby(), START))
    await store.close()
    db = sqlite3.connect(path)
    try:
        plan = [row[-1] for row in db.execute(f"EXPLAIN QUERY PLAN {QUERIES[asked]}", VALUES)]
    finally:
        db.close()
    assert plan
    assert not any(step.startswith("SCAN") for step in plan), plan
