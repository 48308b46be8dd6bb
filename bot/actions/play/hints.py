"""Show hints, a step at a time, in messages that only the one who asks can see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, defer, edit_in_place, respond_privately
from bot.actions.match_access import load_match
from bot.actions.play.move_answers import refusal_text
from bot.context import Context
from bot.messages.buttons import STYLE
from bot.messages.components import Call, CallButton, fits_in_button
from bot.messages.hints import hint_lines, hint_marks
from bot.messages.names import as_code
from bot.messages.outgoing import Outgoing
from bot.messages.scenes import scene_for, with_text_board
from bot.platform.reader_settings import Reader
from games.engine.match import HINT_STEPS
from games.engine.message import msg
from matches.play.hints import Hint, NoChoice
from matches.results import Refused
from matches.store.rows import MatchRow

Answer = Callable[[discord.Interaction[Any], Outgoing], Any]


async def hint_message(
    ctx: Context, row: MatchRow, reader: Reader, result: Hint | NoChoice | Refused
) -> Outgoing:
    """Return the steps of a hint that are shown, with a board and the button for the next; or why none."""
    if isinstance(result, Refused):
        return Outgoing(await refusal_text(ctx, result, reader, row))
    if isinstance(result, NoChoice):
        text = reader.say(msg("bot.hint.only", move=f"`{as_code(result.text, 100)}`"))
        return Outgoing(f"{text}\n-# `{row.id}`", (), _play_button(row, row.version, result.text, reader))
    match, advice = result.match, result.advice
    marks = hint_marks(result)
    scene = scene_for(match, result.seat, marks=marks)
    text = "\n".join(hint_lines(result, scene, reader))
    items: list[CallButton] = []
    if result.step < HINT_STEPS:
        label = reader.say(msg(f"bot.button.hint_{result.step + 1}"))
        call = Call("hint_step", row.id, match.seq, str(result.step + 1))
        items.append(CallButton.make(call, label, STYLE.primary))
    if result.step > 1:
        items += _play_button(result.row, match.seq, advice.best.text, reader)
    if reader.text:
        return Outgoing(*with_text_board(scene, reader, text), tuple(items))
    picture = await ctx.presenter.pictures.file(scene, reader, f"{row.id}-hint.png")
    return Outgoing(text, (picture,), tuple(items))


def _play_button(row: MatchRow, seq: int, text: str, reader: Reader) -> tuple[CallButton, ...]:
    """Return the button that plays a move, if a button can carry it."""
    if not fits_in_button(text):
        return ()
    label = reader.say(msg("bot.button.hint_play", move=text))
    return (CallButton.make(Call("tap", row.id, seq, text), label, STYLE.success),)


async def show_hint(
    ctx: Context,
    interaction: discord.Interaction[Any],
    row: MatchRow,
    reader: Reader,
    *,
    step: int | None = None,
    version: int | None = None,
    answer: Answer = respond_privately,
) -> None:
    """Think about a hint, and show it. The interaction has been acknowledged."""
    if (many := ctx.operation.throttle.refuse("hint", interaction.user.id)) is not None:
        await respond_privately(interaction, Outgoing(reader.say(many)))
        return
    result = await ctx.service.hints.show(
        row.id, interaction.user.id, request=f"i{interaction.id}", step=step, version=version
    )
    if isinstance(result, Refused):
        answer = respond_privately  # what was shown before stays
    await answer(interaction, await hint_message(ctx, row, reader, result))


@on("hint")
async def hint(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the first step of a hint, or those that were shown before."""
    await defer(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is not None:
        await show_hint(ctx, interaction, *loaded)


@on("hint_step")
async def next_step(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the next step in place of the last one."""
    await acknowledge(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    step = int(call.arg) if call.arg.isdecimal() else None
    await show_hint(ctx, interaction, *loaded, step=step, version=call.seq, answer=edit_in_place)
