"""A server that invites the bot is greeted by the process that serves it: once, whatever happens to it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from simcord.builders import GuildHandle

from tests.bot.stage import words_of
from tests.bot_process.cluster import Cluster, open_cluster
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


# --- several processes --------------------------------------------------------------------------------


@pytest.fixture
async def cluster(tmp_path: Path, ready_database: str) -> AsyncIterator[Cluster]:
    async with open_cluster(tmp_path, ready_database, "greeting") as made:
        yield made


async def test_servers_that_invite_the_bot_at_once_are_greeted_once_by_one_of_the_processes(
    cluster: Cluster,
) -> None:
    server = cluster.house.server
    for number in range(2):
        await cluster.kill(number)
    guilds: list[GuildHandle] = [
        server.create_guild(f"New {nth}", shard=(nth % 2, 2), new=True) for nth in range(8)
    ]
    rooms = [guild.create_text_channel("chat") for guild in guilds]
    await cluster.start(0)
    await cluster.start(1)
    for room in rooms:
        await server.wait_for_message(room, lambda one: bool(one.attachments))
    await cluster.kill(1)
    await cluster.hears(0, 1)
    await cluster.start(1)
    await cluster.hears(0, 1)
    assert [len(server.messages(room)) for room in rooms] == [1] * len(rooms)
