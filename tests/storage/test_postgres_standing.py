"""Matches that end at once in two processes change ratings in the order of their ends."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from matches.standing.ratings import in_order
from tests.fakes import FakeClock
from tests.storage.contract_standing import agrees, ended, season

psycopg = pytest.importorskip("psycopg", reason="NO POSTGRESQL IS TESTED: no driver")

from storage import StoreError, standing_of  # noqa: E402 - needs the driver
from storage.postgres.store import open_database_store  # noqa: E402 - needs the driver

pytestmark = pytest.mark.slow
AT_ONCE = 6
"""Matches that end at about the same time. One that comes late counts again all that ended after it, and the
others wait for that, each for the seconds that a lock may take at most."""


_INDEXES = """
SELECT indexname, indexdef FROM pg_indexes WHERE tablename IN ('match_results', 'rating_changes', 'ratings')
UNION ALL SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conname IN (
    SELECT indexname FROM pg_indexes WHERE tablename IN ('match_results', 'rating_changes', 'ratings')
) ORDER BY 1, 2
"""


async def test_a_rebuild_leaves_the_indexes_as_they_were(ready_database: str) -> None:
    def indexes() -> list[tuple[str, str]]:
        with psycopg.connect(ready_database) as db:
            return [(name, made) for name, made in db.execute(_INDEXES)]

    store = await open_database_store(ready_database, clock=FakeClock())
    await ended(store, *in_order(season(1)))
    before = indexes()
    assert [definition for _, definition in before if definition.startswith("PRIMARY KEY")]
    await store.replace_standing(in_order(season(1)))
    await store.close()
    assert indexes() == before


def test_a_database_without_a_current_schema_is_refused(empty_database: str) -> None:
    with standing_of(empty_database, FakeClock()) as reader, pytest.raises(StoreError, match="next start"):
        next(reader.results())


@pytest.mark.parametrize("seed", [11, 12])
async def test_two_processes_end_matches_of_the_same_people_at_once(ready_database: str, seed: int) -> None:
    one = await open_database_store(ready_database, clock=FakeClock(), name="one")
    other = await open_database_store(ready_database, clock=FakeClock(), name="other")
    for store in (one, other):
        assert store.leases is not None
        await store.leases.agree(2)
    results = in_order(season(seed))
    dice = Random(seed)
    for first in range(0, len(results), AT_ONCE):
        some = results[first : first + AT_ONCE]
        dice.shuffle(some)
        half = dice.randint(1, AT_ONCE - 1)
        await asyncio.gather(ended(one, *some[:half]), ended(other, *some[half:]))
    await agrees(one, results)
    await agrees(other, results)
    await other.close()
    await one.close()
