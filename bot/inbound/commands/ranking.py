"""Commands about standing: `/ranking profile` and `/ranking top`."""

from __future__ import annotations

from typing import Any, Literal

import discord
from discord import app_commands

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.standing import explain_changes, first_page, show_profile
from bot.context import Context
from bot.inbound.commands.common import Menu, command, game_choices
from bot.messages.outgoing import Outgoing
from games.engine.message import msg


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""

    @command(menu.ranking, ctx, "profile")
    async def profile(
        interaction: discord.Interaction[Any],
        who: discord.User | None = None,
        why: Literal["latest"] | None = None,
    ) -> None:
        await defer(interaction)
        if why is None:
            await show_profile(ctx, interaction, who)
        elif who is not None and who.id != interaction.user.id:
            reader = await ctx.readers.of(interaction)
            await respond_privately(interaction, Outgoing(reader.say(msg("bot.why.own"))))
        else:
            await explain_changes(ctx, interaction)

    @command(menu.ranking, ctx, "top")
    @app_commands.choices(game=game_choices(ctx))
    async def top(
        interaction: discord.Interaction[Any],
        game: str | None = None,
        where: Literal["this server", "all servers"] | None = None,
        when: Literal["this season", "all time"] | None = None,
    ) -> None:
        await defer(interaction)
        reader = await ctx.readers.of(interaction)
        guild, user = interaction.guild_id, interaction.user.id
        here, season = where != "all servers", when == "this season"
        page = await first_page(ctx, guild, user, reader, game, here=here, season=season)
        await respond_privately(interaction, page)
