"""Every test of the service runs on a store in memory, and in a soak on a file too."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from storage import open_store
from tests.fakes import FakeClock, MemoryStore
from tests.matches.world import World
from tests.soak import sampled


@pytest.fixture(params=sampled(("memory", "file"), ("memory",)))
async def world(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[World]:
    """A service on an empty store."""
    clock = FakeClock()
    memory = request.param == "memory"
    store = MemoryStore(clock) if memory else await open_store(tmp_path / "m.db", clock=clock)
    yield World(store, clock)
    await store.close()
