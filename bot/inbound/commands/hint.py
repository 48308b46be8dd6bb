"""`/ask hint`: what to look at, the move, and why, one step at a time and in private."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.interaction_responses import defer
from bot.actions.play.hints import show_hint
from bot.context import Context
from bot.inbound.commands.common import Menu, command, complete_match, resolve_match


def add(menu: Menu, ctx: Context) -> None:
    """Add the command to the menu."""

    @command(menu.ask, ctx, "hint", match=complete_match)
    async def hint(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await show_hint(ctx, interaction, *found)
