"""The comparison with a plain bot still runs, and shows what it is there to show."""

from __future__ import annotations

import asyncio

import pytest

from tests.month.compare import ours, plain
from tests.month.script import Size
from tests.month.virtual_time import VirtualLoop

pytestmark = pytest.mark.slow


@pytest.mark.soak
def test_the_plain_bot_loses_moves_and_ours_none() -> None:
    size = Size(days=4, tables=5, guilds=3)
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        theirs = runner.run(plain(7, size))
    mine = ours(7, size)
    assert theirs.moves_written == theirs.counted_once + theirs.lost + theirs.doubled
    assert theirs.lost > 0
    assert mine.counted_once == mine.moves_written > 10
