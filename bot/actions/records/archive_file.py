"""Pack many records into one file: one's own, or a server's for those who manage it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, TypeAlias

import discord

from bot.actions.interaction_responses import edit_answer, is_dismissed, respond_privately
from bot.context import Context
from bot.messages.archive_file import ArchiveFile
from bot.messages.outgoing import Outgoing
from bot.messages.record_file import record_headers
from bot.platform.members import reads_channel
from bot.platform.readers import Reader
from games.engine import record
from games.engine.log import Entry
from games.engine.message import msg
from matches.store.archive_store import ArchiveMark, ArchiveQuery
from matches.store.rows import MatchRow
from matches.threads import long_in_thread

Whose: TypeAlias = Literal["mine", "server"]
MAX_MATCHES: Final = 2000
"""Maximum number of matches in an archive: more take minutes."""
MAX_THREADS: Final = 100
"""Maximum number of threads that Discord is asked about; matches in further ones are left out."""
_BATCH: Final = 25
_TELL_EVERY: Final = 250

_Parts: TypeAlias = tuple[list[Entry], dict[str, str]]
"""The entries and headers of a record."""
Visible: TypeAlias = Callable[[MatchRow], Awaitable[bool]]


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
    file, mark, whole, told, hidden = ArchiveFile(), None, True, 0, 0
    while whole and (rows := await ctx.store.finished(query, _BATCH, mark)):
        mark = ArchiveMark.of(rows[-1])
        shown = [row for row in rows if await visible(row)]
        hidden += len(rows) - len(shown)
        found = [(row, await _parts(ctx, row, reader)) for row in shown]
        whole = await long_in_thread(_add, file, found) and file.count < MAX_MATCHES
        if file.count - told >= _TELL_EVERY:
            told = file.count
            await edit_answer(interaction, Outgoing(reader.say(msg("bot.archive.packing", n=told))))
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
