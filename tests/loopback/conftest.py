"""What most tests of the server begin with: a stage without a bot's process, and a client on its socket."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.loopback import LoopbackDiscord
from tests.loopback.raw_client import RawClient, raw_client
from tests.loopback.test_server import Stage


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with LoopbackDiscord() as server:
        yield Stage(server)


@pytest.fixture
async def client(stage: Stage) -> AsyncIterator[RawClient]:
    async with raw_client(stage.server) as client:
        yield client
