"""`/fork`: continue a finished match from any of its moves."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.fork import open_fork
from bot.context import Context
from bot.inbound.commands.common import MAX_MOVE, complete_finished, completer, describe, resolve_match


def add(tree: app_commands.CommandTree[Any], ctx: Context) -> None:
    """Add `/fork` to the tree."""

    @tree.command(name="fork", description=describe(ctx, "fork"))
    @app_commands.describe(
        match=describe(ctx, "match"),
        move=describe(ctx, "fork.move"),
        study=describe(ctx, "fork.study"),
        friend=describe(ctx, "play.friend"),
        friend2=describe(ctx, "play.friend"),
        friend3=describe(ctx, "play.friend"),
    )
    @app_commands.autocomplete(match=completer(ctx, complete_finished))
    async def fork(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        move: app_commands.Range[int, 0, MAX_MOVE] | None = None,
        study: bool = False,
        friend: discord.User | None = None,
        friend2: discord.User | None = None,
        friend3: discord.User | None = None,
    ) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is None:
            return
        friends: list[discord.User | discord.Member] = [
            f for f in (friend, friend2, friend3) if f is not None
        ]
        await open_fork(ctx, interaction, *found, move=move, friends=friends, study=study)
