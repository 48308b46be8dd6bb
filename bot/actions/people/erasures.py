"""What is kept about a person: told in a few lines, given as a file, and forgotten after two questions."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, TypeAlias

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, defer, edit_in_place, respond_privately
from bot.context import Context
from bot.messages.buttons import NO_MATCH, STYLE
from bot.messages.components import Call, CallButton
from bot.messages.outgoing import Outgoing
from bot.messages.record_file import record_text
from bot.platform.discord_limits import MAX_FILE_BYTES
from bot.platform.reader_settings import Reader
from games.engine.match import Match
from games.engine.message import msg
from matches.long_work import long_in_thread
from matches.store.erasures import PersonalData
from matches.store.rows import ImportRow, MatchRow, SeatHolder

MAX_AGE: Final = 15
"""How many minutes a question of `/settings privacy erase` may be answered."""
MAX_ROWS: Final = 5000
"""Most rows of a kind in the file."""
MAX_RECORDS: Final = 100
"""Maximum number of records in the file about a person, the latest first."""
ExportedMatch: TypeAlias = tuple[MatchRow, Match, Sequence[SeatHolder], ImportRow | None]
"""A finished match, its holders, and what it was imported with."""


def privacy_panel(reader: Reader, user: int) -> Outgoing:
    """Return what is kept about people, with a button for the file and one to be forgotten."""
    items = (
        CallButton.make(Call("data", NO_MATCH, 0, str(user)), reader.say(msg("bot.privacy.button.export"))),
        CallButton.make(
            Call("forget", NO_MATCH, 0, str(user)), reader.say(msg("bot.privacy.button.erase")), STYLE.danger
        ),
    )
    return Outgoing(reader.say(msg("bot.privacy.about")), (), items)


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


async def ask_first(ctx: Context, reader: Reader, user: int) -> Outgoing:
    """Return the first question before a person is forgotten: what will happen, with what it means now."""
    lobbies, live = await ctx.service.erasures.affected(user)
    now = [reader.say(msg("bot.privacy.erase.live", n=len(live)))] if live else []
    now += [reader.say(msg("bot.privacy.erase.lobbies", n=len(lobbies)))] if lobbies else []
    text = "\n".join((reader.say(msg("bot.privacy.erase.first")), *now))
    return _question(ctx, reader, user, text, "sure", "bot.privacy.button.on")


def _question(ctx: Context, reader: Reader, user: int, text: str, then: str, label: str) -> Outgoing:
    minute = int(ctx.clock.now().timestamp()) // 60
    yes = Call(f"forget_{then}", NO_MATCH, minute, str(user))
    no = Call("forget_no", NO_MATCH, minute, str(user))
    return Outgoing(
        text,
        (),
        (
            CallButton.make(yes, reader.say(msg(label)), STYLE.danger),
            CallButton.make(no, reader.say(msg("bot.privacy.button.no"))),
        ),
    )


async def _own(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> Reader | None:
    """Return the reader if the person presses a button of their own that isn't too old; else say why not."""
    reader = await ctx.readers.of(interaction)
    age = int(ctx.clock.now().timestamp()) // 60 - call.seq
    if call.arg != str(interaction.user.id):
        await respond_privately(interaction, Outgoing(reader.say(msg("bot.privacy.not_yours"))))
    elif call.seq and not 0 <= age <= MAX_AGE:
        await edit_in_place(interaction, Outgoing(reader.say(msg("bot.privacy.erase.old"))))
    else:
        return reader
    return None


@on("data")
async def export_pressed(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Send the person their file."""
    if await _own(ctx, interaction, call) is not None:
        await export_data(ctx, interaction)


@on("forget")
async def forget_pressed(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Ask the first question."""
    if (reader := await _own(ctx, interaction, call)) is not None:
        await edit_in_place(interaction, await ask_first(ctx, reader, interaction.user.id))


@on("forget_sure")
async def forget_again(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Ask the second question."""
    if (reader := await _own(ctx, interaction, call)) is not None:
        text = reader.say(msg("bot.privacy.erase.second"))
        asked = _question(ctx, reader, interaction.user.id, text, "now", "bot.privacy.button.now")
        await edit_in_place(interaction, asked)


@on("forget_no")
async def forget_not(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Leave everything as it is."""
    if (reader := await _own(ctx, interaction, call)) is not None:
        await edit_in_place(interaction, Outgoing(reader.say(msg("bot.privacy.erase.kept"))))


@on("forget_now")
async def forget_now(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Forget the person."""
    if (reader := await _own(ctx, interaction, call)) is None:
        return
    await acknowledge(interaction)
    user = interaction.user.id
    touched = await ctx.service.erasures.forget(user)
    ctx.preferences.forget("user", user)
    await edit_in_place(interaction, Outgoing(reader.say(msg("bot.privacy.erase.done"))))
    for match in touched:
        await ctx.delivery.finish(match)


async def finish_erasures(ctx: Context) -> None:
    """Finish forgetting people after a crash, and clean the database after those who are forgotten."""
    for user in await ctx.service.erasures.resume():
        ctx.preferences.forget("user", user)
    await ctx.service.erasures.clean_up()


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
