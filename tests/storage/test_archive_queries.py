"""What autocomplete asks at each keystroke is found by the person, however many matches there are."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from matches.rows import Commit
from storage import open_store
from storage.archive import OVER_OF
from tests.fakes import START, FakeClock
from tests.storage.rows import lobby


async def test_finished_matches_of_a_person_are_found_by_indexes(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = await open_store(path, clock=FakeClock())
    await store.create(Commit(lobby(), START))
    await store.close()
    db = sqlite3.connect(path)
    try:
        plan = [
            row[-1] for row in db.execute(f"EXPLAIN QUERY PLAN SELECT * FROM matches {OVER_OF}", (7, "f", 25))
        ]
    finally:
        db.close()
    assert any("seats_user" in step for step in plan), plan
    assert any("matches_host" in step for step in plan), plan
    assert not any(step.startswith("SCAN") or "matches_status" in step for step in plan), plan
