"""Load the match and the reader of an interaction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord

from bot.actions.interaction_responses import respond_privately
from bot.context import Context
from bot.messages.outgoing import Outgoing
from bot.platform.readers import Reader
from games.engine.game import Seat
from games.engine.message import msg
from matches.store.rows import MatchRow


async def load_match(
    ctx: Context, interaction: discord.Interaction[Any], match_id: str
) -> tuple[MatchRow, Reader] | None:
    """Return a started match as the person may see it, and its reader; if there is none, say so."""
    row = await ctx.service.queries.row(match_id)
    if row is None or row.version < 0:
        await respond_unknown_match(ctx, interaction, match_id)
        return None
    return await as_seen(ctx, interaction, row)


async def as_seen(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow
) -> tuple[MatchRow, Reader]:
    """Return a match as the person may see it, and its reader; they have looked at it now."""
    seat = ctx.service.queries.seat_of(row, interaction.user.id)
    if seat is not None:
        await ctx.service.pings.looked(row.id, interaction.user.id)
    row = await ctx.service.queries.seen_by(row, interaction.user.id, interaction.channel_id)
    return row, await ctx.readers.of(interaction, None if seat is None else Seat(seat))


async def open_form(
    ctx: Context,
    interaction: discord.Interaction[Any],
    match_id: str,
    form: Callable[[MatchRow, Reader], discord.ui.Modal],
) -> None:
    """Open a form about a started match; if there is no such match, say so."""
    row = await ctx.service.queries.row(match_id)
    if row is None or row.version < 0:
        await respond_unknown_match(ctx, interaction, match_id)
        return
    await interaction.response.send_modal(form(row, await ctx.readers.of(interaction)))


async def respond_unknown_match(ctx: Context, interaction: discord.Interaction[Any], match_id: str) -> None:
    """Say that there is no such match."""
    reader = await ctx.readers.of(interaction)
    text = reader.say(msg("bot.match.unknown", match=match_id))
    await respond_privately(interaction, Outgoing(text))
