"""Take back one's own last move: a private question that names it, then the move is gone.

If something has come of it, the others who play are asked in public.
"""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import edit_in_place, respond_privately
from bot.actions.match_access import load_match
from bot.actions.play.move_answers import refusal_text
from bot.actions.play.offers import respond_with_outcome
from bot.context import Context
from bot.messages.buttons import STYLE
from bot.messages.components import Call, CallButton
from bot.messages.names import as_code, seat_names
from bot.messages.outgoing import Outgoing
from bot.platform.reader_settings import Reader
from games.engine.message import Who, msg
from matches.results import Refused
from matches.store.rows import MatchRow


@on("undo")
async def undo(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Ask the person whether to take back their last move, even from an old board."""
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    await respond_privately(interaction, await undo_question(ctx, row, interaction.user.id, reader))


async def undo_question(ctx: Context, row: MatchRow, user: int, reader: Reader) -> Outgoing:
    """Return the question whether to take back a move, with its button, or why that can't be."""
    offered = await ctx.service.undo.offer(row.id, user)
    if isinstance(offered, Refused):
        return Outgoing(await refusal_text(ctx, offered, reader, row))
    moves = tuple(f"`{as_code(move)}`" for move in offered.moves)
    asks = bool(offered.others)
    yes = reader.say(msg("bot.button.undo_ask" if asks else "bot.button.undo_yes"))
    button = CallButton.make(Call("undo_yes", row.id, offered.version), yes, STYLE.primary)
    key = "bot.undo.sure" if moves else "bot.undo.sure_closed"
    text = reader.say(msg(key, match=row.id, moves=moves))
    if asks:
        who = tuple(Who(seat) for seat in sorted(offered.others))
        text += " " + reader.say(msg("bot.undo.others", n=len(who), who=who), seat_names(row, reader))
    return Outgoing(text, (), (button,))


@on("undo_yes")
async def undo_yes(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Take back the move that the question named."""
    reader = await ctx.readers.of(interaction)
    result = await ctx.service.undo.take_back(
        call.match, interaction.user.id, request=f"i{interaction.id}", version=call.seq
    )
    if isinstance(result, Refused):
        row = await ctx.service.queries.row(call.match)
        await edit_in_place(interaction, Outgoing(await refusal_text(ctx, result, reader, row)))
        return
    key = "bot.undo.asked" if result.match.talk.asked is not None else "bot.undo.done"
    await edit_in_place(interaction, Outgoing(reader.say(msg(key, match=call.match))))
    await ctx.delivery.finish(call.match)


@on("undo_agree")
async def agree(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Agree to the request of that message, not to a later one."""
    result = await ctx.service.undo.agree(
        call.match, interaction.user.id, request=f"i{interaction.id}", asked=call.seq
    )
    await respond_with_outcome(ctx, interaction, call.match, result)


@on("undo_refuse")
async def refuse(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Decline the request of that message, or withdraw it."""
    result = await ctx.service.undo.decline(
        call.match, interaction.user.id, request=f"i{interaction.id}", asked=call.seq
    )
    await respond_with_outcome(ctx, interaction, call.match, result)
