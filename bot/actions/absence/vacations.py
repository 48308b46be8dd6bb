"""Say when a person is on vacation, what they have left of it, and which of their clocks it stops."""

from __future__ import annotations

from datetime import timedelta

import discord

from bot.context import Context
from bot.platform.readers import Reader
from games.engine.message import Msg, msg
from matches.clocks.timekeeper import control_of

_MAX_LISTED = 12
"""Maximum number of matches listed in a line."""


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
