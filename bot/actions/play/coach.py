"""The coach: why it has spoken, in private, and its move taken back. It is switched on under More."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.match_access import load_match
from bot.actions.play.move_answers import refusal_text
from bot.actions.play.offers import respond_with_outcome
from bot.context import Context
from bot.messages.buttons import STYLE
from bot.messages.components import Call, CallButton
from bot.messages.lessons import with_board
from bot.messages.names import as_code, seat_names
from bot.messages.outgoing import Outgoing
from bot.messages.scenes import scene_for
from bot.platform.reader_settings import Reader
from games.engine.message import msg
from matches.play.coach import CoachAdvice
from matches.results import Refused
from matches.store.rows import MatchRow


@on("coach_why")
async def coach_why(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show why a move was worse than another, to the person who made it."""
    await defer(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    found = await ctx.service.coach.advice(row.id, interaction.user.id, call.seq)
    if isinstance(found, Refused):
        await respond_privately(interaction, Outgoing(await refusal_text(ctx, found, reader, row)))
        return
    await respond_privately(interaction, await _advice_message(ctx, row, reader, found, call.seq))


async def _advice_message(
    ctx: Context, row: MatchRow, reader: Reader, found: CoachAdvice, entry: int
) -> Outgoing:
    """Return the board before the move, what it gave away and why, without naming the better move."""
    names, n = seat_names(row, reader), found.remark.percent
    text = [reader.say(msg("bot.coach.why", move=f"`{as_code(found.played, 60)}`", n=n))]
    text += [
        f"- {reader.say(msg('bot.coach.better', said=each.sentence) if each.good else each.sentence, names)}"
        for each in found.reasons
    ]
    text.append(f"-# {reader.say(msg('bot.coach.foot', match=row.id))}")
    back = CallButton.make(
        Call("coach_back", row.id, entry), reader.say(msg("bot.button.undo_yes")), STYLE.primary
    )
    game = found.match.game
    view = game.view(found.match.state, found.seat)
    marks = game.action_marks(view, game.decode(found.action))
    scene = scene_for(found.match, found.seat, marks=marks)
    return await with_board(ctx.presenter, reader, scene, "\n".join(text), (back,))


@on("coach_back")
async def coach_back(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Take back the move that the coach has spoken about."""
    result = await ctx.service.coach.take_back(
        call.match, interaction.user.id, call.seq, request=f"i{interaction.id}"
    )
    await respond_with_outcome(ctx, interaction, call.match, result)
