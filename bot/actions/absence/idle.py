"""Answer whether a match that nobody moves in should go on, and take up one that was set aside."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import respond_privately, settle_question
from bot.actions.play.move_answers import refusal_text
from bot.context import Context
from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from games.engine.message import msg
from matches.results import Refused
from matches.store.rows import MatchRow


@on("idle_on")
async def go_on(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Go on with a match, which keeps it from being set aside."""
    result = await ctx.service.idle.go_on(call.match, interaction.user.id, version=call.seq)
    await _settle(ctx, interaction, call, result, "bot.idle.on")


@on("idle_off")
async def set_aside(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Set a match aside at once."""
    result = await ctx.service.idle.set_aside(call.match, interaction.user.id, version=call.seq)
    await _settle(ctx, interaction, call, result, "bot.idle.off")


@on("idle_up")
async def take_up(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Take up a match that was set aside."""
    result = await ctx.service.idle.go_on(call.match, interaction.user.id, version=call.seq)
    await _settle(ctx, interaction, call, result, "bot.idle.up")


async def _settle(
    ctx: Context, interaction: discord.Interaction[Any], call: Call, result: MatchRow | Refused, key: str
) -> None:
    """Replace the question by its answer, so that it is asked once, and send what follows; or say why not."""
    if isinstance(result, Refused):
        row = await ctx.service.queries.row(call.match)
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, Outgoing(await refusal_text(ctx, result, reader, row)))
        return
    reader = await ctx.readers.public(result.place.guild)
    text = reader.say(msg(key, who=f"<@{interaction.user.id}>", match=result.id))
    await settle_question(interaction, Outgoing(f"{text}\n-# `{result.id}`"))
    await ctx.delivery.finish(call.match)
