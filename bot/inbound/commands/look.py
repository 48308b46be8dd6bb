"""`/ask about`: answers about a match in words; `/ask hand`: what only its player knows."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.interaction_responses import respond_privately
from bot.actions.play import questions
from bot.context import Context
from bot.inbound.commands.common import (
    MAX_CHOICES,
    Choices,
    Menu,
    command,
    complete_match,
    match_to_complete,
    resolve_match,
)
from games.engine.game import Seat
from games.engine.normalization import folded


async def complete_question(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest questions that begin like the typed text."""
    row = await match_to_complete(ctx, interaction)
    if row is None or row.version < 0:
        return []
    seat = ctx.service.queries.seat_of(row, interaction.user.id)
    reader = await ctx.readers.of(interaction, None if seat is None else Seat(seat))
    wanted = folded(current)
    known = await questions.suggestions(ctx, row, reader)
    listed = [each for each in known if folded(each).startswith(wanted)]
    return [app_commands.Choice(name=text[:100], value=text[:100]) for text in listed[:MAX_CHOICES]]


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""

    @command(menu.ask, ctx, "look", name="about", what=complete_question, match=complete_match)
    async def look(interaction: discord.Interaction[Any], what: str, match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await respond_privately(interaction, await questions.answer(ctx, *found, what))

    @command(menu.ask, ctx, "hand", match=complete_match)
    async def hand(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await respond_privately(interaction, await questions.hand(ctx, *found))
