"""`/server panel`: put the front page into a channel, where it stays current, or take it away."""

from __future__ import annotations

from typing import Any, Literal

import discord
from discord import app_commands

from bot.actions.interaction_responses import respond_privately
from bot.actions.watching.showcase import set_showcase, why_no_showcase
from bot.context import Context
from bot.inbound.commands.common import AnyChannel, Menu, command
from bot.inbound.commands.settings import SHOWCASES
from bot.messages.outgoing import Outgoing
from games.engine.message import Msg, msg


def add(menu: Menu, ctx: Context) -> None:
    """Add the command to the menu."""

    @command(menu.server, ctx, "panel")
    async def panel(
        interaction: discord.Interaction[Any],
        channel: app_commands.Transform[AnyChannel, SHOWCASES] | None = None,
        remove: Literal["yes"] | None = None,
    ) -> None:
        reader = await ctx.readers.of(interaction)
        said = await _put(ctx, interaction, channel, remove=remove is not None)
        await respond_privately(interaction, Outgoing(reader.say(said)))


async def _put(
    ctx: Context, interaction: discord.Interaction[Any], chosen: AnyChannel | None, *, remove: bool
) -> Msg:
    """Put the panel into a channel, or take it away; return what to say."""
    guild = interaction.guild_id
    if guild is None:
        return msg("bot.settings.guild_only")
    where = interaction.channel_id if chosen is None else chosen.id
    if not remove and (why := why_no_showcase(interaction, chosen)) is not None:
        return why
    told = await set_showcase(ctx, interaction, guild, None if remove else where, off=remove, kind="panel")
    return told[0] if told else msg("front.panel.none")
