"""Moves submitted by an interaction: a button, a menu, a form or `/move`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, defer, dismiss, edit_in_place, respond_privately
from bot.actions.match_access import load_match
from bot.actions.play.move_answers import (
    attempt_message,
    choices_text,
    refusal_message,
    undone_text,
    warning_message,
)
from bot.actions.play.move_menu import choices_panel
from bot.actions.play.private_views import private_board
from bot.context import Context
from bot.messages.components import Call, fits_in_button
from bot.messages.match import what_happened
from bot.messages.names import seat_names
from bot.messages.outgoing import Outgoing
from games.engine.message import msg
from matches.results import Asked, Played, Refused, Tried, Warned

Respond = Callable[[discord.Interaction[Any], Outgoing], Awaitable[None]]


@on("tap")
async def tap(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Play a quick move. On a public board only the new board answers; a private view is replaced."""
    shown = interaction.message
    on_played = edit_in_place if shown is not None and shown.flags.ephemeral else _acknowledge
    await submit(ctx, interaction, call.match, call.arg, version=call.seq, on_played=on_played)


async def _acknowledge(interaction: discord.Interaction[Any], outgoing: Outgoing) -> None:
    await acknowledge(interaction)


async def _dismiss(interaction: discord.Interaction[Any], outgoing: Outgoing) -> None:
    await dismiss(interaction)


@on("pick")
async def pick(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Play one of the choices of a panel, and delete the panel."""
    await submit(
        ctx, interaction, call.match, call.arg, version=call.seq, on_played=_dismiss, on_other=edit_in_place
    )


@on("sure")
async def sure_of_it(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Play a move in spite of the game's warning, and delete the warning."""
    await submit(ctx, interaction, call.match, call.arg, version=call.seq, on_played=_dismiss)


@on("play", value=".*")
async def play(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Play a move chosen from a menu."""
    await submit(
        ctx,
        interaction,
        call.match,
        call.values[0],
        version=call.seq,
        on_played=edit_in_place,
        on_other=edit_in_place,
    )


@on("typed")
async def typed(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Play the move typed into the form."""
    text = call.values[0] if call.values else ""
    await submit(ctx, interaction, call.match, text, version=call.seq)


@on("tried")
async def tried(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Try the move typed into the form, in private."""
    text = (call.values[0] if call.values else "").lstrip("? ")
    await submit(ctx, interaction, call.match, f"?{text}")


async def submit(
    ctx: Context,
    interaction: discord.Interaction[Any],
    match_id: str,
    text: str,
    *,
    version: int | None = None,
    request: str | None = None,
    on_played: Respond = respond_privately,
    on_other: Respond = respond_privately,
) -> None:
    """Submit a move, answer its author, then deliver the new board.

    `request` is the id of the request if it isn't the interaction's: that of a message, which may have been
    played before. `on_played` sends the answer to a move that was played, `on_other` to a partial or refused
    one.
    """
    begun = perf_counter()
    if (loaded := await load_match(ctx, interaction, match_id)) is None:
        return
    row, reader = loaded
    found = perf_counter()
    result = await ctx.service.play.submit(
        match_id, interaction.user.id, text, request=request or f"i{interaction.id}", version=version, row=row
    )
    match result:
        case Played():
            ctx.operation.counters.took("in", found - begun)
            known = request is not None and result.repeated
            done = reader.say(msg("bot.move.counted" if known else "bot.move.done", match=result.row.id))
            what = what_happened(result.row, result.match, result.facts, reader)
            await on_played(interaction, Outgoing(f"{done} {what}"))
            await ctx.delivery.finish(match_id, result.row)
            ctx.operation.counters.answers.add("chosen", perf_counter() - begun)
            if result.left is not None:
                await respond_privately(interaction, Outgoing(undone_text(result.row, result.left, reader)))
        case Asked() if version is not None and fits_in_button(text):
            match = await ctx.service.queries.at(match_id, version)
            await on_other(interaction, choices_panel(row, match, text, result, reader))
        case Asked():
            names = seat_names(row, reader)
            prompt = reader.say(result.prompt, names)
            await on_other(interaction, Outgoing(prompt + choices_text(result.choices)))
        case Warned():
            await on_other(interaction, warning_message(row, result, reader))
        case Tried():
            await defer(interaction)
            await respond_privately(interaction, await attempt_message(ctx, row, result, reader))
        case Refused(stale=True):
            await defer(interaction)
            note = reader.say(msg("bot.board.moved_on"))
            current = await ctx.service.queries.row(match_id) or row
            await respond_privately(interaction, await private_board(ctx, current, reader, note))
        case Refused():
            current = await ctx.service.queries.row(match_id) or row
            await on_other(interaction, await refusal_message(ctx, result, reader, current))
