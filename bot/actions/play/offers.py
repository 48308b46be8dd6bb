"""End a match other than by moves: draw offers, resignation, calling it off."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, edit_in_place, respond_privately
from bot.actions.match_access import load_match
from bot.actions.play.move_answers import refusal_text
from bot.context import Context
from bot.messages.buttons import STYLE
from bot.messages.components import Call, CallButton
from bot.messages.outgoing import Outgoing
from bot.platform.reader_settings import Reader
from games.engine.match import Kind
from games.engine.message import Msg, msg
from matches.results import Played, Refused
from matches.store.rows import MatchRow


def what_was_done(played: Played) -> Msg:
    """Return the confirmation for the author of a draw offer, answer, resignation or abort."""
    kind, match = played.match.log[played.first].kind, played.match
    if kind is Kind.OFFER:
        return msg("bot.draw.offered" if match.ending is None else "bot.draw.agreed", match=match.id)
    done = {Kind.DECLINE: "bot.draw.declined", Kind.RESIGN: "bot.resign.done", Kind.ABORT: "bot.resign.abort"}
    return msg(done[kind], match=match.id)


async def respond_with_outcome(
    ctx: Context,
    interaction: discord.Interaction[Any],
    match_id: str,
    result: Played | Refused,
    done: Msg | None = None,
) -> None:
    """Answer the author, by a message only after a command or a refusal, and deliver the change.

    `done` confirms a command; by default what was offered, declined or ended.
    """
    if isinstance(result, Refused):
        row = await ctx.service.queries.row(match_id)
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, Outgoing(await refusal_text(ctx, result, reader, row)))
        return
    if interaction.type is discord.InteractionType.application_command:
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, Outgoing(reader.say(done or what_was_done(result))))
    else:
        await acknowledge(interaction)
    await ctx.delivery.finish(match_id)


@on("draw")
async def draw(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Offer a draw or agree to one, from a board of an earlier version."""
    result = await ctx.service.play.offer_draw(call.match, interaction.user.id, request=f"i{interaction.id}")
    await respond_with_outcome(ctx, interaction, call.match, result)


@on("agree")
async def agree(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Agree to the draw offered in that message, not to a later one."""
    result = await ctx.service.play.offer_draw(
        call.match, interaction.user.id, request=f"i{interaction.id}", version=call.seq
    )
    await respond_with_outcome(ctx, interaction, call.match, result)


@on("refuse")
async def refuse(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Decline a draw."""
    result = await ctx.service.play.decline_draw(
        call.match, interaction.user.id, request=f"i{interaction.id}", version=call.seq
    )
    await respond_with_outcome(ctx, interaction, call.match, result)


@on("resign")
async def resign(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Ask the person to confirm that they resign."""
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    await respond_privately(interaction, await resign_question(ctx, row, reader))


async def resign_question(ctx: Context, row: MatchRow, reader: Reader) -> Outgoing:
    """Return the question whether to resign; before the first move the match can also be called off."""
    say = reader.say
    if reader.seat is None:
        return Outgoing(say(msg("bot.move.not_yours", match=row.id)))
    match = await ctx.service.queries.at(row.id, row.version)
    if match.ending is not None:
        return Outgoing(say(msg("match.refuse.over")))
    yes = say(msg("bot.button.resign_yes"))
    items = [CallButton.make(Call("resign_yes", row.id, match.seq), yes, STYLE.danger)]
    if reader.seat not in match.talk.offers:
        items.append(CallButton.make(Call("offer", row.id, match.seq), say(msg("bot.button.offer"))))
    if match.plays == 0:
        label = say(msg("bot.button.abort"))
        items.append(CallButton.make(Call("abort", row.id, match.seq), label))
    return Outgoing(say(msg("bot.resign.sure", match=row.id)), (), tuple(items))


@on("resign_yes")
async def resign_yes(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Resign."""
    result = await ctx.service.play.resign(call.match, interaction.user.id, request=f"i{interaction.id}")
    await _settle_in_place(ctx, interaction, call.match, result)


@on("offer")
async def offer(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Offer a draw instead of resigning."""
    result = await ctx.service.play.offer_draw(call.match, interaction.user.id, request=f"i{interaction.id}")
    await _settle_in_place(ctx, interaction, call.match, result)


@on("abort")
async def abort(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Call off a match in which no one has moved."""
    result = await ctx.service.play.abort(call.match, interaction.user.id, request=f"i{interaction.id}")
    await _settle_in_place(ctx, interaction, call.match, result)


async def _settle_in_place(
    ctx: Context, interaction: discord.Interaction[Any], match_id: str, result: Played | Refused
) -> None:
    reader = await ctx.readers.of(interaction)
    if isinstance(result, Refused):
        row = await ctx.service.queries.row(match_id)
        await edit_in_place(interaction, Outgoing(await refusal_text(ctx, result, reader, row)))
        return
    await edit_in_place(interaction, Outgoing(reader.say(what_was_done(result))))
    await ctx.delivery.finish(match_id)
