"""`/maps`: what a server added to be played on. Whoever manages the server adds and removes."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.map_library import (
    fitting,
    map_heading,
    may_change_maps,
    plain_title,
    preview,
    respond_with,
    take,
)
from bot.context import Context
from bot.inbound.commands.common import MAX_CHOICES, Choices, completing, describe
from bot.messages.outgoing import Outgoing
from bot.messages.quoting import as_code
from bot.platform.server_maps import takers
from games.engine.game import AnyGame
from games.engine.message import msg


async def complete_map(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """The server's maps."""
    wanted = current.casefold().strip()
    found = [
        app_commands.Choice(name=f"{info.key}  ({info.title})"[:100], value=info.key)
        for game, _ in takers()
        for info in await ctx.maps.listed(interaction.guild_id, game.key)
        if wanted in f"{info.key} {info.title}".casefold()
    ]
    return found[:MAX_CHOICES]


def add(tree: app_commands.CommandTree[Any], ctx: Context) -> None:
    """`/maps`, if there is a game that takes maps."""
    games = [game for game, _ in takers()]
    if not games:
        return
    group = app_commands.Group(name="maps", description=describe(ctx, "maps"))

    async def owner(interaction: discord.Interaction[Any], key: str) -> AnyGame | None:
        """The game that has a map of that key; a sentence where none has."""
        for game in games:
            if await ctx.maps.row(interaction.guild_id, game.key, key) is not None:
                return game
        await respond_with(ctx, interaction, msg("maps.unknown", key=as_code(key)))
        return None

    @group.command(name="add", description=describe(ctx, "maps.add"))
    @app_commands.describe(
        file=describe(ctx, "maps.file"),
        file2=describe(ctx, "maps.more"),
        file3=describe(ctx, "maps.more"),
        file4=describe(ctx, "maps.more"),
        file5=describe(ctx, "maps.more"),
    )
    async def add_map(
        interaction: discord.Interaction[Any],
        file: discord.Attachment,
        file2: discord.Attachment | None = None,
        file3: discord.Attachment | None = None,
        file4: discord.Attachment | None = None,
        file5: discord.Attachment | None = None,
    ) -> None:
        sent = [each for each in (file, file2, file3, file4, file5) if each is not None]
        await take(ctx, interaction, games[0], sent)

    @group.command(name="list", description=describe(ctx, "maps.list"))
    async def list_maps(interaction: discord.Interaction[Any]) -> None:
        lines = [
            " · ".join(
                (f"- `{info.key}` {plain_title(info.title)}", *([f"<@{info.by}>"] if info.by else []), when)
            )
            for game in games
            for info in await ctx.maps.listed(interaction.guild_id, game.key)
            if (when := discord.utils.format_dt(info.at, "d"))
        ]
        reader = await ctx.readers.of(interaction)
        none = reader.say(msg("maps.none"))
        await respond_privately(interaction, Outgoing(fitting(lines or [none])))

    @group.command(name="show", description=describe(ctx, "maps.show"))
    @app_commands.describe(key=describe(ctx, "maps.map"))
    @app_commands.rename(key="map")
    @app_commands.autocomplete(key=completing(ctx, complete_map))
    async def show_map(interaction: discord.Interaction[Any], key: str) -> None:
        game = await owner(interaction, key)
        taker = None if game is None else game.maps()
        if game is None or taker is None:
            return
        await defer(interaction)
        row = await ctx.maps.row(interaction.guild_id, game.key, key)
        if row is None:
            await respond_with(ctx, interaction, msg("maps.gone"))
            return
        reader = await ctx.readers.of(interaction)
        lines, files = await preview(ctx, game, taker, row.data, reader)
        await respond_privately(
            interaction, Outgoing(fitting([map_heading(row.info.title, row.info.key), *lines]), files)
        )

    @group.command(name="remove", description=describe(ctx, "maps.remove"))
    @app_commands.describe(key=describe(ctx, "maps.map"))
    @app_commands.rename(key="map")
    @app_commands.autocomplete(key=completing(ctx, complete_map))
    async def remove_map(interaction: discord.Interaction[Any], key: str) -> None:
        if (guild := await may_change_maps(ctx, interaction)) is None:
            return
        if (game := await owner(interaction, key)) is not None:
            await ctx.maps.drop(guild, game.key, key)
            await respond_with(ctx, interaction, msg("maps.removed", key=as_code(key)))

    tree.add_command(group)
