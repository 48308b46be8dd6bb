"""Commands about who may see a match, and for looking back: `/public`, `/replay`."""

from __future__ import annotations

from typing import Any, Literal

import discord
from discord import app_commands

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.lookback.films import show_film
from bot.actions.lookback.replay import open_replay
from bot.actions.watching.publicity import publicity_text, set_publicity
from bot.context import Context
from bot.inbound.commands.common import (
    MAX_CHOICES,
    Choices,
    command,
    complete_finished,
    complete_match,
    resolve_match,
)
from bot.messages.outgoing import Outgoing
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


def add(tree: app_commands.CommandTree[Any], ctx: Context) -> None:
    """Add the commands of this file to the tree."""

    @command(tree, ctx, "public", match=complete_match)
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

    @command(tree, ctx, "replay", match=complete_any, film=complete_film)
    async def replay(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        move: app_commands.Range[int, 0, 99_999] | None = None,
        film: app_commands.Range[str, 1, MAX_STRETCH] | None = None,
    ) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is None:
            return
        if film is None:
            await open_replay(ctx, interaction, *found, move)
        else:
            await show_film(ctx, interaction, *found, film)
