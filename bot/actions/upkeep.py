"""What is done from time to time: look after clocks, and forget what is over."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Final

from bot.context import Context

log = logging.getLogger(__name__)
_LAID_ASIDE: Final = timedelta(days=30)
"""How long a message that can't be sent is kept."""


async def sweep(ctx: Context) -> None:
    """Note where people can't play; beat, do what the clocks of all matches make due, and deliver it.

    Call it only while people can play: a silence between two beats is given back to all clocks.
    """
    shards = ctx.discord.guilds.shards
    if shards.settled:  # before that, what isn't known isn't away
        await ctx.service.heartbeat.note_away(
            [guild.id for guild in ctx.discord.guilds.all if guild.unavailable]
        )
    if not shards.leads:
        return
    await ctx.service.heartbeat.beat(None)
    for played in await ctx.service.time_up.tick():
        await ctx.delivery.finish(played.row.id, played.row)


async def run_tournaments(ctx: Context) -> None:
    """Pair tournaments, and start and deliver their matches."""
    for row in await ctx.service.tournaments.tick():
        await ctx.delivery.finish(row.id, row)


async def forget_what_is_over(ctx: Context) -> None:
    """Forget what has been over for long."""
    await ctx.store.outbox_forget(ctx.clock.now() - _LAID_ASIDE)
    await forget_departed(ctx)


async def forget_departed(ctx: Context) -> None:
    """Note which servers the bot has left, and forget those that it left long ago.

    A server that Discord can't reach now isn't left: the library knows it all the same.
    """
    if not ctx.config.forget_servers_days or not ctx.discord.guilds.shards.settled:
        return
    after, now = timedelta(days=ctx.config.forget_servers_days), ctx.clock.now()
    for each in await ctx.store.note_servers({guild.id for guild in ctx.discord.guilds.all}, now):
        if now - each.since >= after:
            await ctx.store.forget_server(each.guild)
            ctx.preferences.forget("guild", each.guild)
            log.info("a server that was left is forgotten", extra={"guild": each.guild})
