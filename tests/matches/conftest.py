"""Every test of the service runs on the store in memory and on a real file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from storage import open_store
from tests.fakes import FakeClock, MemoryStore
from tests.matches.world import World


@pytest.fixture(params=["memory", "file"])
async def world(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[World]:
    """A service on an empty store."""
    clock = FakeClock()
    memory = request.param == "memory"
    store = MemoryStore(clock=clock) if memory else await open_store(tmp_path / "m.db", clock=clock)
    yield World(store, clock)
    await store.close()
