"""Look after the clocks of matches: beat while people can play, and do what is due."""

from __future__ import annotations

from bot.context import Context


async def sweep(ctx: Context) -> None:
    """Note where people can't play; beat, do what the clocks of all matches make due, and deliver it.

    Call it only while people can play: a silence between two beats is given back to all clocks.
    """
    shards = ctx.guilds.shards
    if shards.settled:  # before that, what isn't known isn't away
        await ctx.service.heartbeat.note_away([guild.id for guild in ctx.guilds.all if guild.unavailable])
    if not shards.leads:
        return
    await ctx.service.heartbeat.beat(None)
    for played in await ctx.service.time_up.tick():
        await ctx.deliver(played.row.id, played.row)
