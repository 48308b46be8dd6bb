"""`/replay fork`: continue a finished match from any of its moves."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.lobby.fork import open_fork
from bot.context import Context
from bot.inbound.commands.common import MAX_MOVE, Menu, command, complete_finished, resolve_match


def add(menu: Menu, ctx: Context) -> None:
    """Add the command to the menu."""

    @command(menu.replay, ctx, "fork", texts={"friend": "play.friend"}, match=complete_finished)
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
