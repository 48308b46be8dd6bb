"""What the poller of pings asks every half minute is answered by indexes, however many matches are live."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.storage.query_plans import plan_of

QUERIES = {
    "what is due": "SELECT * FROM pings WHERE due <= 5 ORDER BY due, match, seat LIMIT 100",
    "a match": "SELECT * FROM pings WHERE match = 'F-001' ORDER BY seat",
    "a person": "SELECT * FROM pings WHERE user = 7 AND state <> 'over' ORDER BY began, match, seat",
    "what stands": "SELECT * FROM ping_posts WHERE match = 'F-001' AND seat = 1 AND message IS NOT 4",
}


@pytest.mark.parametrize("asked", QUERIES)
async def test_no_query_reads_a_whole_table(tmp_path: Path, asked: str) -> None:
    plan = await plan_of(tmp_path, QUERIES[asked])
    assert plan
    assert not any(step.startswith("SCAN") for step in plan), plan
