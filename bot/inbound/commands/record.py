"""Records of matches as files: `/replay record`, `/matches import` and `archive`, and "Import record"."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.records.archive import asked_for
from bot.actions.records.archive_file import Whose, send_archive
from bot.actions.records.record_export import ExportFormat, export_match
from bot.actions.records.record_import import import_from, import_record
from bot.context import Context
from bot.inbound.commands.common import MAX_MOVE, Menu, command, complete_finished, describe, resolve_match
from bot.messages.outgoing import Outgoing
from games.engine.message import Msg


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""

    @command(menu.replay, ctx, "record.export", name="record", match=complete_finished)
    async def export(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        format: ExportFormat = "text",  # noqa: A002 - the name that people type
        move: app_commands.Range[int, 0, MAX_MOVE] | None = None,
    ) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await export_match(ctx, interaction, *found, format, move)

    @command(menu.matches, ctx, "record.import")
    async def import_(interaction: discord.Interaction[Any], file: discord.Attachment) -> None:
        await import_record(ctx, interaction, file)

    @command(menu.matches, ctx, "record.archive", texts={"since": "matches.since", "until": "matches.until"})
    async def archive(
        interaction: discord.Interaction[Any],
        whose: Whose = "mine",
        since: str | None = None,
        until: str | None = None,
    ) -> None:
        await defer(interaction)
        reader = await ctx.readers.of(interaction)
        asked = asked_for(None, None, None, since, until, ctx.clock.now())
        if isinstance(asked, Msg):
            await respond_privately(interaction, Outgoing(reader.say(asked)))
        else:
            await send_archive(ctx, interaction, whose, asked, reader)

    async def from_message(interaction: discord.Interaction[Any], message: discord.Message) -> None:
        await import_from(ctx, interaction, message)

    menu.tree.add_command(
        app_commands.ContextMenu(name=describe(ctx, "import_record"), callback=from_message)
    )
