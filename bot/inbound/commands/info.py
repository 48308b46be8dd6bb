"""Commands that show information: `/matches`, `/rules`, `/help`."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.help_text import help_text
from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.matches_list import matches_text
from bot.actions.rules_pages import rules_page
from bot.context import Context
from bot.inbound.commands.common import describe, game_choices
from bot.messages.outgoing import Outgoing
from bot.platform.permissions import bot_is_there
from games.engine import registry
from games.engine.message import msg


def add(tree: app_commands.CommandTree[Any], ctx: Context) -> None:
    """Add the commands of this file to the tree."""
    games = game_choices(ctx)

    @tree.command(name="matches", description=describe(ctx, "matches"))
    async def matches(interaction: discord.Interaction[Any]) -> None:
        await defer(interaction)
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, Outgoing(await matches_text(ctx, interaction.user.id, reader)))

    @tree.command(name="rules", description=describe(ctx, "rules"))
    @app_commands.describe(game=describe(ctx, "rules.game"))
    @app_commands.choices(game=games)
    async def rules(interaction: discord.Interaction[Any], game: str | None = None) -> None:
        reader = await ctx.readers.of(interaction)
        if game is None:
            here = await ctx.service.queries.live_in(interaction.channel_id or 0)
            game = here[0].game if here else registry.all_games()[0].key
        await respond_privately(interaction, rules_page(game, 1, reader))

    @tree.command(name="help", description=describe(ctx, "help"))
    async def help_(interaction: discord.Interaction[Any]) -> None:
        reader = await ctx.readers.of(interaction)
        text = help_text(ctx, reader)
        if not bot_is_there(interaction):
            text += f"\n{reader.say(msg('bot.help.elsewhere'))}"
        await respond_privately(interaction, Outgoing(text))
