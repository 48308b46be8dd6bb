"""The stores under the contract. Another database is added by one more line in STORES.

PostgreSQL is a real server that the tests start themselves. Without its programs these tests are skipped.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.register_assert_rewrite(
    "tests.storage.contract",
    "tests.storage.contract_messages",
    "tests.storage.contract_maps",
    "tests.storage.contract_clocks",
    "tests.storage.contract_plans",
    "tests.storage.contract_pings",
    "tests.storage.contract_imports",
    "tests.storage.contract_lessons",
    "tests.storage.contract_archive",
    "tests.storage.contract_departures",
    "tests.storage.contract_errors",
    "tests.storage.contract_follows",
    "tests.storage.contract_tournaments",
    "tests.storage.scene",
)

from matches.ports import Store  # noqa: E402 - after the registration
from storage import open_store  # noqa: E402
from storage.postgres import open_postgres  # noqa: E402
from tests.fakes import FakeClock, MemoryStore, begin_file  # noqa: E402
from tests.soak import SOAK  # noqa: E402
from tests.storage.scene import Scene, filled  # noqa: E402

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer

Opener = Callable[[Path, FakeClock, Callable[[], str]], Awaitable[Store]]
"""Opens a store in a folder, or in the database that the last argument makes."""


async def _sqlite(path: Path, clock: FakeClock, database: Callable[[], str]) -> Store:
    if not SOAK:  # files have tests of their own
        return MemoryStore(clock)
    await begin_file(path / "store.sqlite3")
    return await open_store(path / "store.sqlite3", clock=clock)


async def _postgres(path: Path, clock: FakeClock, database: Callable[[], str]) -> Store:
    return await open_postgres(database(), clock=clock)


_SLOW = pytest.mark.slow
"""PostgreSQL is left out of `make check`: each process of the tests would start a server."""

STORES: dict[str, Opener] = {"postgres": _postgres, "sqlite": _sqlite}


@pytest.fixture
def database(request: pytest.FixtureRequest) -> Callable[[], str]:
    """Empty the database with the schema, and give its URL. The server is started when one is wanted."""

    def emptied() -> str:
        server: PostgresServer = request.getfixturevalue("postgres")
        return server.emptied()

    return emptied


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(
    params=[pytest.param(name, marks=_SLOW if name == "postgres" else ()) for name in sorted(STORES)]
)
async def store(
    request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock, database: Callable[[], str]
) -> AsyncIterator[Store]:
    opened = await STORES[request.param](tmp_path, clock, database)
    yield opened
    await opened.close()


@pytest.fixture
def deadline(store: Store) -> Callable[[str, int, datetime], Awaitable[None]]:
    """Set a seat's deadline, as the clocks do."""

    async def end(match: str, seat: int, due: datetime) -> None:
        await store.set_deadlines(match, {seat: due})

    return end


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    made = Scene(tmp_path / "Kopien für Ann")
    made.folder.mkdir()
    (tmp_path / "live").mkdir()
    await filled(made, tmp_path / "live" / "live.sqlite3")
    before = os.umask(0o077)
    yield made
    os.umask(before)
