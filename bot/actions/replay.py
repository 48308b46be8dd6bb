"""Replay a whole match as an animation."""

from __future__ import annotations

import asyncio
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.loading import load_match
from bot.context import Context
from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from bot.messages.scenes import frames_of
from games.engine.message import msg


@on("replay")
async def replay(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the whole match as an animated GIF."""
    await defer(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    match = await ctx.service.queries.at(row.id, row.version)
    frames = await asyncio.to_thread(frames_of, match, reader.seat)
    data, alt = await ctx.presenter.pictures.animation(frames, reader)
    text = reader.say(msg("bot.replay", match=row.id, n=match.plays))
    await respond_privately(interaction, Outgoing(text, ((f"{row.id}.gif", data, alt),)))
