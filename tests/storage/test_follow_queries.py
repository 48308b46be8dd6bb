"""What the pollers of followers and showcases ask is answered by indexes, however many matches are live."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage.follows import DUE
from tests.storage.query_plans import plan_of

QUERIES = {
    "what is due": "SELECT * FROM follows WHERE due <= 5 AND NOT closed ORDER BY due, match, user LIMIT 100",
    "a person": "SELECT * FROM follows WHERE user = 7 AND NOT closed ORDER BY since, match",
    "a server": "SELECT * FROM matches WHERE guild = 5 AND status = 'live' ORDER BY updated DESC LIMIT 50",
    "a turn": DUE,
}
VALUES = {"at": 1, "gap": 1, "match": "F-001", "over": 0}


@pytest.mark.parametrize("asked", QUERIES)
async def test_no_query_reads_a_whole_table(tmp_path: Path, asked: str) -> None:
    plan = await plan_of(tmp_path, QUERIES[asked], VALUES)
    assert plan
    assert not any(step.startswith("SCAN") for step in plan), plan
