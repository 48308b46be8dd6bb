"""Look after the clocks of matches: beat while people can play, and do what is due."""

from __future__ import annotations

from bot.context import Context


async def sweep(ctx: Context) -> None:
    """Beat, then do what the clocks of all matches make due, and deliver what came of it.

    Call it only while people can play: a silence between two beats is given back to all clocks.
    """
    away = [guild.id for guild in ctx.client.guilds if guild.unavailable]
    await ctx.service.heartbeat.beat(away)
    for played in await ctx.service.time_up.tick():
        await ctx.deliver(played.row.id, played.row)
