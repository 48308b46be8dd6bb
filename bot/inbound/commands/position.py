"""`/replay position`: show a position that someone has as text."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.records.positions import show_position
from bot.context import Context
from bot.inbound.commands.common import Menu, command, game_choices


def add(menu: Menu, ctx: Context) -> None:
    """Add the command to the menu."""

    @command(menu.replay, ctx, "position")
    @app_commands.choices(game=game_choices(ctx))
    async def position(
        interaction: discord.Interaction[Any],
        text: str = "",
        game: str | None = None,
        file: discord.Attachment | None = None,
    ) -> None:
        await show_position(ctx, interaction, game, text, file)
