"""Under narrow rate limits every board still comes once, and in order."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot_process.house import House, open_house
from tests.bot_process.lobbies import seated

pytestmark = pytest.mark.process

HASTE = {"DOMINIUM_TEST_POLL": "0.02"}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "limited") as made:
        await made.start(**HASTE)
        yield made


async def played(house: House, match: str) -> None:
    for door in ("bare", "slash", "mention", "bare"):
        act = house.move(match, door)
        await act.do()
        await house.bots.wait_for(act.done, "the move in the log")
    await house.quiet()
    house.judge()


async def test_boards_keep_within_a_limit_that_the_headers_tell(house: House) -> None:
    match = await seated(house)
    house.server.limits.per_route("POST", "/channels/{channel_id}/messages", 2, 0.3)
    await played(house, match)
    assert house.server.limits.invalid <= 1  # the first of a bucket is asked before its headers are known


async def test_boards_come_under_a_global_limit(house: House) -> None:
    match = await seated(house)
    house.server.limits.everywhere(3, 0.3)
    await played(house, match)
