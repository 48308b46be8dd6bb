"""`/moderate match`, `/moderate player`, `/server log`: what moderators do, and what they have done."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.interaction_responses import respond_privately
from bot.actions.people.moderation import log_of, panel_of, person_panel_of, respond_unless_moderator
from bot.context import Context
from bot.inbound.commands.common import Choices, Menu, command, resolve_match
from bot.messages.names import thread_name
from bot.messages.outgoing import Outgoing
from bot.platform.discord_limits import MAX_CHOICES
from games.engine.message import msg
from games.engine.normalization import folded


async def complete_here(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest the match or lobby of this channel."""
    wanted = folded(current).replace("-", "")
    rows = await ctx.store.by_place(interaction.channel_id or 0, ("lobby", "live", "aborted"))
    return [
        app_commands.Choice(name=thread_name(row, ctx.readers.default), value=row.id)
        for row in rows
        if wanted in row.id.casefold().replace("-", "")
    ][:MAX_CHOICES]


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""

    @command(menu.moderate, ctx, "moderate.match", texts={"match": "moderate.which"}, match=complete_here)
    async def moderate_match(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        guild = await respond_unless_moderator(ctx, interaction)
        if guild is None:
            return
        if (found := await resolve_match(ctx, interaction, match, started=False)) is None:
            return
        row, reader = found
        if row.place.guild != guild:
            text = reader.say(msg("bot.moderation.elsewhere", match=row.id))
            await respond_privately(interaction, Outgoing(text))
            return
        await respond_privately(interaction, await panel_of(ctx, interaction, row))

    @command(menu.moderate, ctx, "moderate.player")
    async def moderate_player(interaction: discord.Interaction[Any], user: discord.User) -> None:
        guild = await respond_unless_moderator(ctx, interaction)
        if guild is not None:
            await respond_privately(interaction, await person_panel_of(ctx, interaction, guild, user.id))

    @command(menu.server, ctx, "moderate.log")
    async def log(interaction: discord.Interaction[Any]) -> None:
        guild = await respond_unless_moderator(ctx, interaction)
        if guild is not None:
            await respond_privately(interaction, await log_of(ctx, interaction, guild))
