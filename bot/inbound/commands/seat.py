"""`/match seat`: give one's seat to someone, offer a seat to everyone, leave one to a computer, come back."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.interaction_responses import respond_privately
from bot.actions.seats import come_back, offer_to, offer_to_all, respond_refused, rights_of, seat_meant
from bot.context import Context
from bot.inbound.commands.common import (
    Choices,
    Menu,
    command,
    complete_match,
    match_to_complete,
    resolve_match,
    subgroup,
)
from bot.messages.outgoing import Outgoing
from games.engine.message import Msg, msg
from games.engine.normalization import folded
from matches.results import Refused
from matches.seats.seat_changes import kept_seat
from matches.store.rows import MatchRow


async def complete_level(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest the levels of the match's computer players."""
    row = await match_to_complete(ctx, interaction)
    if row is None:
        return []
    levels = ctx.service.levels.names(row.game)
    say = ctx.readers.default.say
    return [
        app_commands.Choice(name=say(msg(f"ai.level.{level}"))[:100], value=level)
        for level in levels
        if level.startswith(folded(current))
    ]


def add(menu: Menu, ctx: Context) -> None:
    """Add the group to the menu."""
    group = subgroup(menu.match, ctx, "seat")

    async def respond(interaction: discord.Interaction[Any], row: MatchRow, what: Msg) -> None:
        await respond_refused(ctx, interaction, row.id, what)  # it names seats
        await ctx.delivery.send()

    @command(group, ctx, "seat.give", match=complete_match)
    async def give(
        interaction: discord.Interaction[Any], user: discord.User, match: str | None = None
    ) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await respond(interaction, found[0], await offer_to(ctx, interaction, found[0], user))

    @command(group, ctx, "seat.offer", match=complete_match)
    async def offer(
        interaction: discord.Interaction[Any], player: discord.User | None = None, match: str | None = None
    ) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await respond(interaction, found[0], await offer_to_all(ctx, interaction, found[0], player))

    @command(group, ctx, "seat.computer", level=complete_level, match=complete_match)
    async def computer(
        interaction: discord.Interaction[Any],
        level: str,
        player: discord.User | None = None,
        match: str | None = None,
    ) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is None:
            return
        row, reader = found
        seat = await seat_meant(ctx, row, interaction.user.id, player)
        if seat is None:
            await respond(interaction, row, msg("bot.seats.which"))
            return
        result = await ctx.service.seats.fill_in(
            row.id,
            seat,
            folded(level),
            by=interaction.user.id,
            request=f"i{interaction.id}",
            rights=await rights_of(ctx, interaction, row, seat),
        )
        if isinstance(result, Refused):
            await respond_refused(ctx, interaction, row.id, result)
            return
        key = "bot.seats.left" if result.back == interaction.user.id else "bot.seats.filled_in"
        await respond_privately(interaction, Outgoing(reader.say(msg(key, match=row.id))))
        await ctx.delivery.finish(row.id)

    @command(group, ctx, "seat.back", match=complete_match)
    async def back(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        named = None if match is None else await ctx.service.queries.find(match)
        held = () if named is None else await ctx.store.holders(named.id)
        if named is not None and kept_seat(named, held, interaction.user.id) is not None:
            await come_back(ctx, interaction, named.id)  # also where they can't look at it meanwhile
        elif (found := await resolve_match(ctx, interaction, match)) is not None:
            await come_back(ctx, interaction, found[0].id)
