"""Terms of a match that its host sets in the lobby besides the rules: delay, ratings, hints."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.lobby.lobby_panel import refresh_panel
from bot.context import Context
from bot.messages.components import Call
from matches.watching.spectating import DELAYS


@on("delay")
async def delay(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Choose how late others see a match, while it is in its lobby."""
    chosen = next((each for each in DELAYS if str(each) == call.arg), 0)
    result = await ctx.service.lobbies.set_delay(
        call.match, interaction.user.id, chosen, request=f"i{interaction.id}"
    )
    await refresh_panel(ctx, interaction, call, result)


@on("rated")
async def rated(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Choose whether a match is to count for ratings, while it is in its lobby."""
    result = await ctx.service.lobbies.set_rated(
        call.match, interaction.user.id, rated=call.arg == "yes", request=f"i{interaction.id}"
    )
    await refresh_panel(ctx, interaction, call, result)


@on("hints_allowed")
async def allow(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Allow hints in a match, or forbid them, while it is in its lobby."""
    result = await ctx.service.lobbies.allow_hints(
        call.match, interaction.user.id, allowed=call.arg == "yes", request=f"i{interaction.id}"
    )
    await refresh_panel(ctx, interaction, call, result)
