"""A rematch: a new lobby with the seats turned."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import respond_privately
from bot.actions.loading import unknown
from bot.actions.lobby import person, table_open
from bot.context import Context
from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from matches.ports import Place
from matches.results import Refused


@on("rematch")
async def rematch(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """A new table with the seats turned; a second press finds the first one's."""
    row = await ctx.service.queries.row(call.match)
    if row is None:
        await unknown(ctx, interaction, call.match)
        return
    reader = await ctx.readers.of(interaction)
    # In direct messages the table stands with whoever asks for it.
    at = row.place.channel if row.place.guild is not None else interaction.channel_id or row.place.channel
    place = Place(row.place.guild, at)
    result = await ctx.service.lobbies.rematch(
        call.match, person(interaction.user), request=f"i{interaction.id}", place=place
    )
    if isinstance(result, Refused):
        await respond_privately(interaction, Outgoing(reader.say(result.why)))
        return
    await respond_privately(interaction, Outgoing(reader.say(table_open(result.row))))
    await ctx.deliver(result.row.id)
