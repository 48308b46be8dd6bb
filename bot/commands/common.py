"""What several commands need: the match that is meant, and its completion while typing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.answers import private
from bot.presenter import Outgoing, Reader, as_code
from games.engine.game import Seat
from games.engine.message import msg
from matches.ports import MatchRow

if TYPE_CHECKING:
    from bot.app import Dominium

MAX_CHOICES = 25


async def meant(
    app: Dominium, interaction: discord.Interaction[Any], match_id: str | None, *, started: bool = True
) -> tuple[MatchRow, Reader] | None:
    """The match that was named, or that is played in this channel, or the person's only one.

    Answers with a sentence and gives None where there is none, or more than one.
    """
    reader = await app.reader_of(interaction)
    row = await _find(app, interaction, match_id)
    if isinstance(row, tuple):
        ids = tuple(f"`{one.id}`" for one in row[:8])
        key = msg("bot.match.which", matches=ids) if ids else msg("bot.match.none")
        await private(interaction, Outgoing(app.presenter.say(key, reader.language)))
        return None
    if row is None or (started and row.version < 0):
        text = app.presenter.say(
            msg("bot.match.unknown", match=as_code(match_id or "", 12).upper()), reader.language
        )
        await private(interaction, Outgoing(text))
        return None
    seat = app.service.seat_of(row, interaction.user.id)
    return row, await app.reader_of(interaction, None if seat is None else Seat(seat))


async def _find(
    app: Dominium, interaction: discord.Interaction[Any], match_id: str | None
) -> MatchRow | tuple[MatchRow, ...] | None:
    if match_id:
        return await app.service.find(match_id)
    here: tuple[MatchRow, ...] = ()
    if interaction.channel_id is not None:
        here = tuple(await app.service.live_in(interaction.channel_id))
        if not here:
            over = await app.store.by_place(interaction.channel_id, ("over", "aborted"))
            if over and over[0].place.thread == interaction.channel_id:
                return over[0]
    if not here:
        here = tuple(seen.row for seen in await app.service.mine(interaction.user.id))
    if len(here) > 1:
        mine = tuple(r for r in here if app.service.seat_of(r, interaction.user.id) is not None)
        here = mine or here
    return here[0] if len(here) == 1 else here


async def find_one(app: Dominium, interaction: discord.Interaction[Any]) -> MatchRow | None:
    """The match to complete for: the one already named, or the one in which it is the person's turn."""
    named = getattr(interaction.namespace, "match", None)
    row = await _find(app, interaction, str(named) if named else None)
    if isinstance(row, tuple):
        return row[0] if row else None
    return row


async def complete_match(
    interaction: discord.Interaction[Any], current: str
) -> list[app_commands.Choice[str]]:
    """The person's live matches, those to move in first."""
    app: Dominium = interaction.client
    wanted = current.casefold().replace("-", "").strip()
    found = []
    for seen in await app.service.mine(interaction.user.id):
        row = seen.row
        if wanted in row.id.casefold().replace("-", ""):
            label = app.presenter.thread_name(row, app.config.language)
            found.append(app_commands.Choice(name=label, value=row.id))
    return found[:MAX_CHOICES]


async def complete_over(
    interaction: discord.Interaction[Any], current: str
) -> list[app_commands.Choice[str]]:
    """The person's finished matches."""
    app: Dominium = interaction.client
    wanted = current.casefold().replace("-", "").strip()
    rows = await app.store.by_user(interaction.user.id, ("over",))
    return [
        app_commands.Choice(name=app.presenter.thread_name(row, app.config.language), value=row.id)
        for row in rows
        if wanted in row.id.casefold().replace("-", "")
    ][:MAX_CHOICES]


async def complete_move(
    interaction: discord.Interaction[Any], current: str
) -> list[app_commands.Choice[str]]:
    """Legal moves that begin like what was typed."""
    app: Dominium = interaction.client
    row = await find_one(app, interaction)
    if row is None or row.status != "live":
        return []
    texts = await app.service.legal(row.id, interaction.user.id, current, limit=MAX_CHOICES)
    return [app_commands.Choice(name=text[:100], value=text[:100]) for text in texts]


def describe(app: Dominium, key: str) -> str:
    """A command's or parameter's description, at most 100 signs, in the default language."""
    return app.presenter.say(msg(f"command.{key}"), app.config.language)[:100]
