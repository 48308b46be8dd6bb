"""Forget servers that the bot has left, after the time that its operator sets."""

from __future__ import annotations

import logging
from datetime import timedelta

from bot.context import Context

log = logging.getLogger(__name__)


async def forget_departed(ctx: Context) -> None:
    """Note which servers the bot has left, and forget those that it left long ago.

    A server that Discord can't reach now isn't left: the library knows it all the same.
    """
    if not ctx.config.forget_servers_days or not ctx.guilds.shards.settled:
        return
    after, now = timedelta(days=ctx.config.forget_servers_days), ctx.clock.now()
    for each in await ctx.store.note_servers({guild.id for guild in ctx.guilds.all}, now):
        if now - each.since >= after:
            await ctx.store.forget_server(each.guild)
            ctx.preferences.forget("guild", each.guild)
            log.info("a server that was left is forgotten", extra={"guild": each.guild})
