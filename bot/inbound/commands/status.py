"""How the bot is doing, for the owner of the application: `/server operator do:status`."""

from __future__ import annotations

import discord

from bot.context import Context
from bot.messages.errors import error_lines
from bot.platform.readers import Reader
from games.engine.message import msg

_MAX_ERRORS = 5
"""Maximum number of groups of errors that are shown."""


async def status_text(ctx: Context, reader: Reader) -> str:
    """Return how the bot is doing: since when it runs, what waits, what was counted, and what failed."""
    say = reader.say
    since = discord.utils.format_dt(ctx.operation.counters.since, "R")
    waiting = len(await ctx.store.outbox_pending())
    counts = ctx.operation.counters.snapshot()
    lines = [
        say(msg("bot.status.head", since=since, n=len(ctx.discord.guilds.all))),
        say(msg("bot.status.waiting", n=waiting)),
    ]
    await ctx.operation.errors.save(ctx.store)
    if groups := await ctx.store.error_groups():
        lines += [say(msg("bot.errors.latest")), *error_lines(groups[:_MAX_ERRORS], reader)]
    lines += [f"- {name}: {count:,}" for name, count in counts.items()]
    return "\n".join(lines if counts else [*lines, say(msg("bot.status.nothing"))])
