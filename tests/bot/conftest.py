"""The stage as a fixture, with and without the right to read plain messages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator
from pathlib import Path

import pytest

from tests.bot.stage import Stage, set_stage


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Let the test itself live in the simulation's time, as the bot does."""
    for value in getattr(item, "funcargs", {}).values():
        if isinstance(value, Stage):
            with value.env.time_context():
                return (yield)
    return (yield)


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    """A bot that reads replies, mentions and direct messages only."""
    async with set_stage(tmp_path) as made:
        yield made


@pytest.fixture
async def open_stage(tmp_path: Path) -> AsyncIterator[Stage]:
    """A bot whose operator switched the message-content intent on."""
    async with set_stage(tmp_path, message_content=True) as made:
        yield made
