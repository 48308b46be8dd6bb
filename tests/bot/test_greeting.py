"""The greeting of a server: once, where we may post, and never after an outage or a restart."""

from __future__ import annotations

from datetime import timedelta

import discord
import pytest
from simcord.builders import GuildHandle

import render
from bot.actions.servers.joined_servers import greet
from bot.platform.permissions import INVITE
from tests.bot.lobby_acts import labels
from tests.bot.stage import Stage, allow, words_of

pytestmark = pytest.mark.slow


def invite(stage: Stage, *rooms: str, system: str = "", closed: str = "") -> GuildHandle:
    """Make a server with these channels that invites the bot while it is down."""
    guild = stage.env.create_guild("New")
    allow(stage.env, guild, INVITE)
    stored = stage.env.backend.guilds[guild.id]
    for name in rooms:
        rights = discord.PermissionOverwrite(view_channel=name != closed)
        channel = guild.create_text_channel(name, overwrites={guild.default_role: rights})
        if name == system:
            stored.system_channel_id = channel.id
    return guild


async def invited(stage: Stage, *rooms: str, system: str = "", closed: str = "") -> GuildHandle:
    """Let a server invite the bot while it is down, and start it again."""
    await stage.bot.close()
    guild = invite(stage, *rooms, system=system, closed=closed)
    await stage.restart()
    return guild


def said(guild: GuildHandle) -> list[tuple[str | None, discord.Message]]:
    """Return what the bot has written in a server, by channel."""
    return [(room.name, one) for room in guild.channels.values() for one in room.history() if one.author.bot]


async def test_a_server_is_greeted_once_in_its_system_channel(stage: Stage) -> None:
    guild = await invited(stage, "chat", "news", system="news")
    ((room, greeting),) = said(guild)
    assert room == "news"
    assert labels(greeting) == {"Play", "Against the computer", "Learn", "My matches", "More"}
    assert "/server settings" in words_of(greeting)
    assert len(greeting.attachments) == 1
    await stage.restart()
    stage.env.backend.emit("GUILD_DELETE", {"id": str(guild.id), "unavailable": True})
    await stage.env.settle()
    joined = stage.bot.get_guild(guild.id)
    assert joined is not None
    await greet(stage.bot.context, joined)
    assert len(said(guild)) == 1


async def test_without_a_system_channel_it_is_the_first_in_which_we_may_post(stage: Stage) -> None:
    guild = await invited(stage, "staff", "chat", closed="staff")
    assert [room for room, _ in said(guild)] == ["chat"]


async def test_where_we_may_post_nowhere_nothing_is_said_then_or_later(stage: Stage) -> None:
    guild = await invited(stage)
    guild.create_text_channel("late")
    await stage.restart()
    assert said(guild) == []


async def test_a_server_of_long_ago_is_not_greeted(stage: Stage) -> None:
    await stage.bot.close()
    guild = invite(stage, "chat")
    stage.env.backend.advance_clock(timedelta(days=2).total_seconds())
    await stage.restart()
    assert said(guild) == []


async def test_many_servers_at_once_are_greeted_with_one_picture(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def draw(boards: object, say: object, *, theme: str) -> bytes:
        drawn.append(theme)
        return b"png"

    monkeypatch.setattr(render, "draw_board_sheet", draw)
    await stage.bot.close()
    guilds = [invite(stage, "chat") for _ in range(200)]
    await stage.restart()
    assert [len(said(guild)) for guild in guilds] == [1] * 200
    assert drawn == ["classic"]
