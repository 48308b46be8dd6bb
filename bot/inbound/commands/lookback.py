"""Commands that look back at matches: `/replay story`, `analysis`, `dice` and `verify`."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.lookback.analysis import analyse_match
from bot.actions.lookback.dice import show_match_dice, show_person_dice
from bot.actions.lookback.story import show_story
from bot.actions.records.verify import show_proof
from bot.context import Context
from bot.inbound.commands.common import Menu, command, complete_finished, match_here, resolve_match
from bot.messages.outgoing import Outgoing
from games.engine.message import msg


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""

    @command(menu.replay, ctx, "story", match=complete_finished)
    async def story(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await show_story(ctx, interaction, *found)

    @command(menu.replay, ctx, "analyse", name="analysis", match=complete_finished)
    async def analyse(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await analyse_match(ctx, interaction, *found)

    @command(menu.replay, ctx, "dice", match=complete_finished)
    async def dice(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        person: discord.User | None = None,
    ) -> None:
        await defer(interaction)
        if match is not None and person is not None:
            await _say(ctx, interaction, "dice.refuse.both")
            return
        if match is None and person is None and (here := await match_here(ctx, interaction)) is not None:
            match = here.id
        if match is None:
            await show_person_dice(ctx, interaction, person or interaction.user)
        elif (found := await resolve_match(ctx, interaction, match)) is not None:
            await show_match_dice(ctx, interaction, *found)

    @command(menu.replay, ctx, "verify", match=complete_finished)
    async def verify(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        record: discord.Attachment | None = None,
    ) -> None:
        await defer(interaction)
        if record is not None:
            if match is not None:
                await _say(ctx, interaction, "verify.both")
                return
            await show_proof(ctx, interaction, await ctx.readers.of(interaction), record)
        elif (found := await resolve_match(ctx, interaction, match)) is not None:
            row, reader = found
            await show_proof(ctx, interaction, reader, row)


async def _say(ctx: Context, interaction: discord.Interaction[Any], key: str) -> None:
    reader = await ctx.readers.of(interaction)
    await respond_privately(interaction, Outgoing(reader.say(msg(key))))
