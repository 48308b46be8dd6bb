"""Make a match public, so that anyone who has its id may look at it, or take that back.

The host offers it. Where everyone in the server can read its channel, that is enough; elsewhere all its
players have to agree. Any of them can take it back.
"""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.interaction_responses import respond_privately
from bot.actions.match_access import anyone_reads
from bot.actions.play.move_answers import refusal_text
from bot.context import Context
from bot.messages.names import escaped_name, seat_names
from bot.messages.outgoing import Outgoing
from bot.platform.reader_settings import Reader
from games.engine.message import Who, msg
from matches.occupants import people
from matches.outbox_drafts import direct_message
from matches.results import Refused
from matches.store.rows import MatchRow


def publicity_text(row: MatchRow, reader: Reader) -> str:
    """Return who may look at a match, and who has yet to agree that anyone may."""
    say = reader.say
    if row.publicity.public:
        return say(msg("bot.public.on", match=row.id))
    lines = [say(msg("bot.public.off", match=row.id))]
    if row.publicity.agreed:
        missing = tuple(
            Who(seat.seat) for seat in row.seats if seat.user in people(row) - set(row.publicity.agreed)
        )
        lines.append(say(msg("bot.public.waiting", who=missing), seat_names(row, reader)))
    else:
        lines.append(say(msg("bot.public.none")))
    return " ".join(lines)


async def set_publicity(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow, reader: Reader, *, public: bool
) -> None:
    """Agree that a match is public, or take that back; those who have to agree as well are asked."""
    user, channels = interaction.user.id, ctx.service.channels
    if public:
        result = await channels.agree_to_show(row.id, user, open_place=await anyone_reads(ctx, row))
    else:
        result = await channels.stop_showing(row.id, user)
    if isinstance(result, Refused):
        await respond_privately(interaction, Outgoing(await refusal_text(ctx, result, reader, row)))
        return
    asked = public and not row.publicity.agreed and not result.publicity.public
    text = publicity_text(result, reader)
    if asked:
        text += " " + reader.say(msg("bot.public.asked"))
    await respond_privately(interaction, Outgoing(text))
    if asked:
        await _ask(ctx, result, escaped_name(interaction.user.display_name))


async def _ask(ctx: Context, row: MatchRow, host: str) -> None:
    for user in sorted(people(row) - set(row.publicity.agreed)):
        reader = await ctx.readers.person(user, None)
        text = reader.say(msg("bot.public.ask", host=host, match=row.id))
        await ctx.store.outbox_add(direct_message(row.id, user, text), ctx.clock.now())
    await ctx.delivery.send()
