"""The file with everything that is kept about a person, which only they can see."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, TypeAlias

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.people.erasures import own_reader
from bot.context import Context
from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from bot.messages.record_file import record_text
from bot.platform.discord_limits import MAX_FILE_BYTES
from bot.platform.reader_settings import Reader
from games.engine.match import Match
from games.engine.message import msg
from matches.long_work import long_in_thread
from matches.store.erasures import PersonalData
from matches.store.rows import ImportRow, MatchRow, SeatHolder

MAX_ROWS: Final = 5000
"""Most rows of a kind in the file."""
MAX_RECORDS: Final = 100
"""Maximum number of records in the file about a person, the latest first."""
ExportedMatch: TypeAlias = tuple[MatchRow, Match, Sequence[SeatHolder], ImportRow | None]
"""A finished match, its holders, and what it was imported with."""


async def export_data(ctx: Context, interaction: discord.Interaction[Any]) -> None:
    """Send a person all that is kept about them, as a file that only they can see."""
    await defer(interaction)
    user, reader = interaction.user.id, await ctx.readers.of(interaction)
    if (many := ctx.operation.throttle.refuse("export", user)) is not None:
        await respond_privately(interaction, Outgoing(reader.say(many)))
        return
    data = await ctx.store.personal_data(user, MAX_ROWS)
    matches: list[tuple[MatchRow, Match, tuple[SeatHolder, ...], ImportRow | None]] = []
    rows = await ctx.store.by_user(user, ("over", "aborted"))
    for row in rows[:MAX_RECORDS]:
        match = await _finished(ctx, row)
        if match is not None:
            holders = tuple(await ctx.store.holders(row.id))
            matches.append((row, match, holders, await ctx.store.import_of(row.id)))
    file = await long_in_thread(packed, user, ctx.clock.now(), data, matches, reader)
    alt = reader.say(msg("bot.privacy.alt"))
    text = reader.say(msg("bot.privacy.exported", n=MAX_RECORDS))
    await respond_privately(interaction, Outgoing(text, (("dominium-data.zip", file, alt),)))


async def _finished(ctx: Context, row: MatchRow) -> Match | None:
    """Return a match that is over, so that nothing of it is secret; None for others."""
    if row.version < 0:
        return None
    try:
        match = await ctx.service.queries.at(row.id, row.version)
    except LookupError:
        return None
    return match if match.ending is not None or row.provenance.source == "import" else None


@on("data")
async def export_pressed(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Send the person their file."""
    if await own_reader(ctx, interaction, call) is not None:
        await export_data(ctx, interaction)


def packed(
    user: int, now: datetime, data: PersonalData, matches: Sequence[ExportedMatch], reader: Reader
) -> bytes:
    """Return the zip file with `data.json` and `records/*.txt`. Blocks: call it in a worker thread."""
    about = {
        "about": str(user),
        "made": now.isoformat(),
        "times": "milliseconds since 1970, UTC",
        "most_rows_of_a_kind": MAX_ROWS,
        "tables": data,
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("data.json", json.dumps(about, indent=1, ensure_ascii=False))
        size = 0
        for row, match, holders, came in matches:
            text = record_text(row, match, reader, holders, came)
            size += len(text)
            if size > MAX_FILE_BYTES:  # before they are compressed
                break
            out.writestr(f"records/{row.id}.txt", text)
    return file.getvalue()
