"""Private views of a match: the reader's side at the bottom, in their theme, with overlays or zoom."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, defer, edit_in_place, respond_privately
from bot.actions.match_access import load_match
from bot.actions.play.since import missed_lines
from bot.context import Context
from bot.messages.buttons import read_state
from bot.messages.components import Call
from bot.messages.geography import parts_of
from bot.messages.match import delay_text
from bot.messages.names import as_code
from bot.messages.operation import with_line
from bot.messages.outgoing import Outgoing
from bot.messages.scenes import ViewState, base_scene
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.message import msg
from matches.store.rows import MatchRow


async def private_board(
    ctx: Context,
    row: MatchRow,
    reader: Reader,
    note: str = "",
    look: ViewState | None = None,
    *,
    user: int | None = None,
) -> Outgoing:
    """Return the current board for one person; with `user` the text is what has happened since their move."""
    match, facts, first = await ctx.service.queries.last_change(row)
    late = await ctx.service.queries.is_late(row)
    note = "\n".join(filter(None, (note, delay_text(row, reader) if late else "")))
    if not match.ending:
        note = with_line(note, await ctx.operation.maintenance.current(), reader)
    news = "" if user is None else await missed_lines(ctx, row, user, reader, but=first)
    face = None if late else await ctx.service.time_up.face(row)
    return await ctx.presenter.board(
        row, match, facts, reader, note=note, news=news, look=look or ViewState(), face=face
    )


async def private_part(
    ctx: Context, row: MatchRow, reader: Reader, typed: str, *, user: int | None = None
) -> Outgoing:
    """Return the part of the current board that a text names; all of it, with a note, if it names none."""
    if not typed.strip():
        return await private_board(ctx, row, reader, user=user)
    match = await ctx.service.queries.at(row.id, row.version)
    parts = parts_of(base_scene(match, reader.seat).board)
    part = parts.read(typed, reader.say)
    if part is not None:
        return await private_board(ctx, row, reader, look=ViewState(part=part))
    why = reader.say(msg(f"bot.zoom.{parts.unknown}", part=as_code(typed)))
    return await private_board(ctx, row, reader, why)


async def is_old(ctx: Context, row: MatchRow, call: Call) -> bool:
    """Return whether a pressed button belongs to an old board."""
    return not await ctx.service.queries.is_current(row, call.seq)


async def moved_on_note(ctx: Context, row: MatchRow, call: Call, reader: Reader) -> str:
    """Return a note that the pressed button belongs to an old board; empty for the current one."""
    return reader.say(msg("bot.board.moved_on")) if await is_old(ctx, row, call) else ""


@on("view")
async def view(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the current board privately; a button of an old board gets a note."""
    await defer(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    note = "" if call.arg else await moved_on_note(ctx, row, call, reader)  # a mirror is always current
    await respond_privately(
        interaction, await private_board(ctx, row, reader, note, user=interaction.user.id)
    )


@on("overlay")
async def overlay(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Switch an overlay of a private view on or off; picture stays picture, and text stays text."""
    await acknowledge(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    look, text = read_state(call.arg, registry.get(row.game).overlays)
    reader = replace(reader, text=text)
    await edit_in_place(
        interaction, await private_board(ctx, row, reader, await moved_on_note(ctx, row, call, reader), look)
    )


@on("zoom", value=".*")
async def zoom(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show another part of the board in a private view, or all of it."""
    await acknowledge(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    look, text = read_state(call.arg, registry.get(row.game).overlays)
    look = replace(look, part="" if call.values[0] == "-" else call.values[0])
    reader = replace(reader, text=text)
    await edit_in_place(
        interaction, await private_board(ctx, row, reader, await moved_on_note(ctx, row, call, reader), look)
    )
