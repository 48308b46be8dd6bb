"""A server that invites the bot is greeted by the process that serves it: once, whatever happens to it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.stage import words_of
from tests.bot_process.house import House, open_house

pytestmark = pytest.mark.process


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "greeting") as made:
        yield made


async def test_a_server_that_invites_the_bot_is_greeted_once(house: House) -> None:
    guild = house.server.create_guild("New", new=True)
    room = guild.create_text_channel("chat")
    await house.start()
    greeting = await house.server.wait_for_message(room, lambda one: bool(one.attachments))
    assert "/server settings" in words_of(greeting)
    await house.bots.kill()
    await house.start()
    assert len(house.server.messages(room)) == 1
    assert house.server.messages(house.room) == [], "it has been here for long"
