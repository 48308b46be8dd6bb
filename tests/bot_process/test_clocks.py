"""A machine's clock is wrong, and put right: every board still stands once, and none waits for the clock."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot_process.house import House, open_house
from tests.bot_process.lobbies import seated

pytestmark = pytest.mark.process

FORGOTTEN = 360
"""Seconds after which Discord no longer knows a nonce."""


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "clocks") as made:
        yield made


@pytest.mark.parametrize("corrected", [False, True], ids=["still ahead", "corrected"])
@pytest.mark.parametrize("ahead", [600, 86_400], ids=["minutes", "a day"])
async def test_a_board_stands_once_although_the_clock_was_ahead(
    house: House, ahead: int, corrected: bool
) -> None:
    await house.start(DOMINIUM_TEST_AHEAD=str(ahead))
    match = await seated(house, mirrored=False)
    await house.bots.kill()
    await house.start("outbox_sent.before", DOMINIUM_TEST_AHEAD=str(ahead))
    act = house.move(match, "bare")
    await house.struck(act, "outbox_sent.before")
    house.server.advance(FORGOTTEN)
    await house.start(DOMINIUM_TEST_AHEAD=str(0 if corrected else ahead + FORGOTTEN))
    await house.recovered(act)


async def test_a_board_that_was_never_tried_does_not_wait_for_the_clock(house: House) -> None:
    await house.start(DOMINIUM_TEST_AHEAD="86400")
    match = await seated(house, mirrored=False)
    await house.bots.kill()
    await house.start("commit.after", DOMINIUM_TEST_AHEAD="86400")
    act = house.move(match, "bare")
    await house.struck(act, "commit.after")
    await house.start()
    await house.recovered(act)
