"""Replay a whole match as an animation."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.loading import load_match
from bot.context import Context
from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from games.engine.message import msg


@on("replay")
async def replay(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the whole match as an animated GIF; a second press meanwhile only says that it is coming."""
    await defer(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    with ctx.presenter.replays.asked_by(interaction.user.id, row.id) as first:
        if not first:
            await respond_privately(interaction, Outgoing(reader.say(msg("bot.replay.busy", match=row.id))))
            return
        match = await ctx.service.queries.at(row.id, row.version)
        data, alt = await ctx.presenter.replays.replay(match, reader)
    text = reader.say(msg("bot.replay", match=row.id, n=match.plays))
    await respond_privately(interaction, Outgoing(text, ((f"{row.id}.gif", data, alt),)))
