"""Fixtures of the sandbox's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.sandbox.page import Sandbox, running
from tests.sandbox.tinybot import TinyBot


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """Where a world may live."""
    return tmp_path / "sandbox.world"


@pytest.fixture
async def sandbox(world: Path) -> AsyncIterator[Sandbox]:
    """A sandbox with the tiny bot."""
    async with running(TinyBot, world) as living:
        yield living
