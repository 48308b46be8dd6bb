"""Shards: whom an event reaches, how sessions of one shard stand beside each other, and how they begin."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import discord
import pytest

from tests.loopback.pointing import pointed_back
from tests.loopback.raw_client import raw_client
from tests.loopback.server import LoopbackDiscord
from tests.loopback.sessions import Op
from tests.loopback.tiny_bot import point_discord_at

pytestmark = pytest.mark.process


@pytest.fixture(autouse=True)
def discord_itself() -> Iterator[None]:
    """Point the library at Discord again after each test."""
    with pointed_back():
        yield


class TinyShards(discord.AutoShardedClient):
    """A bot that notes what it hears."""

    def __init__(self, **options: Any) -> None:
        super().__init__(intents=discord.Intents.default(), guild_ready_timeout=0.05, **options)
        self.heard: asyncio.Queue[str | None] = asyncio.Queue()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify at once."""

    async def on_message(self, message: discord.Message) -> None:
        """Note the name of the guild."""
        self.heard.put_nowait(None if message.guild is None else message.guild.name)


@pytest.mark.parametrize(("count", "mine"), [(1, [0]), (2, [0, 1]), (3, [0, 1, 2]), (3, [0, 2]), (3, [1])])
async def test_the_library_hears_the_guilds_of_its_shards(count: int, mine: list[int]) -> None:
    async with LoopbackDiscord() as server:
        guilds = [server.create_guild(f"Guild {shard}", shard=(shard, count)) for shard in range(count)]
        person = server.create_person("Ann", *guilds)
        rooms = [guild.create_text_channel("room") for guild in guilds]
        point_discord_at(server.url)
        async with TinyShards(shard_ids=mine, shard_count=count) as bot:
            running = asyncio.create_task(bot.start(server.token))
            await server.wait_until(lambda: server.gateway.hearing() == mine)
            await bot.wait_until_ready()
            assert {guild.name for guild in bot.guilds} == {f"Guild {shard}" for shard in mine}
            for room in rooms:
                person.send(room, "hello", mention=True)
            person.send(person.dm, "hello")
            wanted = {f"Guild {shard}" for shard in mine} | ({None} if 0 in mine else set())
            assert {await bot.heard.get() for _ in wanted} == wanted
            await bot.close()
            await running


async def test_a_shard_that_is_begun_later_brings_its_guilds() -> None:
    async with LoopbackDiscord() as server:
        guilds = [server.create_guild(f"Guild {shard}", shard=(shard, 2)) for shard in range(2)]
        person, room = server.create_person("Ann", *guilds), guilds[1].create_text_channel("room")
        point_discord_at(server.url)
        async with TinyShards(shard_ids=[0], shard_count=2) as bot:
            running = asyncio.create_task(bot.start(server.token))
            await bot.wait_until_ready()
            await bot.launch_shard(discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY, 1)
            await server.wait_until(lambda: server.gateway.hearing() == [0, 1])
            person.send(room, "hello", mention=True)
            assert await bot.heard.get() == "Guild 1"
            await bot.close()
            await running


async def test_two_sessions_of_a_shard_hear_the_same_and_no_other_does() -> None:
    async with LoopbackDiscord() as server, raw_client(server) as client:
        guild = server.create_guild("Guild", shard=(1, 2))
        room, person = guild.create_text_channel("room"), server.create_person("Ann", guild)
        async with client.gateway(None) as one, client.gateway(None) as two, client.gateway(None) as zero:
            for each in (one, two):
                assert len((await each.identify(shard=(1, 2)))["guilds"]) == 1
            assert (await zero.identify(shard=(0, 2)))["guilds"] == []
            person.send(room, "hello", mention=True)
            person.send(person.dm, "hello")
            for each in (one, two):
                assert (await each.event("MESSAGE_CREATE"))["guild_id"] == str(guild.id)
            assert "guild_id" not in await zero.event("MESSAGE_CREATE")
            await zero.send(Op.REQUEST_MEMBERS, {"guild_id": str(guild.id), "query": "", "limit": 0})
            await zero.send(Op.HEARTBEAT, 1)
            await zero.next(Op.HEARTBEAT_ACK)


async def test_a_session_can_be_resumed_beside_another_process_of_its_shard() -> None:
    async with LoopbackDiscord() as server, raw_client(server) as client:
        server.gateway.launch = 1
        async with client.gateway(None) as one, client.gateway(None) as two:
            await one.identify(shard=(1, 2))
            server.gateway.drop_shard(1)
            server.gateway.launch = 2
            await two.identify(shard=(1, 2))
            async with client.gateway(None) as again:
                await again.resume(one.session, one.sequence)
                await again.event("RESUMED")
            assert server.gateway.identified == 2


@pytest.mark.parametrize("shard", [(2, 2), (-1, 2), (0, 0)])
async def test_a_shard_that_cannot_be_is_refused(shard: tuple[int, int]) -> None:
    async with LoopbackDiscord() as server, raw_client(server) as client, client.gateway(None) as line:
        await line.ask_to_identify(shard=shard)
        assert await line.closed() == 4010


async def test_too_few_shards_are_refused() -> None:
    async with LoopbackDiscord() as server, raw_client(server) as client, client.gateway(None) as line:
        server.gateway.shards_needed = 2
        await line.ask_to_identify()
        assert await line.closed() == 4011


async def test_sessions_of_a_bucket_begin_one_after_the_other() -> None:
    async with LoopbackDiscord() as server, raw_client(server) as client:
        server.gateway.buckets, server.gateway.identify_every = 2, 3600
        async with client.gateway(None) as zero, client.gateway(None) as one, client.gateway(None) as two:
            await zero.identify(shard=(0, 3))
            await one.identify(shard=(1, 3))
            await two.ask_to_identify(shard=(2, 3))
            assert await two.next(Op.INVALID_SESSION) is False
            assert server.gateway.too_early == 1
