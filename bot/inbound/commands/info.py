"""Commands that show what there is: `/games`, `/matches mine`, `/learn rules`, `/help`."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.front_panel import front_page
from bot.actions.help_panel import TOPICS, respond_with_help
from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.records.archive import archive_page, asked_for
from bot.actions.rules_pages import show_rules
from bot.actions.watching.matches_list import matches_message
from bot.context import Context
from bot.inbound.commands.common import Choices, Menu, command, game_choices
from bot.messages.archive import ArchiveView
from bot.messages.outgoing import Outgoing
from games.engine import registry
from games.engine.message import Msg, msg
from games.engine.normalization import folded
from matches.store.archive_store import ArchiveResult


async def complete_topic(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest the topics of the help."""
    say = (await ctx.readers.of(interaction)).say
    titles = {topic: say(msg(f"help.topic.{topic}")) for topic in TOPICS}
    fit = {topic: title for topic, title in titles.items() if folded(current) in folded(title)}
    return [app_commands.Choice(name=title[:100], value=topic) for topic, title in (fit or titles).items()]


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""
    games = game_choices(ctx)

    @command(menu.tree, ctx, "games")
    async def front(interaction: discord.Interaction[Any]) -> None:
        await front_page(ctx, interaction)

    @command(menu.matches, ctx, "matches.mine")
    async def mine(interaction: discord.Interaction[Any]) -> None:
        await defer(interaction)
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, await matches_message(ctx, interaction.user.id, reader))

    @command(menu.matches, ctx, "matches.finished")
    @app_commands.choices(game=games)
    async def finished(
        interaction: discord.Interaction[Any],
        game: str | None = None,
        opponent: discord.User | None = None,
        result: ArchiveResult | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> None:
        await defer(interaction)
        reader, user = await ctx.readers.of(interaction), interaction.user.id
        whom = None if opponent is None else opponent.id
        asked = asked_for(game, whom, result, since, until, ctx.clock.now())
        if isinstance(asked, Msg):
            await respond_privately(interaction, Outgoing(reader.say(asked)))
        else:
            await respond_privately(interaction, await archive_page(ctx, user, ArchiveView(asked), reader))

    @command(menu.learn, ctx, "rules")
    @app_commands.choices(game=games)
    async def rules(interaction: discord.Interaction[Any], game: str | None = None) -> None:
        if game is None:
            here = await ctx.service.queries.live_in(interaction.channel_id or 0)
            game = here[0].game if here else registry.all_games()[0].key
        await show_rules(ctx, interaction, game)

    @command(menu.tree, ctx, "help", about=complete_topic)
    async def help_(interaction: discord.Interaction[Any], about: str = "") -> None:
        await respond_with_help(ctx, interaction, about)
