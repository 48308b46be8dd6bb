"""`/learn lesson` and `/learn puzzle`: the lessons of a game, from where one stopped, and its puzzles."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.lessons import show_lessons
from bot.actions.puzzles import show_puzzles
from bot.context import Context
from bot.inbound.commands.common import Menu, command, game_choices


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands to the menu."""

    @command(menu.learn, ctx, "learn.lesson")
    @app_commands.choices(game=game_choices(ctx))
    async def lesson(interaction: discord.Interaction[Any], game: str | None = None) -> None:
        await show_lessons(ctx, interaction, game)

    @command(menu.learn, ctx, "learn.puzzle")
    @app_commands.choices(game=game_choices(ctx))
    async def puzzle(interaction: discord.Interaction[Any], game: str | None = None) -> None:
        await show_puzzles(ctx, interaction, game)
