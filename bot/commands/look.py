"""`/look`: a match by ear; `/hand`: what only its player knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot import ask
from bot.answers import private
from bot.commands.common import MAX_CHOICES, complete_match, describe, find_one, meant
from games.engine.game import Seat

if TYPE_CHECKING:
    from bot.app import Dominium


async def complete_question(
    interaction: discord.Interaction[Any], current: str
) -> list[app_commands.Choice[str]]:
    """Questions that begin like what was typed."""
    app: Dominium = interaction.client
    row = await find_one(app, interaction)
    if row is None or row.version < 0:
        return []
    seat = app.service.seat_of(row, interaction.user.id)
    reader = await app.reader_of(interaction, None if seat is None else Seat(seat))
    wanted = current.casefold().strip()
    listed = [each for each in await ask.suggestions(app, row, reader) if each.startswith(wanted)]
    return [app_commands.Choice(name=text[:100], value=text[:100]) for text in listed[:MAX_CHOICES]]


def add(app: Dominium) -> None:
    """The commands of this file."""

    @app.tree.command(name="look", description=describe(app, "look"))
    @app_commands.describe(what=describe(app, "look.what"), match=describe(app, "match"))
    @app_commands.autocomplete(what=complete_question, match=complete_match)
    async def look(interaction: discord.Interaction[Any], what: str, match: str | None = None) -> None:
        if (found := await meant(app, interaction, match)) is not None:
            await private(interaction, await ask.answer(app, *found, what))

    @app.tree.command(name="hand", description=describe(app, "hand"))
    @app_commands.describe(match=describe(app, "match"))
    @app_commands.autocomplete(match=complete_match)
    async def hand(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        if (found := await meant(app, interaction, match)) is not None:
            await private(interaction, await ask.hand(app, *found))
