"""Moves that come by an interaction: a button, a menu, a form, `/move`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, defer, dismiss, edit_in_place, respond_privately
from bot.actions.loading import load
from bot.actions.move_answers import choices, refusal, tried, undone, warned
from bot.actions.move_menu import asked_panel
from bot.actions.private_views import show
from bot.context import Context
from bot.messages.components import Call, fits_in_button
from bot.messages.match import what_happened
from bot.messages.outgoing import Outgoing
from bot.messages.seats import seat_names
from games.engine.message import msg
from matches.results import Asked, Played, Refused, Tried, Warned

Respond = Callable[[discord.Interaction[Any], Outgoing], Awaitable[None]]


@on("tap")
async def tap(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """A shortcut: the board answers, and on the board that everybody sees nothing else does."""
    shown = interaction.message
    told = edit_in_place if shown is not None and shown.flags.ephemeral else _noted
    await submit(ctx, interaction, call.match, call.arg, version=call.seq, told=told)


async def _noted(interaction: discord.Interaction[Any], outgoing: Outgoing) -> None:
    await acknowledge(interaction)


async def _settled(interaction: discord.Interaction[Any], outgoing: Outgoing) -> None:
    await dismiss(interaction)


@on("pick")
async def pick(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """One of the choices that a shortcut asked for: the board answers, and the question goes."""
    await submit(ctx, interaction, call.match, call.arg, version=call.seq, told=_settled, other=edit_in_place)


@on("sure")
async def sure_of_it(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Played against a warning: the board answers, and the warning goes."""
    await submit(ctx, interaction, call.match, call.arg, version=call.seq, told=_settled)


@on("play")
async def play(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """A move chosen from a menu."""
    await submit(
        ctx,
        interaction,
        call.match,
        call.values[0],
        version=call.seq,
        told=edit_in_place,
        other=edit_in_place,
    )


@on("typed")
async def typed(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """The text of the form."""
    text = call.values[0] if call.values else ""
    await submit(ctx, interaction, call.match, text, version=call.seq)


async def submit(
    ctx: Context,
    interaction: discord.Interaction[Any],
    match_id: str,
    text: str,
    *,
    version: int | None = None,
    told: Respond = respond_privately,
    other: Respond = respond_privately,
) -> None:
    """A move that came by an interaction: committed, answered to its author, then told to everybody.

    `told` answers a move that was played, `other` half a move or a wrong one.
    """
    if (loaded := await load(ctx, interaction, match_id)) is None:
        return
    row, reader = loaded
    result = await ctx.service.play.submit(
        match_id, interaction.user.id, text, request=f"i{interaction.id}", version=version, row=row
    )
    match result:
        case Played():
            done = reader.say(msg("bot.move.done", match=match_id))
            what = what_happened(result.row, result.match, result.facts, reader)
            await told(interaction, Outgoing(f"{done} {what}"))
            await ctx.deliver(match_id, result.row)
            if result.left is not None:
                await respond_privately(interaction, Outgoing(undone(result.row, result.left, reader)))
        case Asked() if version is not None and fits_in_button(text):
            match = await ctx.service.queries.at(match_id, version)
            await other(interaction, asked_panel(row, match, text, result, reader))
        case Asked():
            names = seat_names(row, reader)
            prompt = reader.say(result.prompt, names)
            await other(interaction, Outgoing(prompt + choices(result.choices)))
        case Warned():
            await other(interaction, warned(row, result, reader))
        case Tried():
            await defer(interaction)
            await respond_privately(interaction, await tried(ctx, row, result, reader))
        case Refused(stale=True):
            await defer(interaction)
            note = reader.say(msg("bot.board.moved_on"))
            current = await ctx.service.queries.row(match_id) or row
            await respond_privately(interaction, await show(ctx, current, reader, note))
        case Refused():
            await other(interaction, Outgoing(await refusal(ctx, result, reader, row)))
