"""Give out a finished match as a file: its record, a picture, a position, or another notation."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import discord

from bot.actions.interaction_responses import respond_privately
from bot.context import Context
from bot.messages.outgoing import File, Outgoing
from bot.messages.record_file import record_text
from bot.messages.scenes import frame
from bot.platform.reader_settings import Reader
from games.engine.forks import position_after
from games.engine.match import Match
from games.engine.message import Msg, msg
from games.engine.portable import position_text, restyled
from games.engine.record_json import to_json
from matches.long_work import in_thread
from matches.store.rows import MatchRow

ExportFormat: TypeAlias = Literal["text", "json", "picture", "position", "abstract-play"]
_OF_A_MOVE = ("picture", "position")
_HOSTS = {"abstract-play": "Abstract Play"}
"""The names of the hosts whose notations there are."""


async def export_match(
    ctx: Context,
    interaction: discord.Interaction[Any],
    row: MatchRow,
    reader: Reader,
    form: ExportFormat = "text",
    move: int | None = None,
) -> None:
    """Send a finished match in one of the formats; the record of one in progress has what is still hidden."""
    if (many := ctx.operation.throttle.refuse("export", interaction.user.id)) is not None:
        await respond_privately(interaction, Outgoing(reader.say(many)))
        return
    match = await ctx.service.queries.at(row.id, row.version)
    if match.ending is None and row.provenance.source != "import":
        found: Outgoing | Msg = msg("bot.record.live", match=row.id)
    elif move is not None and form not in _OF_A_MOVE:
        found = msg("bot.record.whole")
    elif form in _OF_A_MOVE:
        found = await _of_move(ctx, row, match, reader, form, move)
    elif form in _HOSTS:
        found = await _of_host(row, match, reader, form)
    else:
        found = await _record(ctx, row, match, reader, form)
    await respond_privately(interaction, Outgoing(reader.say(found)) if isinstance(found, Msg) else found)


async def _record(ctx: Context, row: MatchRow, match: Match, reader: Reader, form: ExportFormat) -> Outgoing:
    holders, came = await ctx.store.holders(row.id), await ctx.store.import_of(row.id)

    def written() -> str:
        text = record_text(row, match, reader, holders, came)
        return to_json(text) if form == "json" else text

    text, key = await in_thread(written), "alt" if form == "text" else "alt_json"
    name = f"{row.id}.{'txt' if form == 'text' else 'json'}"
    return _file(row, reader, (name, text.encode(), key), msg(f"bot.record.{form}", match=row.id))


async def _of_move(
    ctx: Context, row: MatchRow, match: Match, reader: Reader, form: ExportFormat, move: int | None
) -> Outgoing | Msg:
    try:
        at = await in_thread(position_after, match.log, move)
    except LookupError as error:
        return msg("bot.record.no_move", match=row.id, last=error.args[0])
    what = msg(f"bot.record.{form}", match=row.id, n=at.plays)
    name = f"{row.id}-{at.plays}"
    if form == "picture":
        scene = await in_thread(frame, at, (), None)
        return Outgoing(reader.say(what), (await ctx.presenter.pictures.file(scene, reader, f"{name}.png"),))
    text = await in_thread(position_text, at)
    return _file(row, reader, (f"{name}.json", text.encode(), "alt_position"), what)


async def _of_host(row: MatchRow, match: Match, reader: Reader, form: ExportFormat) -> Outgoing | Msg:
    text, host = await in_thread(restyled, match.log, form), _HOSTS[form]
    if text is None:
        return msg("bot.record.no_other", match=row.id)
    alt = reader.say(msg("bot.record.alt_other", match=row.id, host=host))
    file: File = (f"{row.id}-{form}.json", text.encode(), alt)
    return Outgoing(reader.say(msg("bot.record.other", match=row.id, host=host)), (file,))


def _file(row: MatchRow, reader: Reader, file: tuple[str, bytes, str], what: Msg) -> Outgoing:
    name, data, key = file
    return Outgoing(reader.say(what), ((name, data, reader.say(msg(f"bot.record.{key}", match=row.id))),))
