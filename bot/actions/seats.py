"""Seats that change hands: accept one that is given, take one that is offered, come back to one's own."""

from __future__ import annotations

from typing import Any, Final

import discord

from bot.actions.handlers import ID, NUMBER, NUMBERED, on
from bot.actions.interaction_responses import acknowledge, respond_privately, settle_question
from bot.actions.lobby.lobby_panel import person, why_no_guest
from bot.actions.play.move_answers import refusal_text
from bot.context import Context
from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from games.engine.message import Msg, Who, msg
from matches.occupants import people
from matches.results import Refused
from matches.seats import Rights, SeatChange, kept_seat
from matches.store.rows import MatchRow
from matches.store.seats import SeatOffer

_OFFER: Final = rf"{NUMBER}\.{ID}\.{ID}"
"""What the buttons of an offer to a person have: the seat, who gives it, and to whom."""
ADDRESSED = frozenset({"seat_yes", "seat_no", "seat_back"})
"""Verbs of messages to people who may not see the match: their handlers check whom they are for."""


async def rights_of(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow, seat: int | None = None
) -> Rights:
    """Return what a person may do with the seats of a match, as far as Discord decides it."""
    guild = row.place.guild
    here = guild is not None and interaction.guild_id == guild
    user = None if seat is None else row.seats[seat].user
    left = guild is not None and user is not None and await ctx.discord.members.has_left(guild, user)
    return Rights(here and interaction.permissions.manage_messages, left)


async def seat_meant(ctx: Context, row: MatchRow, asker: int, player: discord.abc.User | None) -> int | None:
    """Return the seat of a player, or the asker's own; else the one that a computer holds for a person."""
    who = asker if player is None else player.id
    seat = ctx.service.queries.seat_of(row, who)
    if seat is not None:
        return seat
    if (kept := kept_seat(row, await ctx.store.holders(row.id), who)) is not None or player is not None:
        return kept
    match = await ctx.service.queries.at(row.id, row.version)
    return min(match.seats.stand_ins, default=None)


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
    if (seat := await seat_meant(ctx, row, asker, player)) is None:
        return msg("bot.seats.which")
    match = await ctx.service.queries.at(row.id, row.version)
    rights = await rights_of(ctx, interaction, row, seat)
    if (why := ctx.service.seats.why_not_offer(row, match, seat, asker, rights)) is not None:
        return why
    own = row.seats[seat].user == asker
    await ctx.service.seats.offer(row, SeatOffer(row.id, seat, asker, row.version, own=own))
    return msg("bot.seats.offered", who=Who(seat), match=row.id)


async def respond_refused(
    ctx: Context, interaction: discord.Interaction[Any], match_id: str, why: Refused | Msg
) -> None:
    """Say privately why a seat doesn't change hands."""
    row = await ctx.service.queries.row(match_id)
    reader = await ctx.readers.of(interaction)
    refused = why if isinstance(why, Refused) else Refused(why)
    await respond_privately(interaction, Outgoing(await refusal_text(ctx, refused, reader, row)))


async def _settle(
    ctx: Context, interaction: discord.Interaction[Any], call: Call, result: SeatChange | Refused
) -> None:
    """Replace the offer by who has the seat now, and deliver the board; or say why not."""
    if isinstance(result, Refused):
        await respond_refused(ctx, interaction, call.match, result)
        return
    await _replace_offer(ctx, interaction, result.played.row, "bot.seats.taken")
    await ctx.delivery.finish(call.match)


async def _replace_offer(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow, key: str
) -> None:
    reader = await ctx.readers.public(row.place.guild)
    text = reader.say(msg(key, who=f"<@{interaction.user.id}>", match=row.id))
    await settle_question(interaction, Outgoing(f"{text}\n-# `{row.id}`"))


def _numbers(call: Call) -> tuple[int, int, int]:
    seat, giver, to = map(int, call.arg.split("."))
    return seat, giver, to


@on("seat_yes", arg=_OFFER)
async def accept(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Accept a seat that is given to this person."""
    seat, giver, to = _numbers(call)
    if interaction.user.id != to:
        await respond_refused(ctx, interaction, call.match, msg("bot.seats.for", to=f"<@{to}>"))
        return
    result = await ctx.service.seats.give(
        call.match, seat, giver, person(interaction.user), request=f"i{interaction.id}"
    )
    await _settle(ctx, interaction, call, result)


@on("seat_no", arg=_OFFER)
async def decline(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Decline a seat; the one who gives it withdraws it."""
    seat, giver, to = _numbers(call)
    row = await ctx.service.queries.row(call.match)
    if row is None or interaction.user.id not in (giver, to):
        await respond_refused(ctx, interaction, call.match, msg("bot.seats.for", to=f"<@{to}>"))
        return
    key = "bot.seats.declined" if interaction.user.id == to else "bot.seats.withdrawn"
    await _close(ctx, interaction, row, seat, to, key)


async def _close(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow, seat: int, to: int | None, key: str
) -> None:
    """Close an offer and say so in its place; where it isn't open any longer, say that privately."""
    if (refused := await ctx.service.seats.close_offer(row.id, seat, to)) is not None:
        await respond_refused(ctx, interaction, row.id, refused)
        return
    await _replace_offer(ctx, interaction, row, key)


@on("seat_take", arg=NUMBERED)
async def take(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Take a seat that was offered to everyone."""
    seat = call.arg.partition(".")[0]
    result = await ctx.service.seats.take(
        call.match, int(seat), person(interaction.user), request=f"i{interaction.id}", offered=call.seq
    )
    await _settle(ctx, interaction, call, result)


@on("seat_keep", arg=NUMBERED)
async def withdraw(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Withdraw the offer of a seat: for the people of the match and moderators."""
    row = await ctx.service.queries.row(call.match)
    if row is None:
        await respond_refused(ctx, interaction, call.match, msg("bot.match.unknown", match=call.match))
    elif interaction.user.id in people(row) or (await rights_of(ctx, interaction, row)).moderator:
        await _close(ctx, interaction, row, int(call.arg.partition(".")[0]), None, "bot.seats.withdrawn")
    else:
        await respond_refused(ctx, interaction, call.match, msg("match.refuse.not_yours"))


@on("seat_back")
async def back(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Give a person their seat back from the computer that holds it."""
    await come_back(ctx, interaction, call.match)


async def come_back(ctx: Context, interaction: discord.Interaction[Any], match_id: str) -> None:
    """Give a person their seat back, and post the board; or say why not."""
    result = await ctx.service.seats.come_back(
        match_id, person(interaction.user), request=f"i{interaction.id}"
    )
    if isinstance(result, Refused):
        await respond_refused(ctx, interaction, match_id, result)
        return
    if interaction.type is discord.InteractionType.application_command:
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, Outgoing(reader.say(msg("bot.seats.back", match=match_id))))
    else:
        await acknowledge(interaction)
    await ctx.delivery.finish(match_id)
