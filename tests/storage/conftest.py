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
    "tests.storage.contract_clocks",
    "tests.storage.contract_plans",
    "tests.storage.contract_pings",
    "tests.storage.contract_imports",
    "tests.storage.contract_follows",
)

from matches.ports import Store  # noqa: E402 - after the registration
from storage import open_store  # noqa: E402
from tests.fakes import FakeClock, MemoryStore  # noqa: E402

Opener = Callable[[Path, FakeClock], Awaitable[Store]]


async def _memory(path: Path, clock: FakeClock) -> Store:
    return MemoryStore(clock=clock)


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
    """Set a seat's deadline, as the clocks do."""

    async def end(match: str, seat: int, due: datetime) -> None:
        await store.set_deadlines(match, {seat: due})

    return end
