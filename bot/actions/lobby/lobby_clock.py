"""The host's private panel to choose the clock of a lobby."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast, get_args

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import dismiss, edit_in_place, respond_privately
from bot.actions.lobby.lobby_panel import hosted_lobby, respond_with_refusal
from bot.context import Context
from bot.messages.components import Call
from bot.messages.lobby_clock import (
    OWN,
    agreed_clock,
    clock_form,
    clock_panel,
    hours_form,
)
from bot.messages.names import as_code
from bot.messages.outgoing import Outgoing
from games.engine.message import Msg, msg
from matches.clocks import words, zones
from matches.clocks.control import PRESETS, Acts, Follows, TimeControl, time_zone
from matches.clocks.hours import PlayingHours, read_hours
from matches.clocks.typed import read_whole_clock
from matches.long_work import in_thread
from matches.results import Refused
from matches.store.rows import MatchRow

_MAX_QUOTED = 60


def _host_only(row: MatchRow) -> Msg:
    clock = words.clock_words(agreed_clock(row))
    return msg("bot.lobby_clock.host_only", host=f"<@{row.host}>", clock=clock)


@on("clock_panel")
async def panel(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the panel to the host, and to others who the host is."""
    if (found := await hosted_lobby(ctx, interaction, call, _host_only)) is not None:
        await respond_privately(interaction, clock_panel(*found))


async def _change(
    ctx: Context,
    interaction: discord.Interaction[Any],
    call: Call,
    change: Callable[[TimeControl | None], TimeControl | None],
) -> None:
    """Change the clock, then show it in the panel and in the lobby's message."""
    result = await ctx.service.lobbies.change_clock(
        call.match, interaction.user.id, change, request=f"i{interaction.id}"
    )
    if isinstance(result, Refused):
        await respond_with_refusal(ctx, interaction, result, call.match)
        return
    await edit_in_place(interaction, clock_panel(result.row, await ctx.readers.of(interaction)))
    await ctx.delivery.finish(call.match)


@on("clock_preset")
async def preset(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Take the time of a preset, and its rule for time being up."""
    picked = call.values[0] if call.values else OWN
    chosen = PRESETS.get(picked)

    def change(now: TimeControl | None) -> TimeControl | None:
        if picked not in PRESETS:  # the clock that is there
            return now
        if now is None or chosen is None:
            return chosen
        return replace(chosen, hours=now.hours, vacations=now.vacations)

    await _change(ctx, interaction, call, change)


@on("clock_part")
async def part(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Change who acts when time is up, what follows, or whether vacations count."""
    picked = call.values[0] if call.values else ""

    def change(now: TimeControl | None) -> TimeControl | None:
        if now is None:
            return None
        match call.arg:
            case "acts" if picked in get_args(Acts):
                return replace(now, acts=cast("Acts", picked))
            case "follows" if picked in get_args(Follows):
                return replace(now, follows=cast("Follows", picked))
            case "vacations":
                return replace(now, vacations=picked == "yes")
        return now

    await _change(ctx, interaction, call, change)


@on("clock_all_day")
async def all_day(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Let the clocks run day and night."""
    await _change(ctx, interaction, call, lambda now: None if now is None else replace(now, hours=None))


@on("clock_done")
async def done(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Delete the panel."""
    await dismiss(interaction)


@on("clock_type")
async def type_clock(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Open the form for a clock of one's own."""
    if (found := await hosted_lobby(ctx, interaction, call, _host_only)) is not None:
        await interaction.response.send_modal(clock_form(*found))


@on("clock_hours")
async def type_hours(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Open the form for playing hours."""
    if (found := await hosted_lobby(ctx, interaction, call, _host_only)) is not None:
        await interaction.response.send_modal(hours_form(*found))


@on("clock_typed")
async def typed_clock(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Take the clock from its form; playing hours and what follows stay as they are."""
    text = call.values[0] if call.values else ""
    now = ctx.clock.now()
    clock = await in_thread(lambda: read_whole_clock(text, zones.zone_names(), now))
    if isinstance(clock, Msg):
        await _refuse(ctx, interaction, text, clock)
        return

    def change(now: TimeControl | None) -> TimeControl | None:
        if now is None or clock is None:
            return clock
        hours = clock.hours or now.hours
        return replace(now, bank=clock.bank, increment=clock.increment, cap=clock.cap, hours=hours)

    await _change(ctx, interaction, call, change)


@on("clock_hours_typed")
async def typed_hours(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Take the playing hours from their form."""
    opens, closes, days, zone = (*call.values, "", "", "", "")[:4]
    # The names of the zones, and a zone itself, are read from files.
    hours = await in_thread(_read_hours, ctx, opens, closes, days, zone)
    if isinstance(hours, Msg):
        entered = ", ".join(part for part in (opens, closes, days, zone) if part.strip())
        await _refuse(ctx, interaction, entered, hours)
        return
    await _change(ctx, interaction, call, lambda now: None if now is None else replace(now, hours=hours))


def _read_hours(ctx: Context, opens: str, closes: str, days: str, zone: str) -> PlayingHours | Msg:
    found = zones.find_zone(zone[: zones.MAX_TYPED], zones.zone_names(), ctx.clock.now())
    if isinstance(found, zones.NoZone):
        return words.no_zone_words(found)
    return read_hours(opens, closes, days, time_zone(found))


async def _refuse(ctx: Context, interaction: discord.Interaction[Any], text: str, why: Msg) -> None:
    """Say what was wrong with a form; the panel stays, and with it the button that opens the form."""
    say = (await ctx.readers.of(interaction)).say
    quoted = as_code(text, _MAX_QUOTED)
    message = msg("bot.lobby_clock.quoted", text=quoted, why=why) if quoted else why
    await respond_privately(interaction, Outgoing(say(message)))
