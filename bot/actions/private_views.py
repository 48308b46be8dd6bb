"""Private views of a match: my side at the bottom, my theme, with overlays or a part enlarged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, defer, edit_in_place, respond_privately
from bot.actions.loading import load
from bot.context import Context
from bot.messages.buttons import read_state
from bot.messages.components import Call
from bot.messages.crop import read_part
from bot.messages.outgoing import Outgoing
from bot.messages.quoting import as_code
from bot.messages.scenes import ViewState, base_scene
from bot.platform.readers import Reader
from games.engine import registry
from games.engine.message import msg
from games.engine.scene import Grid, Map
from matches.ports import MatchRow


async def show(
    ctx: Context, row: MatchRow, reader: Reader, note: str = "", look: ViewState | None = None
) -> Outgoing:
    """The present board for one person."""
    match, facts, _ = await ctx.service.queries.last_change(row)
    return await ctx.presenter.board(row, match, facts, reader, note=note, look=look or ViewState())


async def show_part(ctx: Context, row: MatchRow, reader: Reader, typed: str) -> Outgoing:
    """The present board, or the part of it that a text names; all of it, with a word, where it names none."""
    if not typed.strip():
        return await show(ctx, row, reader)
    match = await ctx.service.queries.at(row.id, row.version)
    board = base_scene(match, reader.seat).board
    part = read_part(board, typed, reader.voice)
    if part is not None:
        return await show(ctx, row, reader, look=ViewState(part=part))
    key = {Grid: "unknown", Map: "no_area"}.get(type(board))
    why = msg("bot.zoom.never") if key is None else msg(f"bot.zoom.{key}", part=as_code(typed))
    return await show(ctx, row, reader, reader.say(why))


def moved_on(ctx: Context, row: MatchRow, call: Call, reader: Reader) -> str:
    """A line for whoever pressed a button of an old board."""
    old = call.seq != row.version
    return reader.say(msg("bot.board.moved_on")) if old else ""


@on("view")
async def view(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """My view: my side at the bottom, my theme; of an old board the present one, and it says so."""
    await defer(interaction)
    if (loaded := await load(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    note = "" if call.arg else moved_on(ctx, row, call, reader)  # a mirror is always the present one
    await respond_privately(interaction, await show(ctx, row, reader, note))


@on("overlay")
async def overlay(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """The same view with an overlay more or less: as picture or text, as it was before."""
    await acknowledge(interaction)
    if (loaded := await load(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    look, text = read_state(call.arg, registry.get(row.game).overlays)
    reader = replace(reader, text=text)
    await edit_in_place(interaction, await show(ctx, row, reader, moved_on(ctx, row, call, reader), look))


@on("zoom")
async def zoomed(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """The same view with another part of the board, or all of it."""
    await acknowledge(interaction)
    if (loaded := await load(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    look, text = read_state(call.arg, registry.get(row.game).overlays)
    look = replace(look, part="" if call.values[0] == "-" else call.values[0])
    reader = replace(reader, text=text)
    await edit_in_place(interaction, await show(ctx, row, reader, moved_on(ctx, row, call, reader), look))
