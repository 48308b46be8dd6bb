"""`/position`: show a position that someone has as text."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.positions import show_position
from bot.context import Context
from bot.inbound.commands.common import describe, game_choices


def add(tree: app_commands.CommandTree[Any], ctx: Context) -> None:
    """Add `/position` to the tree."""

    @tree.command(name="position", description=describe(ctx, "position"))
    @app_commands.describe(
        text=describe(ctx, "position.text"),
        game=describe(ctx, "position.game"),
        file=describe(ctx, "position.file"),
    )
    @app_commands.choices(game=game_choices(ctx))
    async def position(
        interaction: discord.Interaction[Any],
        text: str = "",
        game: str | None = None,
        file: discord.Attachment | None = None,
    ) -> None:
        await show_position(ctx, interaction, game, text, file)
