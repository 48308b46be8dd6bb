"""Keep the message of each tournament current: one message in its channel, posted once and then edited.

What it says follows from the store, so it isn't queued: it is posted or edited where the latest change isn't
shown. Before a message is posted its channel is searched for one that a crash has left without a record.
"""

from __future__ import annotations

import logging

import aiohttp
import discord

from bot.context import Context
from bot.messages.outgoing import Outgoing
from bot.messages.tournaments import JOIN, tournament_message
from bot.outbound import remedies
from bot.outbound.posting import find_kept
from matches.ports import StoreError
from matches.store.tournament_rows import TournamentRow

log = logging.getLogger(__name__)
_FAILURES = (discord.HTTPException, discord.RateLimited, OSError, aiohttp.ClientError)


async def keep_current(ctx: Context) -> None:
    """Post or edit the messages of the tournaments of this process's servers. An error with one is logged."""
    for row in await ctx.store.tournaments_to_show():
        guild = ctx.guilds.get(row.guild)
        if guild is None or guild.unavailable:
            continue
        message: int | None
        try:
            reader = await ctx.readers.public(row.guild)
            message = await _send(ctx, row, tournament_message(row, reader))
        except StoreError:
            raise
        except _FAILURES as error:
            what = remedies.meaning(error)
            log.warning("the message of tournament %s wasn't updated: %s", row.id, what.label)
            if remedies.passes(what):
                continue
            message = row.message  # the channel is gone or closed: the next change tries again
        except Exception:
            log.exception("the message of tournament %s can't be made", row.id)
            continue
        await ctx.store.note_tournament_shown(row.id, row.revision, message)


async def _send(ctx: Context, row: TournamentRow, outgoing: Outgoing) -> int:
    """Edit the message, or post it if there is none; return it."""
    channel = ctx.client.get_partial_messageable(row.channel, guild_id=row.guild)
    known = row.message if row.message is not None else await find_kept(ctx, channel, JOIN, str(row.id))
    if known is not None:
        try:
            await channel.get_partial_message(known).edit(**outgoing.edit_fields())
        except discord.NotFound:
            pass  # deleted by someone: it is posted again
        else:
            return known
    return (await channel.send(**outgoing.fields())).id
