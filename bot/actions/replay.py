"""A whole match as an animation, or as the file of its record."""

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
from bot.messages.record_file import record_file
from bot.platform.readers import Reader
from games.engine.message import msg
from matches.rows import MatchRow


@on("replay")
async def replay(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the whole match as an animated GIF; a second press meanwhile only says that it is coming."""
    await defer(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is not None:
        await show_replay(ctx, interaction, *loaded)


async def show_replay(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow, reader: Reader
) -> None:
    """Show a match as an animated GIF; a second request meanwhile only says that it is coming."""
    with ctx.presenter.replays.asked_by(interaction.user.id, row.id) as first:
        if not first:
            await respond_privately(interaction, Outgoing(reader.say(msg("bot.replay.busy", match=row.id))))
            return
        match = await ctx.service.queries.at(row.id, row.version)
        data, alt = await ctx.presenter.replays.replay(match, reader)
    text = reader.say(msg("bot.replay", match=row.id, n=match.plays))
    await respond_privately(interaction, Outgoing(text, ((f"{row.id}.gif", data, alt),)))


async def show_record(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow, reader: Reader
) -> None:
    """Send the record of a finished match; that of one in progress has what is still hidden."""
    match = await ctx.service.queries.at(row.id, row.version)
    if match.ending is None:
        await respond_privately(interaction, Outgoing(reader.say(msg("bot.record.live", match=row.id))))
        return
    holders = await ctx.store.holders(row.id)
    file = await asyncio.to_thread(record_file, row, match, reader, holders)
    await respond_privately(interaction, Outgoing(reader.say(msg("bot.record.text", match=row.id)), (file,)))
