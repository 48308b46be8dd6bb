"""Open the lobby of a rematch, with the seats rotated by one."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import respond_privately
from bot.actions.lobby.lobby_panel import direct_channel, person, respond_opened
from bot.actions.match_access import respond_unknown_match
from bot.context import Context
from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from bot.platform.permissions import bot_is_there
from matches.results import Refused
from matches.store.rows import Place


@on("rematch")
async def rematch(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Open a rematch; a second press joins the same lobby."""
    row = await ctx.service.queries.row(call.match)
    if row is None:
        await respond_unknown_match(ctx, interaction, call.match)
        return
    reader = await ctx.readers.of(interaction)
    # In direct messages the lobby goes to the channel of the person who asks.
    at = row.place.channel
    if row.place.guild is None:
        here = interaction.channel_id if bot_is_there(interaction) else await direct_channel(interaction.user)
        at = here or at
    place = Place(row.place.guild, at)
    result = await ctx.service.lobbies.rematch(
        call.match, person(interaction.user), request=f"i{interaction.id}", place=place
    )
    if isinstance(result, Refused):
        await respond_privately(interaction, Outgoing(reader.say(result.why)))
        return
    await respond_opened(ctx, interaction, result.row)
