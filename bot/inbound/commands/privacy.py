"""`/settings privacy`: what is kept about people, a file with all of it, and to be forgotten."""

from __future__ import annotations

from typing import Any, Literal

import discord

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.people.erasures import ask_first, export_data, privacy_panel
from bot.context import Context
from bot.inbound.commands.common import Menu, command


def add(menu: Menu, ctx: Context) -> None:
    """Add the command to the menu."""

    @command(menu.settings, ctx, "privacy")
    async def privacy(
        interaction: discord.Interaction[Any], do: Literal["export", "erase"] | None = None
    ) -> None:
        if do == "export":
            await export_data(ctx, interaction)
            return
        await defer(interaction)
        reader = await ctx.readers.of(interaction)
        user = interaction.user.id
        panel = await ask_first(ctx, reader, user) if do == "erase" else privacy_panel(reader, user)
        await respond_privately(interaction, panel)
