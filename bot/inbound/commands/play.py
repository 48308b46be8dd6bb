"""`/games`, the front page; `/play`: open a lobby, invite friends, or ask for a rematch in a thread."""

from __future__ import annotations

from typing import Any, Literal

import discord
from discord import app_commands

from bot.actions.front_panel import front_page
from bot.actions.lobby.opening import open_lobby
from bot.context import Context
from bot.inbound.commands.common import (
    AnyChannel,
    ChannelOption,
    Choices,
    Menu,
    command,
    complete_clock,
    game_choices,
)
from bot.platform.discord_limits import MAX_CHOICE, MAX_CHOICES
from games.engine import registry
from games.engine.message import msg
from games.engine.normalization import folded


async def complete_options(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest options to add to the typed ones."""
    try:
        game = registry.get(str(interaction.namespace.game))
    except KeyError:
        return []
    done = folded(current).split()
    if done and not current.endswith(" "):
        done.pop()
    map_reader = game.maps()
    found = []
    for option in game.options:
        if option.key in done:
            continue
        text = " ".join([*done, option.key])
        name = ctx.readers.default.say(msg(f"{game.key}.option.{option.key}"))
        found.append(app_commands.Choice(name=f"{text}  ({name})"[:MAX_CHOICE], value=text[:MAX_CHOICE]))
        if map_reader is not None and map_reader.option == option.key:
            for info in await ctx.maps.listed(interaction.guild_id, game.key):
                text = " ".join([*done, f"{option.key}={info.key}"])
                found.append(
                    app_commands.Choice(name=f"{text}  ({info.title})"[:MAX_CHOICE], value=text[:MAX_CHOICE])
                )
    return found[:MAX_CHOICES]


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""

    @command(menu.tree, ctx, "games")
    async def front(interaction: discord.Interaction[Any]) -> None:
        await front_page(ctx, interaction)

    games = game_choices(ctx)

    @command(menu.tree, ctx, "play", options=complete_options, clock=complete_clock)
    @app_commands.choices(game=games)
    async def play(
        interaction: discord.Interaction[Any],
        game: str,
        players: app_commands.Range[int, 2, 6] | None = None,
        friend: discord.User | None = None,
        friend2: discord.User | None = None,
        friend3: discord.User | None = None,
        options: str = "",
        clock: str = "",
        counts: Literal["rated", "friendly"] | None = None,
        channel: app_commands.Transform[AnyChannel, ChannelOption()] | None = None,
    ) -> None:
        friends: list[discord.User | discord.Member] = [
            f for f in (friend, friend2, friend3) if f is not None
        ]
        await open_lobby(ctx, interaction, game, players, friends, options, channel, clock, counts)
