"""Servers that the bot has left are forgotten after the time that the operator sets, and not before."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.context import Context
from bot.platform.config import Config
from bot.platform.reader_settings import Preferences
from bot.platform.shards import Guilds, Shards
from bot.pollers import forget_departed
from tests.bot.stage import Stage
from tests.fakes import FakeClock, MemoryStore

GUILD = 7


class World:
    """A store, a client that knows some servers, and the time."""

    def __init__(self, days: int = 90) -> None:
        self.store, self.clock = MemoryStore(), FakeClock()
        self.guilds = [SimpleNamespace(id=GUILD)]
        self.shards = Shards()
        self.shards.hear({0})
        client = cast("discord.Client", SimpleNamespace(guilds=self.guilds))
        self.preferences = Preferences(self.store)
        self.context = cast(
            "Context",
            SimpleNamespace(
                config=replace(Config(), forget_servers_days=days),
                discord=SimpleNamespace(guilds=Guilds(client, self.shards)),
                clock=self.clock,
                store=self.store,
                preferences=self.preferences,
            ),
        )

    async def look(self, **later: Any) -> bool:
        """Whether the server is still known after some time and a look."""
        self.clock.advance(timedelta(**later))
        await forget_departed(self.context)
        return bool(await self.preferences.get("guild", GUILD))


async def begun(days: int = 90) -> World:
    """The server has settings."""
    world = World(days)
    await world.preferences.save("guild", GUILD, {"theme": "dark"})
    return world


async def test_it_is_forgotten_after_the_time_and_not_before() -> None:
    world = await begun()
    assert await world.look(days=200)
    world.guilds.clear()
    assert await world.look(hours=1)
    assert await world.look(days=89)
    assert not await world.look(days=2)


async def test_one_that_is_back_begins_anew() -> None:
    world = await begun()
    there = world.guilds.pop()
    assert await world.look(hours=1)
    assert await world.look(days=89)
    world.guilds.append(there)
    assert await world.look(days=1)
    world.guilds.clear()
    assert await world.look(days=1)
    assert await world.look(days=89)
    assert not await world.look(days=1)


@pytest.mark.parametrize("how", ["never", "not connected"])
async def test_nothing_is_forgotten(how: str) -> None:
    world = await begun(0 if how == "never" else 90)
    world.guilds.clear()
    if how == "not connected":
        world.shards.lose({0})
    assert await world.look(days=500)
    assert await world.look(days=500)


@pytest.mark.slow
async def test_the_library_knows_its_servers(stage: Stage) -> None:
    context = stage.bot.context
    guild = stage.ann.guild.id
    await context.preferences.save("guild", guild, {"theme": "dark"})
    await context.preferences.save("guild", GUILD, {"theme": "dark"})
    await forget_departed(context)
    now = context.clock.now()
    assert [one.guild for one in await context.store.note_servers({guild}, now)] == [GUILD]
    assert guild in {one.id for one in context.discord.guilds.all}
