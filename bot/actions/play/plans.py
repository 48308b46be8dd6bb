"""Plans: show, add to and change one's own, in messages that only the planner can see."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, edit_in_place, respond_privately
from bot.actions.match_access import load_match
from bot.actions.play.move_answers import refusal_text
from bot.context import Context
from bot.messages.components import Call, CallForm
from bot.messages.outgoing import Outgoing
from bot.messages.plans import line_key, line_text, plan_panel
from bot.platform.reader_settings import Reader
from games.engine.message import Msg, msg
from matches.plans.grammar import MAX_TEXT, written
from matches.plans.planning import Planned
from matches.results import Refused
from matches.store.rows import MatchRow

PlanRequest = Callable[[str, int], Awaitable[Planned | Refused]]
"""Takes the id of a match and that of a user."""
Respond = Callable[[discord.Interaction[Any], Outgoing], Awaitable[object]]


async def plan_message(
    ctx: Context, row: MatchRow, reader: Reader, result: Planned | Refused, note: Msg | None = None
) -> Outgoing:
    """Return the plan after a change with a note about it, or why it wasn't changed."""
    if isinstance(result, Refused):
        return Outgoing(await refusal_text(ctx, result, reader, row))
    example = "" if result.lines else await _example(ctx, row, reader)
    return plan_panel(result, reader, "" if note is None else reader.say(note), example)


async def _example(ctx: Context, row: MatchRow, reader: Reader) -> str:
    """Return a line that the reader could plan now; empty if the position after their reply isn't known."""
    user = None if reader.seat is None else row.seats[reader.seat].user
    if user is None:
        return ""
    for theirs in await ctx.service.plans.suggest(row.id, user, "", limit=1):
        for line in await ctx.service.plans.suggest(row.id, user, f"{theirs}: ", limit=1):
            return line
    return ""


def added_note(result: Planned | Refused) -> Msg | None:
    """Return the confirmation of the line that was added last."""
    if isinstance(result, Refused) or not result.lines:
        return None
    return msg("bot.plan.added", match=result.row.id, line=f"`{line_text(result.lines[-1])}`")


async def _answer(
    ctx: Context, interaction: discord.Interaction[Any], call: Call, ask: PlanRequest, respond: Respond
) -> bool:
    """Answer with the plan after a request; return whether there is such a match."""
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return False
    row, reader = loaded
    result = await ask(row.id, interaction.user.id)
    await respond(interaction, await plan_message(ctx, row, reader, result))
    return True


@on("plan")
async def plan(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the person's plan."""
    await _answer(ctx, interaction, call, ctx.service.plans.show, respond_privately)


@on("plan_add")
async def ask_for_line(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Open a form to type a line of a plan."""
    say = (await ctx.readers.of(interaction)).say
    title, label = say(msg("bot.plan.form", match=call.match)), say(msg("bot.plan.line"))
    asked = ("line", label, "e4-e6: c3-c5; d4-d5: b2-b3")
    form = CallForm(Call("plan_line", call.match, call.seq), title, asked, longest=MAX_TEXT)
    await interaction.response.send_modal(form)


@on("plan_line")
async def add_line(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Add the line typed into the form; a refusal leaves the shown plan as it is."""
    await acknowledge(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    text = call.values[0] if call.values else ""
    result = await ctx.service.plans.add(row.id, interaction.user.id, text)
    outgoing = await plan_message(ctx, row, reader, result, added_note(result))
    respond = respond_privately if isinstance(result, Refused) else edit_in_place
    await respond(interaction, outgoing)


@on("plan_drop")
async def drop_line(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Remove the line that was chosen from the menu, which may be older than the plan."""
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    plans, user = ctx.service.plans, interaction.user.id
    result = await plans.show(row.id, user)
    if isinstance(result, Planned):
        chosen = next((line for line in result.lines if line_key(line) in call.values), None)
        if chosen is None:
            await edit_in_place(
                interaction, await plan_message(ctx, row, reader, result, msg("bot.plan.gone"))
            )
            return
        result = await plans.remove(row.id, user, written(chosen))
    await edit_in_place(interaction, await plan_message(ctx, row, reader, result))


@on("plan_clear")
async def clear(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Remove all lines."""
    await _answer(ctx, interaction, call, ctx.service.plans.remove, edit_in_place)


@on("plan_only")
async def only_move(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Switch on or off that the person's only legal move is played for them."""
    switch = partial(ctx.service.plans.set_only_move, on=call.arg == "on")
    if await _answer(ctx, interaction, call, switch, edit_in_place):
        await ctx.delivery.finish(call.match)
