"""Act on clocks: claim the time of someone who is late, agree to a pause or decline it."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.play.offers import respond_with_outcome
from bot.context import Context
from bot.messages.components import Call


@on("claim")
async def claim(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Claim the time of the seat that the message names, if it is still late."""
    seat = int(call.arg) if call.arg.isdecimal() else None
    result = await ctx.service.time_up.claim(
        call.match, interaction.user.id, request=f"i{interaction.id}", seat=seat
    )
    await respond_with_outcome(ctx, interaction, call.match, result)


@on("pause_agree")
async def agree(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Agree to the pause that was asked for in that message, not to a later one."""
    result = await ctx.service.pauses.ask(
        call.match, interaction.user.id, request=f"i{interaction.id}", asked=call.seq
    )
    await respond_with_outcome(ctx, interaction, call.match, result)


@on("pause_refuse")
async def refuse(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Decline the pause that was asked for in that message, or withdraw one's own request."""
    result = await ctx.service.pauses.resume(
        call.match, interaction.user.id, request=f"i{interaction.id}", asked=call.seq
    )
    await respond_with_outcome(ctx, interaction, call.match, result)
