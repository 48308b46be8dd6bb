"""The stores under the contract. Another database is added by one more line in STORES."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime
from pathlib import Path

import pytest

pytest.register_assert_rewrite(
    "tests.storage.contract",
    "tests.storage.contract_messages",
    "tests.storage.contract_maps",
    "tests.storage.contract_pings",
)

from matches.ports import Store  # noqa: E402 - after the registration
from storage import SqliteStore, open_store  # noqa: E402
from storage.rows import to_ms  # noqa: E402
from tests.fakes import FakeClock, MemoryStore  # noqa: E402

Opener = Callable[[Path, FakeClock], Awaitable[Store]]


async def _memory(path: Path, clock: FakeClock) -> Store:
    return MemoryStore()


async def _sqlite(path: Path, clock: FakeClock) -> Store:
    return await open_store(path / "store.sqlite3", clock=clock)


STORES: dict[str, Opener] = {"memory": _memory, "sqlite": _sqlite}


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(params=sorted(STORES))
async def store(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> AsyncIterator[Store]:
    opened = await STORES[request.param](tmp_path, clock)
    yield opened
    await opened.close()


@pytest.fixture
def deadline(store: Store) -> Callable[[str, int, datetime], Awaitable[None]]:
    """Set a seat's deadline, as the clocks will do."""

    async def end(match: str, seat: int, due: datetime) -> None:
        if isinstance(store, MemoryStore):
            store.due_by[match, seat] = due
        elif isinstance(store, SqliteStore):
            table = "CREATE TABLE IF NOT EXISTS deadlines (match TEXT, seat INTEGER, due INTEGER) STRICT"
            await store._database.execute(table)
            row = "INSERT INTO deadlines (match, seat, due) VALUES (?, ?, ?)"
            await store._database.execute(row, match, seat, to_ms(due))

    return end
