"""A PostgreSQL server that is slow, or whose disk is full at one step or another of a change."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from matches.ports import StoreUnavailableError
from matches.store.rows import Commit, SeatRow
from tests.fakes import START, FakeClock
from tests.storage.rows import lobby, move

psycopg = pytest.importorskip("psycopg", reason="NO POSTGRESQL IS TESTED: no driver")

from storage.postgres.store import PostgresStore, open_database_store  # noqa: E402 - needs the driver
from tests.postgres_proxy import PostgresProxy  # noqa: E402

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer

pytestmark = pytest.mark.slow

FULL = """
CREATE FUNCTION disk_is_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'could not extend file: No space left on device';
END $$
"""


@pytest.fixture
def url(database: Callable[[], str]) -> str:
    return database()


@pytest.fixture
async def store(url: str) -> AsyncIterator[PostgresStore]:
    opened = await open_database_store(url, clock=FakeClock())
    yield opened
    await opened.close()


@contextlib.contextmanager
def full_disk(url: str, table: str) -> Iterator[None]:
    """No row can be added to a table, or changed in it."""
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(FULL)
        try:
            db.execute(
                f"CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION disk_is_full()"
            )
            yield
        finally:
            db.execute("DROP FUNCTION disk_is_full CASCADE")


@pytest.mark.parametrize("table", ["writers", "matches", "seats", "entries", "outbox", "requests"])
async def test_a_disk_that_is_full_at_any_step_leaves_nothing_half_written(
    store: PostgresStore, url: str, table: str
) -> None:
    row = lobby()
    await store.create(Commit(row, START))
    change = move(row, "r1")
    if table == "seats":
        seats = (row.seats[0], SeatRow(1, "person", 7, "Ben"))
        change = replace(change, row=replace(change.row, seats=seats))
    with full_disk(url, table):
        with pytest.raises(StoreUnavailableError, match="There is no space left"):
            await store.commit(change)
        assert await store.match(row.id) == row
        assert await store.log(row.id) == ()
        assert await store.outbox_pending() == ()
        assert await store.request("r1") is None
    await store.commit(change)
    assert await store.log(row.id) == change.entries
    assert len(await store.outbox_pending()) == 1


async def test_a_slow_server_holds_up_its_own_answers_only(postgres: PostgresServer, url: str) -> None:
    proxy = PostgresProxy(postgres.folder)
    store = await open_database_store(proxy.url(url), clock=FakeClock())
    rows = [lobby(f"F-{number}") for number in range(3)]
    for row in rows:
        await store.create(Commit(row, START))
    proxy.delay = 0.05
    turns = 0
    changing = asyncio.gather(*(store.commit(move(row, f"r{row.id}")) for row in rows))
    while not changing.done():
        await asyncio.sleep(0)
        turns += 1
    await changing
    assert turns > 100, "the event loop went on meanwhile"
    for row in rows:
        assert len(await store.log(row.id)) == 1
    await store.close()
    proxy.close()
