"""Keep the message of each tournament current: one message in its channel, posted once and then edited.

Its content follows from the store, so it isn't queued: it is posted or edited where the latest change isn't
shown. Before a message is posted its channel is searched for one that a crash has left without a record.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from bot.context import Context
from bot.messages.outgoing import File, Outgoing
from bot.messages.tournaments import JOIN, standings_table, tournament_message
from bot.outbound import remedies
from bot.outbound.posting import keep_posted
from bot.outbound.remedies import Remedy
from bot.platform.reader_settings import Reader
from matches.ports import StoreError
from matches.store.tournaments import TournamentRow

log = logging.getLogger(__name__)


async def keep_current(ctx: Context) -> None:
    """Post or edit the messages of the tournaments of this process's servers. An error with one is logged."""
    for row in await ctx.store.tournaments_to_show():
        guild = ctx.discord.guilds.get(row.guild)
        if guild is None or guild.unavailable:
            continue
        message: int | None
        try:
            reader = await ctx.readers.public(row.guild)
            message = await _send(ctx, row, await illustrated(ctx, row, reader))
        except StoreError:
            raise
        except remedies.FAILURES as error:
            what = remedies.meaning(error)
            log.warning("the message of tournament %s wasn't updated: %s", row.id, what.label)
            if remedies.passes(what):
                continue
            message = row.message  # the channel is gone or closed: the next change tries again
        except Exception:
            log.exception("the message of tournament %s can't be made", row.id)
            continue
        await ctx.store.note_tournament_shown(row.id, row.revision, message)


async def illustrated(ctx: Context, row: TournamentRow, reader: Reader) -> Outgoing:
    """Return the message of a tournament with its standings as a picture, once there are any."""
    return tournament_message(row, reader, await _picture(ctx, row, reader))


async def _picture(ctx: Context, row: TournamentRow, reader: Reader) -> File | None:
    """Return the standings as a picture; None before the first round, and where they can't be drawn."""
    if (table := standings_table(row, reader)) is None:
        return None
    try:
        png = await ctx.presenter.pictures.table(table[0], reader)
    except Exception:
        log.exception("the standings of tournament %s can't be drawn", row.id)
        return None
    return f"tournament-{row.id}-{row.revision}.png", png, table[1]


async def _send(ctx: Context, row: TournamentRow, outgoing: Outgoing) -> int:
    """Post or edit the message, without the picture where Discord doesn't take that; return its id."""
    channel, mark = (
        ctx.discord.client.get_partial_messageable(row.channel, guild_id=row.guild),
        (JOIN, str(row.id)),
    )
    try:
        return await keep_posted(ctx, channel, row.message, outgoing, mark)
    except remedies.FAILURES as error:
        if remedies.meaning(error).remedy is not Remedy.PLAIN or not outgoing.files:
            raise
    return await keep_posted(ctx, channel, row.message, replace(outgoing, files=()), mark)
