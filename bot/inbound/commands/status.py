"""`/status`: what operators want to know, for the owner of the application alone."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.interaction_responses import respond_privately
from bot.context import Context
from bot.inbound.commands.common import command
from bot.messages.errors import error_lines
from bot.messages.outgoing import Outgoing
from bot.platform.owner import is_owner
from bot.platform.readers import Reader
from games.engine.message import msg

_MAX_ERRORS = 5
"""Maximum number of groups of errors that are shown."""


async def status_text(ctx: Context, reader: Reader) -> str:
    """Return how the bot is doing: since when it runs, what waits, what was counted, and what failed."""
    say = reader.say
    since = discord.utils.format_dt(ctx.counters.since, "R")
    waiting = len(await ctx.store.outbox_pending())
    counts = ctx.counters.snapshot()
    lines = [
        say(msg("bot.status.head", since=since, n=len(ctx.guilds.all))),
        say(msg("bot.status.waiting", n=waiting)),
    ]
    await ctx.errors.save(ctx.store)
    if groups := await ctx.store.error_groups():
        lines += [say(msg("bot.errors.latest")), *error_lines(groups[:_MAX_ERRORS], reader)]
    lines += [f"- {name}: {count:,}" for name, count in counts.items()]
    return "\n".join(lines if counts else [*lines, say(msg("bot.status.nothing"))])


def add(tree: app_commands.CommandTree[Any], ctx: Context) -> None:
    """Add `/status` to the tree. It is offered in direct messages only, where it is in nobody's way."""

    @command(tree, ctx, "status")
    @app_commands.allowed_contexts(guilds=False, dms=True, private_channels=False)
    async def status(interaction: discord.Interaction[Any]) -> None:
        reader = await ctx.readers.of(interaction)
        mine = is_owner(ctx.client, interaction.user.id)
        text = await status_text(ctx, reader) if mine else reader.say(msg("bot.status.owner"))
        await respond_privately(interaction, Outgoing(text))
