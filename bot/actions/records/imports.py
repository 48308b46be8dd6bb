"""Import a record that someone has attached: check it, keep it as a match of theirs, show its end."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.lobby.lobby_panel import person
from bot.actions.match_access import may_look
from bot.context import Context
from bot.messages.names import as_code
from bot.messages.outgoing import Outgoing
from bot.platform.reader_settings import Reader
from games.engine.message import Msg, msg
from games.engine.record import Record
from matches.records.imports import MAX_CHARACTERS, ImportFault
from matches.results import Refused
from matches.store.rows import MatchRow

_MAX_REASON = 300
"""Maximum number of characters of what is wrong."""


async def import_record(
    ctx: Context, interaction: discord.Interaction[Any], file: discord.Attachment
) -> None:
    """Import an attached record, and show its last position; or say what is wrong with it, and where."""
    await defer(interaction)
    reader = await ctx.readers.of(interaction)
    text = ctx.operation.throttle.refuse("import", interaction.user.id) or await _fetch(file)
    found = text if isinstance(text, Msg) else await _taken(ctx, interaction, text, reader)
    if isinstance(found, Msg):
        await respond_privately(interaction, Outgoing(reader.say(found)))
        return
    row, news = found
    change = await ctx.service.queries.last_change(row)
    outgoing = await ctx.presenter.board(row, change.match, change.facts, reader, note=reader.say(news))
    await respond_privately(interaction, outgoing)


async def import_from(ctx: Context, interaction: discord.Interaction[Any], message: discord.Message) -> None:
    """Import the record that is attached to a message."""
    if len(message.attachments) == 1:
        await import_record(ctx, interaction, message.attachments[0])
        return
    reader, count = await ctx.readers.of(interaction), len(message.attachments)
    why = msg("bot.import.several", n=count) if count else msg("bot.import.no_file")
    await respond_privately(interaction, Outgoing(reader.say(why)))


async def _fetch(file: discord.Attachment) -> str | Msg:
    """Return the text of an attachment, or why there is none. Its size is checked before it's loaded."""
    most = 4 * MAX_CHARACTERS  # a character has at most four bytes
    if file.size > most:
        return msg("bot.import.large", size=-(-file.size // 1000), most=most // 1000)
    try:
        return (await file.read()).decode("utf-8")
    except (discord.HTTPException, OSError):
        return msg("bot.import.unfetched")
    except UnicodeDecodeError:
        return msg("bot.import.not_text")


async def _taken(
    ctx: Context, interaction: discord.Interaction[Any], text: str, reader: Reader
) -> tuple[MatchRow, Msg] | Msg:
    """Return the match of a record and what to say of it, or what is wrong with the record."""
    record = await ctx.service.imports.read(text)
    if isinstance(record, ImportFault):
        return _fault(record, reader)
    if (local := await _local(ctx, interaction, record)) is not None:
        return local, msg("bot.import.local", match=local.id)
    before = await ctx.store.imported(interaction.user.id, record.checksum)
    kept = await ctx.service.imports.keep(record, person(interaction.user), request=f"i{interaction.id}")
    if isinstance(kept, Refused):
        return kept.why
    return kept, msg("bot.import.done" if before is None else "bot.import.known", match=kept.id)


async def _local(ctx: Context, interaction: discord.Interaction[Any], record: Record) -> MatchRow | None:
    row = await ctx.service.imports.played_here(record)
    if row is None or not await may_look(ctx, row, interaction.user, interaction.channel_id):
        return None
    return row


def _fault(fault: ImportFault, reader: Reader) -> Msg:
    reason = f"`{as_code(fault.reason, _MAX_REASON)}`"
    if fault.why is None:
        return msg("bot.import.wrong", line=fault.line, reason=reason)
    return msg("bot.import.wrong_move", line=fault.line, reason=reason, why=reader.say(fault.why))
