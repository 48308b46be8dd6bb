"""`/learn`: the rules of a game, its lessons from where one stopped, its puzzles; and `/help`."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.help_panel import TOPICS, respond_with_help
from bot.actions.lessons import show_lessons
from bot.actions.puzzles import show_puzzles
from bot.actions.rules_pages import show_rules
from bot.context import Context
from bot.inbound.commands.common import Choices, Menu, command, game_choices
from bot.platform.discord_limits import MAX_CHOICE
from games.engine import registry
from games.engine.message import msg
from games.engine.normalization import folded


async def complete_topic(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest the topics of the help."""
    say = (await ctx.readers.of(interaction)).say
    titles = {topic: say(msg(f"help.topic.{topic}")) for topic in TOPICS}
    fit = {topic: title for topic, title in titles.items() if folded(current) in folded(title)}
    return [
        app_commands.Choice(name=title[:MAX_CHOICE], value=topic) for topic, title in (fit or titles).items()
    ]


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""
    games = game_choices(ctx)

    @command(menu.learn, ctx, "rules")
    @app_commands.choices(game=games)
    async def rules(interaction: discord.Interaction[Any], game: str | None = None) -> None:
        if game is None:
            here = await ctx.service.queries.live_in(interaction.channel_id or 0)
            game = here[0].game if here else registry.all_games()[0].key
        await show_rules(ctx, interaction, game)

    @command(menu.learn, ctx, "learn.lesson")
    @app_commands.choices(game=games)
    async def lesson(interaction: discord.Interaction[Any], game: str | None = None) -> None:
        await show_lessons(ctx, interaction, game)

    @command(menu.learn, ctx, "learn.puzzle")
    @app_commands.choices(game=games)
    async def puzzle(interaction: discord.Interaction[Any], game: str | None = None) -> None:
        await show_puzzles(ctx, interaction, game)

    @command(menu.tree, ctx, "help", about=complete_topic)
    async def help_(interaction: discord.Interaction[Any], about: str = "") -> None:
        await respond_with_help(ctx, interaction, about)
