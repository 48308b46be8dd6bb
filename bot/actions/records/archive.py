"""Finding one's finished matches, and looking at one of them again."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, defer, edit_in_place, respond_privately
from bot.actions.lookback.replay import open_replay
from bot.actions.match_access import load_match, may_look
from bot.context import Context
from bot.messages.archive import PAGE, ArchiveView, archive_message, read_archive_view
from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from bot.messages.quoting import as_code
from bot.platform.readers import Reader
from games.engine.message import Msg, msg
from matches.records.archive_days import days_asked_for
from matches.store.archive_store import ArchiveQuery, ArchiveResult


def asked_for(
    game: str | None,
    opponent: int | None,
    result: ArchiveResult | None,
    since: str | None,
    until: str | None,
    now: datetime,
) -> ArchiveQuery | Msg:
    """Return the matches that a person asks for, or what is wrong with a day."""
    days: list[tuple[datetime, datetime] | None] = []
    for text in (since, until):
        found = None if text is None else days_asked_for(text, now.year)
        if isinstance(found, list):
            if not found:
                return msg("bot.archive.day", text=as_code(text or "", 20))
            readings = tuple(f"`{day}`" for day in found)
            return msg("time_control.refuse.which", n=len(readings), readings=readings)
        days.append(found)
    first, last = days
    return ArchiveQuery(
        game=game,
        opponent=opponent,
        result=result,
        since=None if first is None else first[0],
        until=None if last is None else last[1],
    )


async def archive_page(ctx: Context, user: int, view: ArchiveView, reader: Reader) -> Outgoing:
    """Return a page of a person's finished matches."""
    query = replace(view.query, user=user)
    rows = await ctx.store.finished(query, PAGE + 1, view.mark, newer=view.newer)
    more = len(rows) > PAGE
    if view.newer:
        shown, newer, older = rows[-PAGE:], more, True
    else:
        shown, newer, older = rows[:PAGE], view.mark is not None, more
    return archive_message(shown, view, user, reader, newer=newer, older=older)


@on("archive")
async def turn_page(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show another page of the finished matches of the person who presses."""
    await acknowledge(interaction)
    reader = await ctx.readers.of(interaction)
    page = await archive_page(ctx, interaction.user.id, read_archive_view(call.arg), reader)
    await edit_in_place(interaction, page)


@on("archived")
async def look_again(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Open a replay of the match that was chosen in the menu, if the person may look at it."""
    await defer(interaction)
    chosen = call.values[0] if call.values else ""
    row = await ctx.service.queries.row(chosen)
    if row is None or not await may_look(ctx, row, interaction.user, interaction.channel_id):
        reader = await ctx.readers.of(interaction)
        text = reader.say(msg("bot.match.unknown", match=as_code(chosen, 12)))
        await respond_privately(interaction, Outgoing(text))
        return
    if (loaded := await load_match(ctx, interaction, chosen)) is not None:
        await open_replay(ctx, interaction, *loaded)
