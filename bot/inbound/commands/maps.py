"""`/learn maps` lists and shows maps; `/server add-map` and `remove-map` are for those who manage it."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.servers.map_library import (
    cut_to_fit,
    map_heading,
    preview,
    receive_map,
    respond_with,
    server_of,
)
from bot.context import Context
from bot.inbound.commands.common import Choices, Menu, command
from bot.messages.names import as_code, escaped_text
from bot.messages.outgoing import Outgoing
from bot.platform.discord_limits import MAX_CHOICE, MAX_CHOICES
from bot.platform.server_maps import map_games, map_value, shipped
from games.engine.maps import PLAIN_DECK
from games.engine.message import msg
from games.engine.normalization import folded


async def complete_map(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest the server's maps."""
    return _matching(await _server_maps(ctx, interaction), current)


async def complete_any_map(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest the server's maps, and those that come with the games."""
    say = ctx.readers.default.say
    ours = [
        app_commands.Choice(
            name=f"{key}  ({say(game.choice(map_reader.option, value))})"[:MAX_CHOICE], value=key
        )
        for game, map_reader in map_games()
        for key, value in shipped(game, map_reader).items()
    ]
    return _matching([*await _server_maps(ctx, interaction), *ours], current)


async def complete_deck(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest the deck that needs no file."""
    name = f"{PLAIN_DECK}  ({ctx.readers.default.say(msg('maps.plain_deck'))})"[:MAX_CHOICE]
    return _matching([app_commands.Choice(name=name, value=PLAIN_DECK)], current)


def _matching(listed: Choices, current: str) -> Choices:
    wanted = folded(current)
    return [each for each in listed if wanted in folded(each.name)][:MAX_CHOICES]


async def _server_maps(ctx: Context, interaction: discord.Interaction[Any]) -> Choices:
    return [
        app_commands.Choice(name=f"{info.key}  ({info.title})"[:MAX_CHOICE], value=info.key)
        for game, _ in map_games()
        for info in await ctx.maps.listed(interaction.guild_id, game.key)
    ]


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu, if any game accepts maps."""
    games = [game for game, _ in map_games()]
    if not games:
        return

    @command(
        menu.server,
        ctx,
        "maps.add",
        name="add-map",
        texts=dict.fromkeys(("file2", "file3", "file4", "file5"), "maps.more"),
        deck=complete_deck,
    )
    async def add_map(
        interaction: discord.Interaction[Any],
        file: discord.Attachment,
        file2: discord.Attachment | None = None,
        file3: discord.Attachment | None = None,
        file4: discord.Attachment | None = None,
        file5: discord.Attachment | None = None,
        deck: str = "",
    ) -> None:
        sent = [each for each in (file, file2, file3, file4, file5) if each is not None]
        await receive_map(ctx, interaction, games[0], sent, deck)

    async def list_maps(interaction: discord.Interaction[Any]) -> None:
        lines = [
            " · ".join(
                (f"- `{info.key}` {escaped_text(info.title)}", *([f"<@{info.by}>"] if info.by else []), when)
            )
            for game in games
            for info in await ctx.maps.listed(interaction.guild_id, game.key)
            if (when := discord.utils.format_dt(info.at, "d"))
        ]
        reader = await ctx.readers.of(interaction)
        ours = [
            f"- `{key}` {reader.say(game.choice(map_reader.option, value))}"
            for game, map_reader in map_games()
            for key, value in shipped(game, map_reader).items()
        ]
        heads = [reader.say(msg(key)) for key in ("maps.ours", "maps.added" if lines else "maps.none")]
        await respond_privately(interaction, Outgoing(cut_to_fit([heads[0], *ours, heads[1], *lines])))

    @command(menu.learn, ctx, "maps.show", name="maps", texts={"key": "maps.map"}, key=complete_any_map)
    @app_commands.rename(key="map")
    async def show_map(interaction: discord.Interaction[Any], key: str = "") -> None:
        if not key:
            await list_maps(interaction)
            return
        reader = await ctx.readers.of(interaction)
        for game, map_reader in map_games():
            row = await ctx.maps.row(interaction.guild_id, game.key, key)
            ours = shipped(game, map_reader)
            if row is None and key not in ours:
                continue
            await defer(interaction)
            value = ours[key] if row is None else map_value(row.data)
            title = reader.say(game.choice(map_reader.option, value)) if row is None else row.info.title
            lines, files = await preview(ctx, game, map_reader, value, reader)
            text = cut_to_fit([map_heading(title, key), *lines])
            await respond_privately(interaction, Outgoing(text, files))
            return
        await respond_with(ctx, interaction, msg("maps.unknown", key=as_code(key)))

    @command(menu.server, ctx, "maps.remove", name="remove-map", texts={"key": "maps.map"}, key=complete_map)
    @app_commands.rename(key="map")
    async def remove_map(interaction: discord.Interaction[Any], key: str) -> None:
        if (guild := await server_of(ctx, interaction)) is None:
            return
        for game, map_reader in map_games():
            if await ctx.maps.drop(guild, game.key, key):
                await respond_with(ctx, interaction, msg("maps.removed", key=as_code(key)))
                return
            if key in shipped(game, map_reader):
                await respond_with(ctx, interaction, msg("maps.ship", key=as_code(key)))
                return
        await respond_with(ctx, interaction, msg("maps.unknown", key=as_code(key)))
