"""`/seat`: give one's seat to someone, offer a seat to everyone, leave one to a computer, come back."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.interaction_responses import respond_privately
from bot.actions.lobby.lobby_panel import why_no_guest
from bot.actions.seats import come_back, respond_refused, rights_of
from bot.context import Context
from bot.inbound.commands.common import (
    Choices,
    command,
    complete_match,
    describe,
    match_to_complete,
    resolve_match,
)
from bot.messages.outgoing import Outgoing
from games.engine.message import Msg, Who, msg
from games.engine.normalization import folded
from matches.results import Refused
from matches.seats.seat_changes import kept_seat
from matches.store.rows import MatchRow
from matches.store.seat_offers import SeatOffer


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


async def _seat_meant(ctx: Context, row: MatchRow, asker: int, player: discord.abc.User | None) -> int | None:
    """Return the seat of a player, or the asker's own; else the one that a computer holds for a person."""
    who = asker if player is None else player.id
    seat = ctx.service.queries.seat_of(row, who)
    if seat is not None:
        return seat
    if (kept := kept_seat(row, await ctx.store.holders(row.id), who)) is not None or player is not None:
        return kept
    match = await ctx.service.queries.at(row.id, row.version)
    return min(match.stand_ins, default=None)


async def offer_to(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow, to: discord.User | discord.Member
) -> Msg:
    """Offer the asker's seat to a person, and return what to say."""
    match = await ctx.service.queries.at(row.id, row.version)
    giver = interaction.user.id
    why = why_no_guest((to,)) or ctx.service.seats.why_not_give(row, match, giver, to.id)
    seat = ctx.service.queries.seat_of(row, giver)
    if why is not None or seat is None:
        return why or msg("match.refuse.not_yours")
    await ctx.service.seats.offer(row, SeatOffer(row.id, seat, giver, row.version, to.id))
    return msg("bot.seats.asked", to=f"<@{to.id}>", match=row.id)


async def offer_to_all(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow, player: discord.abc.User | None
) -> Msg:
    """Offer a seat in the match's channel, and return what to say."""
    if row.place.guild is None:
        return msg("bot.seats.direct")
    asker = interaction.user.id
    if (seat := await _seat_meant(ctx, row, asker, player)) is None:
        return msg("bot.seats.which")
    match = await ctx.service.queries.at(row.id, row.version)
    rights = await rights_of(ctx, interaction, row, seat)
    if (why := ctx.service.seats.why_not_offer(row, match, seat, asker, rights)) is not None:
        return why
    own = row.seats[seat].user == asker
    await ctx.service.seats.offer(row, SeatOffer(row.id, seat, asker, row.version, own=own))
    return msg("bot.seats.offered", who=Who(seat), match=row.id)


def add(tree: app_commands.CommandTree[Any], ctx: Context) -> None:
    """Add the group `/seat` to the tree."""
    group = app_commands.Group(name="seat", description=describe(ctx, "seat"))

    async def respond(interaction: discord.Interaction[Any], row: MatchRow, what: Msg) -> None:
        await respond_refused(ctx, interaction, row.id, what)  # it names seats
        await ctx.send()

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
        seat = await _seat_meant(ctx, row, interaction.user.id, player)
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
        await ctx.deliver(row.id)

    @command(group, ctx, "seat.back", match=complete_match)
    async def back(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        named = None if match is None else await ctx.service.queries.find(match)
        held = () if named is None else await ctx.store.holders(named.id)
        if named is not None and kept_seat(named, held, interaction.user.id) is not None:
            await come_back(ctx, interaction, named.id)  # also where they can't look at it meanwhile
        elif (found := await resolve_match(ctx, interaction, match)) is not None:
            await come_back(ctx, interaction, found[0].id)

    tree.add_command(group)
