"""`/match plan`: moves that are played once what they wait for has happened. All answers are private."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import discord
from discord import app_commands

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.play.plans import PlanRequest, added_note, plan_message
from bot.context import Context
from bot.inbound.commands.common import (
    MAX_CHOICES,
    Choices,
    Menu,
    command,
    complete_match,
    match_to_complete,
    resolve_match,
    subgroup,
)

_MAX_CHOICE = 100
"""Maximum length of a suggestion, in characters (Discord's limit)."""


async def complete_line(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest how the typed line of a plan may go on."""
    row = await match_to_complete(ctx, interaction)
    if row is None or row.status != "live":
        return []
    texts = await ctx.service.plans.suggest(row.id, interaction.user.id, current, limit=MAX_CHOICES)
    return [app_commands.Choice(name=text, value=text) for text in texts if len(text) <= _MAX_CHOICE]


async def _answer(
    ctx: Context, interaction: discord.Interaction[Any], match: str | None, ask: PlanRequest
) -> str | None:
    """Answer with the plan after a request; return the id of its match, if there is one."""
    if (found := await resolve_match(ctx, interaction, match)) is None:
        return None
    row, reader = found
    result = await ask(row.id, interaction.user.id)
    await respond_privately(interaction, await plan_message(ctx, row, reader, result))
    return row.id


def add(menu: Menu, ctx: Context) -> None:
    """Add the group to the menu."""
    group = subgroup(menu.match, ctx, "plan")

    @command(group, ctx, "plan.add", line=complete_line, match=complete_match)
    async def add_line(interaction: discord.Interaction[Any], line: str, match: str | None = None) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            row, reader = found
            result = await ctx.service.plans.add(row.id, interaction.user.id, line)
            outgoing = await plan_message(ctx, row, reader, result, added_note(result))
            await respond_privately(interaction, outgoing)

    @command(group, ctx, "plan.show", match=complete_match)
    async def show(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        await _answer(ctx, interaction, match, ctx.service.plans.show)

    @command(group, ctx, "plan.clear", match=complete_match)
    async def clear(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        await _answer(ctx, interaction, match, ctx.service.plans.remove)

    @command(group, ctx, "plan.only", match=complete_match)
    async def only(
        interaction: discord.Interaction[Any], answer: Literal["yes", "no"], match: str | None = None
    ) -> None:
        switch = partial(ctx.service.plans.set_only_move, on=answer == "yes")
        if (changed := await _answer(ctx, interaction, match, switch)) is not None:
            await ctx.delivery.finish(changed)
