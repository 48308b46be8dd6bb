"""Ends by agreement or by one's own will: draw, resign, call off."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, edit_in_place, respond_privately
from bot.actions.loading import load
from bot.actions.move_answers import refusal
from bot.context import Context
from bot.messages.buttons import STYLE
from bot.messages.components import Call, CallButton
from bot.messages.outgoing import Outgoing
from bot.platform.readers import Reader
from games.engine.match import Kind
from games.engine.message import Msg, msg
from matches.ports import MatchRow
from matches.results import Played, Refused


def what_was_done(played: Played) -> Msg:
    """Return what a change that was no move came to, for whoever made it."""
    kind, match = played.match.log[played.first].kind, played.match
    if kind is Kind.OFFER:
        return msg("bot.draw.offered" if match.ending is None else "bot.draw.agreed", match=match.id)
    done = {Kind.DECLINE: "bot.draw.declined", Kind.RESIGN: "bot.resign.done", Kind.ABORT: "bot.resign.abort"}
    return msg(done[kind], match=match.id)


async def settle(
    ctx: Context, interaction: discord.Interaction[Any], match_id: str, result: Played | Refused
) -> None:
    """Answer what was not a move: the channel tells it; a refusal goes to its author."""
    if isinstance(result, Refused):
        row = await ctx.service.queries.row(match_id)
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, Outgoing(await refusal(ctx, result, reader, row)))
        return
    if interaction.type is discord.InteractionType.application_command:
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, Outgoing(reader.say(what_was_done(result))))
    else:
        await acknowledge(interaction)
    await ctx.deliver(match_id)


@on("draw")
async def draw(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Offer a draw, or agree to one, whatever happened since that board."""
    result = await ctx.service.play.offer_draw(call.match, interaction.user.id, request=f"i{interaction.id}")
    await settle(ctx, interaction, call.match, result)


@on("agree")
async def agree(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Agree to the draw that was offered there, and to no later one."""
    result = await ctx.service.play.offer_draw(
        call.match, interaction.user.id, request=f"i{interaction.id}", version=call.seq
    )
    await settle(ctx, interaction, call.match, result)


@on("refuse")
async def refuse(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Decline a draw."""
    result = await ctx.service.play.decline_draw(
        call.match, interaction.user.id, request=f"i{interaction.id}", version=call.seq
    )
    await settle(ctx, interaction, call.match, result)


@on("resign")
async def resign(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Ask before a match is given up; before the first move it can be called off instead."""
    if (loaded := await load(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    await respond_privately(interaction, await sure(ctx, row, reader))


async def sure(ctx: Context, row: MatchRow, reader: Reader) -> Outgoing:
    """The question, with its answers."""
    say = reader.say
    if reader.seat is None:
        return Outgoing(say(msg("bot.move.not_yours", match=row.id)))
    match = await ctx.service.queries.at(row.id, row.version)
    if match.ending is not None:
        return Outgoing(say(msg("match.refuse.over")))
    yes = say(msg("bot.button.resign_yes"))
    items = [CallButton.make(Call("resign_yes", row.id, match.seq), yes, STYLE.danger)]
    if match.plays == 0:
        label = say(msg("bot.button.abort"))
        items.append(CallButton.make(Call("abort", row.id, match.seq), label))
    return Outgoing(say(msg("bot.resign.sure", match=row.id)), (), tuple(items))


@on("resign_yes")
async def resign_yes(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Give up."""
    result = await ctx.service.play.resign(call.match, interaction.user.id, request=f"i{interaction.id}")
    await _settle_in_place(ctx, interaction, call.match, result)


@on("abort")
async def abort(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Call a match off before anybody moved."""
    result = await ctx.service.play.abort(call.match, interaction.user.id, request=f"i{interaction.id}")
    await _settle_in_place(ctx, interaction, call.match, result)


async def _settle_in_place(
    ctx: Context, interaction: discord.Interaction[Any], match_id: str, result: Played | Refused
) -> None:
    reader = await ctx.readers.of(interaction)
    if isinstance(result, Refused):
        row = await ctx.service.queries.row(match_id)
        await edit_in_place(interaction, Outgoing(await refusal(ctx, result, reader, row)))
        return
    await edit_in_place(interaction, Outgoing(reader.say(what_was_done(result))))
    await ctx.deliver(match_id)
