"""Matches that end at once in two processes change ratings in the order of their ends."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from matches.standing.ratings import in_order
from tests.fakes import FakeClock
from tests.storage.contract_standing import agrees, ended, season

pytest.importorskip("psycopg", reason="NO POSTGRESQL IS TESTED: no driver")

from storage.postgres.store import open_database_store

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", [11, 12])
async def test_two_processes_end_matches_of_the_same_people_at_once(empty_database: str, seed: int) -> None:
    one = await open_database_store(empty_database, clock=FakeClock(), name="one")
    other = await open_database_store(empty_database, clock=FakeClock(), name="other")
    for store in (one, other):
        assert store.leases is not None
        await store.leases.agree(2)
    results = season(seed)
    dice = Random(seed)
    shares: tuple[list[str], list[str]] = ([], [])
    for result in in_order(results):
        dice.choice(shares).append(result.match)
    await asyncio.gather(
        *(
            ended(store, result)
            for store, share in zip((one, other), shares, strict=True)
            for result in results
            if result.match in share
        )
    )
    await agrees(one, results)
    await agrees(other, results)
    await other.close()
    await one.close()
