"""Invite people to an open lobby, by a menu of the server's members."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import dismiss, respond_privately
from bot.actions.lobby.lobby_panel import person, respond_with_result, why_no_guest
from bot.context import Context
from bot.messages.components import PEOPLE, Call, CallPeople
from bot.messages.outgoing import Outgoing
from games.engine.message import msg


@on("invite")
async def invite(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the host a menu of people, and others who the host is."""
    row = await ctx.service.queries.row(call.match)
    say = (await ctx.readers.of(interaction)).say
    free = 0 if row is None else sum(seat.occupant == "open" for seat in row.seats)
    if row is None or row.status != "lobby":
        await respond_privately(interaction, Outgoing(say(msg("bot.lobby.gone"))))
    elif row.host != interaction.user.id:
        text = say(msg("bot.lobby.host_invites", host=f"<@{row.host}>"))
        await respond_privately(interaction, Outgoing(text))
    elif not free:
        await respond_privately(interaction, Outgoing(say(msg("lobby.refuse.full"))))
    else:
        ask = say(msg("bot.lobby.pick_guests"))
        menu = CallPeople.make(Call("guests", row.id, -1), ask, free)
        await respond_privately(interaction, Outgoing(ask, (), (menu,)))


@on("guests")
async def guests(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Invite the chosen people, and delete the menu; bots can't be invited."""
    chosen: tuple[discord.User | discord.Member, ...] = interaction.extras.get(PEOPLE, ())
    if (why := why_no_guest(chosen)) is not None:
        say = (await ctx.readers.of(interaction)).say
        await respond_privately(interaction, Outgoing(say(why)))
        return
    result = await ctx.service.lobbies.invite(
        call.match, interaction.user.id, [person(each) for each in chosen], request=f"i{interaction.id}"
    )
    await respond_with_result(ctx, interaction, result, call.match, done=dismiss)
