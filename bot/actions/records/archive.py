"""Finished matches: find one's own and look at one of them again, or pack many records into one file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import (
    acknowledge,
    defer,
    edit_answer,
    edit_in_place,
    is_dismissed,
    respond_privately,
)
from bot.actions.lookback.replay import open_replay
from bot.actions.match_access import load_match, may_look
from bot.context import Context
from bot.messages.archive import PAGE, ArchiveView, archive_message, read_archive_view
from bot.messages.components import Call
from bot.messages.names import as_code
from bot.messages.outgoing import Outgoing
from bot.messages.record_file import ArchiveFile, record_headers
from bot.platform.members import reads_channel
from bot.platform.reader_settings import Reader
from games.engine import record
from games.engine.log import Entry
from games.engine.message import Msg, msg
from matches.long_work import long_in_thread
from matches.records.archive_days import days_asked_for
from matches.store.archive import ArchiveMark, ArchiveQuery, ArchiveResult
from matches.store.rows import MatchRow

Whose: TypeAlias = Literal["mine", "server"]
MAX_MATCHES: Final = 2000
"""Maximum number of matches in an archive: more take minutes."""
MAX_THREADS: Final = 100
"""Maximum number of threads that Discord is asked about; matches in further ones are left out."""
_BATCH: Final = 25
_REPORT_EVERY: Final = 250
_Parts: TypeAlias = tuple[list[Entry], dict[str, str]]
"""The entries and headers of a record."""
Visible: TypeAlias = Callable[[MatchRow], Awaitable[bool]]


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


async def send_archive(
    ctx: Context, interaction: discord.Interaction[Any], whose: Whose, query: ArchiveQuery, reader: Reader
) -> None:
    """Send all that fits into a file, the latest first, in the deferred private answer."""
    guild, user = interaction.guild, interaction.user
    if whose == "server" and guild is None:
        await respond_privately(interaction, Outgoing(reader.say(msg("bot.archive.not_server"))))
        return
    if whose == "server" and not interaction.permissions.manage_guild:
        await respond_privately(interaction, Outgoing(reader.say(msg("bot.archive.manager"))))
        return
    if (many := ctx.operation.throttle.refuse("archive", user.id)) is not None:
        await respond_privately(interaction, Outgoing(reader.say(many)))
        return
    if whose == "server" and guild is not None:
        query, visible = replace(query, guild=guild.id), _visible(guild, user)
    else:
        query, visible = replace(query, user=user.id), _always
    try:
        await _send(ctx, interaction, whose, query, visible, reader)
    except discord.NotFound as error:
        if not is_dismissed(error):
            raise


async def _send(
    ctx: Context,
    interaction: discord.Interaction[Any],
    whose: Whose,
    query: ArchiveQuery,
    visible: Visible,
    reader: Reader,
) -> None:
    file, mark, whole, reported, hidden = ArchiveFile(), None, True, 0, 0
    while whole and (rows := await ctx.store.finished(query, _BATCH, mark)):
        mark = ArchiveMark.of(rows[-1])
        shown = [row for row in rows if await visible(row)]
        hidden += len(rows) - len(shown)
        found = [(row, await _parts(ctx, row, reader)) for row in shown]
        whole = await long_in_thread(_add, file, found) and file.count < MAX_MATCHES
        if file.count - reported >= _REPORT_EVERY:
            reported = file.count
            await edit_answer(interaction, Outgoing(reader.say(msg("bot.archive.packing", n=reported))))
    if file.last is None:
        key = "none" if whose == "mine" else "none_here"
        lines = [reader.say(msg(f"bot.archive.{key}"))]
        if hidden:
            lines.append(reader.say(msg("bot.archive.hidden", n=hidden)))
        await edit_answer(interaction, Outgoing("\n".join(lines)))
        return
    lines = [reader.say(msg(f"bot.archive.{whose}", n=file.count))]
    if hidden:
        lines.append(reader.say(msg("bot.archive.hidden", n=hidden)))
    if not whole and await ctx.store.finished(query, 1, ArchiveMark.of(file.last)):
        until = file.last.updated.date().isoformat()
        lines.append(reader.say(msg("bot.archive.part", until=until)))
    data = await long_in_thread(file.finish)
    alt = reader.say(msg("bot.record.alt_archive"))
    await edit_answer(interaction, Outgoing("\n".join(lines), (("records.zip", data, alt),)))


def _add(file: ArchiveFile, found: Sequence[tuple[MatchRow, _Parts]]) -> bool:
    return file.add([(row, record.export(*parts)) for row, parts in found])


async def _parts(ctx: Context, row: MatchRow, reader: Reader) -> _Parts:
    """Return the entries and headers of a record."""
    log = await ctx.store.log(row.id)
    return [one.entry for one in log], record_headers(row, reader, await ctx.store.holders(row.id))


async def _always(row: MatchRow) -> bool:
    return True


def _visible(guild: discord.Guild, user: discord.abc.Snowflake) -> Visible:
    """Return whether a person can read where a match was played.

    A thread of ours is as public as its channel. A match that was begun in a thread has it for its channel;
    private ones are for their members and those who manage threads, which Discord has to be asked.
    """
    known: dict[int, bool] = {}
    asked = 0

    async def reads(channel: int) -> bool:
        nonlocal asked
        if guild.get_channel(channel) is None:  # a thread, or deleted
            asked += 1
            if asked > MAX_THREADS:
                return False
        try:
            return await reads_channel(guild, channel, user)
        except discord.DiscordException:
            return False  # deleted, closed to us, or Discord doesn't say

    async def visible(row: MatchRow) -> bool:
        if row.publicity.public:
            return True
        channel = row.place.channel
        if channel not in known:
            known[channel] = await reads(channel)
        return known[channel]

    return visible
