"""`/settings blocks`, and the command "Block" in a person's menu (long press or right click, Apps)."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.interaction_responses import respond_privately
from bot.actions.people.blocks import block, blocks_panel
from bot.context import Context
from bot.inbound.commands.common import Menu, command, describe


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""

    @command(menu.settings, ctx, "settings.blocks")
    async def blocks(interaction: discord.Interaction[Any]) -> None:
        await respond_privately(interaction, await blocks_panel(ctx, interaction))

    async def block_person(interaction: discord.Interaction[Any], user: discord.User) -> None:
        note = await block(ctx, interaction.user.id, user)
        await respond_privately(interaction, await blocks_panel(ctx, interaction, note))

    menu.tree.add_command(app_commands.ContextMenu(name=describe(ctx, "block"), callback=block_person))
