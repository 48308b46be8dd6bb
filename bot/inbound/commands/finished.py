"""Commands that step through a match and animate it: `/replay steps` and `/replay film`."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.interaction_responses import defer
from bot.actions.lookback.films import show_film
from bot.actions.lookback.replay import open_replay
from bot.context import Context
from bot.inbound.commands.common import (
    MAX_CHOICES,
    Choices,
    Menu,
    command,
    complete_finished,
    complete_match,
    resolve_match,
)
from games.engine.message import msg
from games.engine.normalization import folded
from matches.lookback.stretches import MAX_STRETCH

_SUGGESTED = ("all", "turn", "rounds", "moves")


async def complete_any(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest the person's matches, those in progress first."""
    live = await complete_match(ctx, interaction, current)
    return [*live, *await complete_finished(ctx, interaction, current)][:MAX_CHOICES]


async def complete_film(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest which part of a match could be animated."""
    texts = [ctx.readers.default.say(msg(f"bot.film.suggest.{key}")) for key in _SUGGESTED]
    wanted = folded(current)
    return [app_commands.Choice(name=text, value=text) for text in texts if wanted in text]


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""

    @command(menu.replay, ctx, "replay.steps", match=complete_any)
    async def steps(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        move: app_commands.Range[int, 0, 99_999] | None = None,
    ) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await open_replay(ctx, interaction, *found, move)

    @command(menu.replay, ctx, "replay.film", match=complete_any, part=complete_film)
    async def film(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        part: app_commands.Range[str, 1, MAX_STRETCH] = "",
    ) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await show_film(ctx, interaction, *found, part)
