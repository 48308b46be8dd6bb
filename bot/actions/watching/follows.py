"""Following matches, and the buttons and menus of those who watch."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, defer, edit_in_place, respond_privately
from bot.actions.match_access import load_match, may_look
from bot.actions.play.private_views import private_board
from bot.actions.watching.matches_list import EVERYTHING, matches_message
from bot.context import Context
from bot.messages.components import Call
from bot.messages.names import as_code
from bot.messages.outgoing import Outgoing
from bot.platform.reader_settings import Reader
from games.engine.message import msg
from matches.results import Refused
from matches.store.follows import Tell
from matches.store.rows import MatchRow
from matches.watching import is_over


async def follow(ctx: Context, user: int, row: MatchRow, reader: Reader, when: Tell) -> str:
    """Follow a match that a person may look at, and return the answer to them."""
    result = await ctx.service.follows.start(row.id, user, when)
    if isinstance(result, Refused):
        return reader.say(result.why)
    return reader.say(msg(f"bot.follow.{when}", match=row.id))


async def unfollow(ctx: Context, user: int, match_id: str, reader: Reader) -> str:
    """Stop following a match, and return the answer to the person."""
    stopped = await ctx.service.follows.stop(match_id, user)
    return reader.say(msg(f"bot.follow.{'stopped' if stopped else 'none'}", match=match_id))


@on("unfollow")
async def unfollow_pressed(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Stop following a match, also one that the person can no longer see."""
    reader = await ctx.readers.of(interaction)
    text = await unfollow(ctx, interaction.user.id, as_code(call.arg, 12), reader)
    await respond_privately(interaction, Outgoing(text))


@on("spectate")
async def spectate(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the match that was chosen in a showcase's menu privately, if the person may look at it."""
    await defer(interaction)
    chosen = call.values[0] if call.values else ""
    row = await ctx.service.queries.row(chosen)
    if row is not None and not await may_look(ctx, row, interaction.user, interaction.channel_id):
        row = None
    loaded = await load_match(ctx, interaction, chosen if row is not None else "-")
    if loaded is None:
        return
    current, reader = loaded
    note = reader.say(msg("bot.showcase.over")) if is_over(current) else ""
    board = await private_board(ctx, current, reader, note, user=interaction.user.id)
    await respond_privately(interaction, board)


@on("mine")
async def mine(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """List the person's matches, as `/matches mine` does, or all of them in place of that list."""
    everything = call.arg == EVERYTHING
    await (acknowledge(interaction) if everything else defer(interaction))
    reader = await ctx.readers.of(interaction)
    listed = await matches_message(ctx, interaction.user.id, reader, everything=everything)
    await (edit_in_place if everything else respond_privately)(interaction, listed)
