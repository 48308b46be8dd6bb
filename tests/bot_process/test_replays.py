"""Replays take long: however many are asked for, boards don't wait for them."""

from __future__ import annotations

import fcntl
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot_process.house import House, open_house
from tests.bot_process.lobbies import seated

pytestmark = pytest.mark.process

PRESSES = 12


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "replays") as made:
        yield made


def answers(house: House, route: str) -> int:
    """How many requests answered an interaction, at first (`callback`) or later (`webhooks`)."""
    return sum(route in one.path and one.sent == 200 for one in house.server.requests)


async def test_a_board_does_not_wait_for_replays(house: House, tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    await house.start(DOMINIUM_TEST_REPLAY_LOCK=str(lock))
    over, match = await seated(house, mirrored=False), await seated(house, mirrored=False)
    sure = await house.ann.slash(house.thread(over), "match resign", match=over)
    assert sure.message is not None
    await house.ann.click(sure.message, "Yes, I resign")
    await house.quiet(lambda: house.now(over).ending is not None)
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        deferred, answered = answers(house, "/callback"), answers(house, "/webhooks/")
        for _ in range(PRESSES):
            await house.ann.slash(house.thread(over), "replay film", answered=False, match=over, part="all")
        await house.bots.wait_for(lambda: "REPLAY" in house.bots.output, "a replay is being drawn")
        await house.server.wait_until(lambda: answers(house, "/callback") == deferred + PRESSES)
        act = house.move(match, "bare")
        await act.do()
        await house.quiet(act.done)
        assert len(house.boards(match)) == 2
    await house.server.wait_until(lambda: answers(house, "/webhooks/") == answered + PRESSES)
    assert house.bots.output.count("REPLAY") == 1, "one at a time for a person"
