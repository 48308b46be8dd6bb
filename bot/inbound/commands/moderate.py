"""`/moderate match`, `/moderate player`, `/server log`: what moderators do, and what they have done."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.interaction_responses import respond_privately
from bot.actions.people.moderation import log_of, panel_of, person_panel_of, respond_unless_moderator
from bot.context import Context
from bot.inbound.commands.common import FOR_SERVERS, IN_SERVERS, Choices, command, describe, resolve_match
from bot.messages.outgoing import Outgoing
from bot.messages.seats import thread_name
from games.engine.message import msg
from games.engine.normalization import folded

_MOST = 25


async def complete_here(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest the match or lobby of this channel."""
    wanted = folded(current).replace("-", "")
    rows = await ctx.store.by_place(interaction.channel_id or 0, ("lobby", "live", "aborted"))
    return [
        app_commands.Choice(name=thread_name(row, ctx.readers.default), value=row.id)
        for row in rows
        if wanted in row.id.casefold().replace("-", "")
    ][:_MOST]


def add(tree: app_commands.CommandTree[Any], ctx: Context, server_group: app_commands.Group) -> None:
    """Add the group `/moderate` to the tree, and `log` to the group `/server`."""
    group = app_commands.Group(
        name="moderate",
        description=describe(ctx, "moderate"),
        default_permissions=discord.Permissions(manage_messages=True),
        allowed_contexts=IN_SERVERS,
        allowed_installs=FOR_SERVERS,
    )

    @command(group, ctx, "moderate.match", texts={"match": "moderate.which"}, match=complete_here)
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

    @command(group, ctx, "moderate.player")
    async def moderate_player(interaction: discord.Interaction[Any], user: discord.User) -> None:
        guild = await respond_unless_moderator(ctx, interaction)
        if guild is not None:
            await respond_privately(interaction, await person_panel_of(ctx, interaction, guild, user.id))

    @command(server_group, ctx, "moderate.log")
    async def log(interaction: discord.Interaction[Any]) -> None:
        guild = await respond_unless_moderator(ctx, interaction)
        if guild is not None:
            await respond_privately(interaction, await log_of(ctx, interaction, guild))

    tree.add_command(group)
