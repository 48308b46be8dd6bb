"""How often an entrant's moves agree with the computer's: for organisers, with what that can't show."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.interaction_responses import respond_privately
from bot.context import Context
from bot.messages.outgoing import Outgoing
from bot.messages.tournaments import agreement_text
from games.engine import registry
from games.engine.message import Msg, msg
from matches.lookback.agreement import compare
from matches.store.standing_rows import EVERYWHERE
from matches.store.standing_store import Ladder
from matches.store.tournament_rows import TournamentRow
from matches.tournaments import changes


async def show_agreement(
    ctx: Context, interaction: discord.Interaction[Any], row: TournamentRow, number: int, *, manager: bool
) -> None:
    """Answer the organiser with an entrant's agreement, beside what is usual for their rating."""
    reader = await ctx.readers.of(interaction)
    why = changes.why_not_organiser(row, interaction.user.id, manager=manager) or _why_not(row, number)
    if why is not None:
        await respond_privately(interaction, Outgoing(reader.say(why)))
        return
    user, found = row.entrant(number).user or 0, []
    for pairing, match in zip(row.pairings, row.matches, strict=True):
        stored = await ctx.store.match(match) if match is not None and number in pairing.seats else None
        if stored is not None and stored.status == "over" and any(one.user == user for one in stored.seats):
            found.append(stored)
    family = registry.get(row.game).family(row.plan.seats, row.plan.options)
    ladder = Ladder(row.game, family, EVERYWHERE)
    asker = interaction.user.id
    compared = await compare(ctx.store, ctx.service.analyses, found, user, ladder, asker)
    await respond_privately(interaction, Outgoing(agreement_text(row.entrant(number), compared, reader)))


def _why_not(row: TournamentRow, number: int) -> Msg | None:
    """Return why there is nothing to say about an entrant."""
    entrant = next((one for one in row.entrants if one.number == number), None)
    if entrant is None:
        return msg("tournament.refuse.entrant", n=len(row.entrants))
    return msg("tournament.refuse.computer") if entrant.user is None else None
