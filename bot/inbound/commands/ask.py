"""`/ask`, in private: a board, the moves, odds, answers in words, what only its player knows, and hints."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import discord
from discord import app_commands

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.play import move_targets, questions
from bot.actions.play import odds as odds_of
from bot.actions.play.hints import show_hint
from bot.actions.play.move_menu import moves_panel
from bot.actions.play.private_views import private_part
from bot.context import Context
from bot.inbound.commands.common import (
    Choices,
    Menu,
    command,
    complete_match,
    complete_move,
    match_to_complete,
    resolve_match,
)
from bot.platform.discord_limits import MAX_CHOICE, MAX_CHOICES
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
    return [
        app_commands.Choice(name=text[:MAX_CHOICE], value=text[:MAX_CHOICE]) for text in listed[:MAX_CHOICES]
    ]


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""

    @command(menu.ask, ctx, "board", match=complete_match)
    async def board(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        look: Literal["picture", "text"] | None = None,
        part: str = "",
    ) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            row, reader = found
            if look is not None:
                reader = replace(reader, text=look == "text")
            user = interaction.user.id
            await respond_privately(interaction, await private_part(ctx, row, reader, part, user=user))

    @command(menu.ask, ctx, "moves", match=complete_match)
    async def moves(interaction: discord.Interaction[Any], piece: str = "", match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is None:
            return
        row, reader = found
        if piece.strip():
            await defer(interaction)
            await respond_privately(interaction, await move_targets.targets_message(ctx, row, reader, piece))
        else:
            await respond_privately(interaction, await moves_panel(ctx, row, interaction.user.id, reader))

    @command(menu.ask, ctx, "odds", move=complete_move, match=complete_match)
    async def odds(interaction: discord.Interaction[Any], move: str = "", match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await respond_privately(interaction, await odds_of.odds_message(ctx, *found, move))

    @command(menu.ask, ctx, "look", name="about", what=complete_question, match=complete_match)
    async def look(interaction: discord.Interaction[Any], what: str, match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await respond_privately(interaction, await questions.answer(ctx, *found, what))

    @command(menu.ask, ctx, "hand", match=complete_match)
    async def hand(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await respond_privately(interaction, await questions.hand(ctx, *found))

    @command(menu.ask, ctx, "hint", match=complete_match)
    async def hint(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await show_hint(ctx, interaction, *found)
