"""What autocomplete asks at each keystroke is found by the person, however many matches there are."""

from __future__ import annotations

from pathlib import Path

from storage.archive import OVER_OF
from tests.storage.query_plans import plan_of


async def test_finished_matches_of_a_person_are_found_by_indexes(tmp_path: Path) -> None:
    plan = await plan_of(tmp_path, f"SELECT * FROM matches {OVER_OF}", (7, "f", 25))
    assert any("seats_user" in step for step in plan), plan
    assert any("matches_host" in step for step in plan), plan
    assert not any(step.startswith("SCAN") or "matches_status" in step for step in plan), plan
