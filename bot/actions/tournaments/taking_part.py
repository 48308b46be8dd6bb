"""Join and leave tournaments, by the buttons below their messages and by commands."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import ID, on
from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.lobby.lobby_panel import person
from bot.context import Context
from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from bot.messages.tournaments import JOIN, JOIN_TEAM, LEAVE
from games.engine.message import msg
from matches.results import Refused
from matches.store.tournament_rows import TournamentRow


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
