"""Join and leave tournaments, and show organisers how often an entrant's moves agree with the computer's."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import ID, on
from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.lobby.lobby_panel import person
from bot.context import Context
from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from bot.messages.tournaments import JOIN, JOIN_TEAM, LEAVE, agreement_text
from games.engine import registry
from games.engine.message import Msg, msg
from matches.lookback.agreement import compare
from matches.results import Refused
from matches.store.standing import EVERYWHERE, Ladder
from matches.store.tournaments import TournamentRow
from matches.tournaments import tournament_rules


async def respond(
    ctx: Context, interaction: discord.Interaction[Any], answer: TournamentRow | Refused, key: str
) -> None:
    """Answer with the reason of a refusal, or with a text after a change."""
    reader = await ctx.readers.of(interaction)
    what = answer.why if isinstance(answer, Refused) else msg(key)
    await respond_privately(interaction, Outgoing(reader.say(what)))


async def tournament_here(ctx: Context, guild: int | None, tournament: int) -> TournamentRow | None:
    """Return a tournament of a server; None for others, and those of other servers."""
    row = await ctx.store.tournament(tournament)
    return row if row is not None and row.guild == guild else None


async def take_part(
    ctx: Context, interaction: discord.Interaction[Any], tournament: int, team: int = 0
) -> None:
    """Let a person join, in a team if there are teams, or check in."""
    answer = await ctx.service.tournaments.join(tournament, person(interaction.user), team)
    checked = not isinstance(answer, Refused) and answer.checking
    await respond(ctx, interaction, answer, f"tournament.said.{'here' if checked else 'joined'}")


async def withdraw(ctx: Context, interaction: discord.Interaction[Any], tournament: int) -> None:
    """Let a person leave."""
    answer = await ctx.service.tournaments.leave(tournament, interaction.user.id)
    await respond(ctx, interaction, answer, "tournament.said.left")


@on(JOIN, ID)
async def pressed_join(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Join by the button."""
    await _pressed(ctx, interaction, call, joins=True)


@on(JOIN_TEAM, rf"{ID}\.[1-9]")
async def pressed_team(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Join a team by its button."""
    await _pressed(ctx, interaction, call, joins=True)


@on(LEAVE, ID)
async def pressed_leave(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Leave by the button."""
    await _pressed(ctx, interaction, call, joins=False)


async def _pressed(ctx: Context, interaction: discord.Interaction[Any], call: Call, *, joins: bool) -> None:
    await defer(interaction)
    tournament, _, team = call.arg.partition(".")
    row = await tournament_here(ctx, interaction.guild_id, int(tournament))
    if row is None:
        await respond(ctx, interaction, Refused(msg("tournament.refuse.unknown")), "")
    elif joins:
        await take_part(ctx, interaction, row.id, int(team or 0))
    else:
        await withdraw(ctx, interaction, row.id)


async def show_agreement(
    ctx: Context, interaction: discord.Interaction[Any], row: TournamentRow, number: int, *, manager: bool
) -> None:
    """Answer the organiser with an entrant's agreement, beside what is usual for their rating."""
    reader = await ctx.readers.of(interaction)
    why = tournament_rules.why_not_organiser(row, interaction.user.id, manager=manager) or _why_not(
        row, number
    )
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
