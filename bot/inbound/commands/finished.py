"""Commands about who may see a match, and about finished ones: `/public`, `/replay`, `/record`."""

from __future__ import annotations

from typing import Any, Literal

import discord
from discord import app_commands

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.publicity import publicity_text, set_publicity
from bot.actions.replay import show_record, show_replay
from bot.context import Context
from bot.inbound.commands.common import (
    complete_finished,
    complete_match,
    completer,
    describe,
    resolve_match,
)
from bot.messages.outgoing import Outgoing


def add(tree: app_commands.CommandTree[Any], ctx: Context) -> None:
    """Add the commands of this file to the tree."""
    which = describe(ctx, "match")

    @tree.command(name="public", description=describe(ctx, "public"))
    @app_commands.describe(match=which, answer=describe(ctx, "public.answer"))
    @app_commands.autocomplete(match=completer(ctx, complete_match))
    async def public(
        interaction: discord.Interaction[Any],
        answer: Literal["yes", "no"] | None = None,
        match: str | None = None,
    ) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is None:
            return
        if answer is None:
            await respond_privately(interaction, Outgoing(publicity_text(*found)))
        else:
            await set_publicity(ctx, interaction, *found, public=answer == "yes")

    @tree.command(name="replay", description=describe(ctx, "replay"))
    @app_commands.describe(match=which)
    @app_commands.autocomplete(match=completer(ctx, complete_finished))
    async def replay(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await show_replay(ctx, interaction, *found)

    @tree.command(name="record", description=describe(ctx, "record"))
    @app_commands.describe(match=which)
    @app_commands.autocomplete(match=completer(ctx, complete_finished))
    async def record(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await show_record(ctx, interaction, *found)
