"""Records of matches as files: `/record export`, `/record import`, and a message command to import."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.interaction_responses import defer
from bot.actions.record_export import ExportFormat, export_match
from bot.actions.record_import import import_from, import_record
from bot.context import Context
from bot.inbound.commands.common import MAX_MOVE, complete_finished, completer, describe, resolve_match


def add(tree: app_commands.CommandTree[Any], ctx: Context) -> None:
    """Add the commands of this file to the tree."""
    group = app_commands.Group(name="record", description=describe(ctx, "record"))

    @group.command(name="export", description=describe(ctx, "record.export"))
    @app_commands.describe(
        match=describe(ctx, "match"),
        format=describe(ctx, "record.format"),
        move=describe(ctx, "record.move"),
    )
    @app_commands.autocomplete(match=completer(ctx, complete_finished))
    async def export(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        format: ExportFormat = "text",  # noqa: A002 - the name that people type
        move: app_commands.Range[int, 0, MAX_MOVE] | None = None,
    ) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await export_match(ctx, interaction, *found, format, move)

    @group.command(name="import", description=describe(ctx, "record.import"))
    @app_commands.describe(file=describe(ctx, "record.file"))
    async def import_(interaction: discord.Interaction[Any], file: discord.Attachment) -> None:
        await import_record(ctx, interaction, file)

    tree.add_command(group)

    async def from_message(interaction: discord.Interaction[Any], message: discord.Message) -> None:
        await import_from(ctx, interaction, message)

    tree.add_command(app_commands.ContextMenu(name=describe(ctx, "import_record"), callback=from_message))
