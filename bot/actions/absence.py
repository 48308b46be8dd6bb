"""Clocks and absence: claim the time of someone who is late, agree to a pause, vacations, idle matches."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import respond_privately, settle_question
from bot.actions.play.move_answers import refusal_text
from bot.actions.play.offers import respond_with_outcome
from bot.context import Context
from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from bot.platform.reader_settings import Reader
from games.engine.message import Msg, msg
from matches.clocks.timekeeper import control_of
from matches.results import Refused
from matches.store.rows import MatchRow

_MAX_LISTED = 12
"""Maximum number of matches listed in a line."""


@on("claim")
async def claim(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Claim the time of the seat that the message names, if it is still late."""
    seat = int(call.arg) if call.arg.isdecimal() else None
    result = await ctx.service.time_up.claim(
        call.match, interaction.user.id, request=f"i{interaction.id}", seat=seat
    )
    await respond_with_outcome(ctx, interaction, call.match, result)


@on("pause_agree")
async def agree(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Agree to the pause that was asked for in that message, not to a later one."""
    result = await ctx.service.pauses.ask(
        call.match, interaction.user.id, request=f"i{interaction.id}", asked=call.seq
    )
    await respond_with_outcome(ctx, interaction, call.match, result)


@on("pause_refuse")
async def refuse(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Decline the pause that was asked for in that message, or withdraw one's own request."""
    result = await ctx.service.pauses.resume(
        call.match, interaction.user.id, request=f"i{interaction.id}", asked=call.seq
    )
    await respond_with_outcome(ctx, interaction, call.match, result)


@on("idle_on")
async def go_on(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Go on with a match, which keeps it from being set aside."""
    result = await ctx.service.idle.go_on(call.match, interaction.user.id, version=call.seq)
    await _settle(ctx, interaction, call, result, "bot.idle.on")


@on("idle_off")
async def set_aside(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Set a match aside at once."""
    result = await ctx.service.idle.set_aside(call.match, interaction.user.id, version=call.seq)
    await _settle(ctx, interaction, call, result, "bot.idle.off")


@on("idle_up")
async def take_up(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Take up a match that was set aside."""
    result = await ctx.service.idle.go_on(call.match, interaction.user.id, version=call.seq)
    await _settle(ctx, interaction, call, result, "bot.idle.up")


async def _settle(
    ctx: Context, interaction: discord.Interaction[Any], call: Call, result: MatchRow | Refused, key: str
) -> None:
    """Replace the question by its answer, so that it is asked once, and send what follows; or say why not."""
    if isinstance(result, Refused):
        row = await ctx.service.queries.row(call.match)
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, Outgoing(await refusal_text(ctx, result, reader, row)))
        return
    reader = await ctx.readers.public(result.place.guild)
    text = reader.say(msg(key, who=f"<@{interaction.user.id}>", match=result.id))
    await settle_question(interaction, Outgoing(f"{text}\n-# `{result.id}`"))
    await ctx.delivery.finish(call.match)


async def vacation_text(ctx: Context, user: int, reader: Reader, first: Msg | None = None) -> str:
    """Return all about a person's vacations, a line for each thing; `first` goes before it."""
    now, vacations = ctx.clock.now(), ctx.service.vacations
    lines = [] if first is None else [first]
    current = await vacations.current(user)
    if current is not None:
        start, end = (discord.utils.format_dt(at, "f") for at in (current.span.start, current.span.end))
        key = "bot.vacation.now" if current.span.start <= now else "bot.vacation.later"
        lines.append(msg(key, start=start, end=end))
    elif first is None:
        lines.append(msg("bot.vacation.none"))
    left = await vacations.left(user, now)
    lines.append(msg("bot.vacation.left", n=left // timedelta(days=1), year=str(now.year)))
    automatic = await vacations.is_automatic(user)
    lines.append(msg("bot.vacation.automatic_on" if automatic else "bot.vacation.automatic_off"))
    return "\n".join(map(reader.say, (*lines, *await _matches(ctx, user))))


async def _matches(ctx: Context, user: int) -> tuple[Msg, ...]:
    """Return which of a person's live matches honour vacations, and which don't."""
    honours: dict[bool, list[str]] = {True: [], False: []}
    for seen in await ctx.service.queries.mine(user):
        if (control := control_of(seen.match)) is not None:
            honours[control.vacations].append(f"`{seen.row.id}`")
    if not any(honours.values()):
        return (msg("bot.vacation.clockless"),)
    keys = {True: "bot.vacation.stops", False: "bot.vacation.ignored"}
    return tuple(msg(keys[each], matches=_listed(ids)) for each, ids in honours.items() if ids)


def _listed(ids: list[str]) -> tuple[str, ...]:
    more = len(ids) - _MAX_LISTED
    return (*ids[:_MAX_LISTED], f"+{more}") if more > 0 else tuple(ids)
