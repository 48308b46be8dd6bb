"""Commands about one match: `/move`, `/moves`, `/odds`, `/board`, `/resign`, `/analyse`, `/draw`..."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import discord
from discord import app_commands

from bot import aims
from bot.analysis import analysed
from bot.answers import private, thinking
from bot.board import settle, submit, sure
from bot.commands.common import complete_match, complete_move, complete_over, describe, meant
from bot.looks import show_part
from bot.odds import told
from bot.panels import moves_panel
from bot.permissions import complaint, missing
from bot.presenter import Outgoing
from games.engine.message import msg
from matches.ports import Draft, Place

if TYPE_CHECKING:
    from bot.app import Dominium


def add(app: Dominium) -> None:
    """The commands of this file."""
    which = describe(app, "match")

    @app.tree.command(name="move", description=describe(app, "move"))
    @app_commands.describe(move=describe(app, "move.move"), match=which)
    @app_commands.autocomplete(move=complete_move, match=complete_match)
    async def move(interaction: discord.Interaction[Any], move: str, match: str | None = None) -> None:
        if (found := await meant(app, interaction, match)) is not None:
            await submit(app, interaction, found[0].id, move)

    @app.tree.command(name="moves", description=describe(app, "moves"))
    @app_commands.describe(piece=describe(app, "moves.piece"), match=which)
    @app_commands.autocomplete(match=complete_match)
    async def moves(interaction: discord.Interaction[Any], piece: str = "", match: str | None = None) -> None:
        if (found := await meant(app, interaction, match)) is None:
            return
        row, reader = found
        if piece.strip():
            await thinking(interaction)
            await private(interaction, await aims.told(app, row, reader, piece))
        else:
            await private(interaction, await moves_panel(app, row, interaction.user.id, reader))

    @app.tree.command(name="odds", description=describe(app, "odds"))
    @app_commands.describe(move=describe(app, "odds.move"), match=which)
    @app_commands.autocomplete(move=complete_move, match=complete_match)
    async def odds(interaction: discord.Interaction[Any], move: str = "", match: str | None = None) -> None:
        if (found := await meant(app, interaction, match)) is not None:
            await private(interaction, await told(app, *found, move))

    @app.tree.command(name="board", description=describe(app, "board"))
    @app_commands.describe(match=which, look=describe(app, "board.look"), part=describe(app, "board.part"))
    @app_commands.autocomplete(match=complete_match)
    async def board(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        look: Literal["picture", "text"] | None = None,
        part: str = "",
    ) -> None:
        await thinking(interaction)
        if (found := await meant(app, interaction, match)) is not None:
            row, reader = found
            if look is not None:
                reader = replace(reader, text=look == "text")
            await private(interaction, await show_part(app, row, reader, part))

    @app.tree.command(name="resign", description=describe(app, "resign"))
    @app_commands.describe(match=which)
    @app_commands.autocomplete(match=complete_match)
    async def resign(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        if (found := await meant(app, interaction, match)) is not None:
            await private(interaction, await sure(app, *found))

    @app.tree.command(name="analyse", description=describe(app, "analyse"))
    @app_commands.describe(match=which)
    @app_commands.autocomplete(match=complete_over)
    async def analyse(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        await thinking(interaction)
        if (found := await meant(app, interaction, match)) is not None:
            await private(interaction, await analysed(app, *found))

    @app.tree.command(name="draw", description=describe(app, "draw"))
    @app_commands.describe(match=which, answer=describe(app, "draw.answer"))
    @app_commands.autocomplete(match=complete_match)
    async def draw(
        interaction: discord.Interaction[Any],
        answer: Literal["offer", "accept", "decline"] = "offer",
        match: str | None = None,
    ) -> None:
        if (found := await meant(app, interaction, match)) is None:
            return
        row, _ = found
        user, request = interaction.user.id, f"i{interaction.id}"
        if answer == "decline":
            result = await app.service.decline_draw(row.id, user, request=request)
        else:
            result = await app.service.offer_draw(row.id, user, request=request)
        await settle(app, interaction, row.id, result)

    @app.tree.command(name="continue", description=describe(app, "continue"))
    @app_commands.describe(match=which)
    @app_commands.autocomplete(match=complete_match)
    async def go_on(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        await _continue_here(app, interaction, match)


async def _continue_here(app: Dominium, interaction: discord.Interaction[Any], match: str | None) -> None:
    """Move a match whose thread or channel was lost to this channel."""
    if (found := await meant(app, interaction, match)) is None:
        return
    row, reader = found
    say = app.presenter.say
    if reader.seat is None:
        await private(interaction, Outgoing(say(msg("bot.move.not_yours", match=row.id), reader.language)))
        return
    if not row.unreachable or interaction.channel_id is None or row.place.guild != interaction.guild_id:
        text = say(msg("bot.continue.no_need", match=row.id, place=f"<#{row.place.home}>"), reader.language)
        await private(interaction, Outgoing(text))
        return
    if lacking := missing(interaction, threads=False):
        await private(interaction, Outgoing(say(complaint(app, interaction, lacking), reader.language)))
        return
    await thinking(interaction)
    moved = await app.service.moved(row.id, Place(interaction.guild_id, interaction.channel_id))
    if not await app.store.outbox_pending(row.id):
        shown = {"first": await app.service.last_change(row), "last": row.version}
        await app.store.outbox_add(Draft("board", row.id, row.id, shown), moved.updated)
    await private(interaction, Outgoing(say(msg("bot.continue.done", match=row.id), reader.language)))
    await app.publisher.drain()
