"""Change a person's settings of pings by choices and typed times, and put off a ping."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import edit_in_place, respond_privately
from bot.actions.match_access import load_match
from bot.context import Context
from bot.messages.buttons import STYLE, settings_button
from bot.messages.clock import moment
from bot.messages.components import Call, CallButton
from bot.messages.names import as_code
from bot.messages.outgoing import Outgoing
from games.engine.message import Msg, msg
from matches.clocks import zones
from matches.clocks.control import time_zone
from matches.clocks.words import no_zone_words
from matches.long_work import in_thread
from matches.pings.settings import (
    MAX_DIGESTS,
    PingSettings,
    read_settings,
    typed_digests,
    typed_quiet,
    with_settings,
)

_HOUR: Final = timedelta(hours=1)
STYLES: Final = ("every", "looked", "digest", "none")
WHERES: Final = ("thread", "dm")
REMINDERS: Final[dict[str, tuple[tuple[int, ...], int]]] = {
    "remind_24_8_1": ((24, 8, 1), 0),
    "remind_8_1": ((8, 1), 0),
    "remind_1": ((1,), 0),
    "remind_every_6": ((), 6),
    "remind_every_12": ((), 12),
    "remind_every_24": ((), 24),
    "remind_off": ((), 0),
}
"""The choices of reminders: hours left, and the interval in hours."""
EXTRAS: Final = {
    "extras_none": (False, False),
    "extras_next": (True, False),
    "extras_alone": (False, True),
    "extras_both": (True, True),
}
"""The choices of extras: when they are next, when only they are missing."""


async def change_settings(
    ctx: Context, user: int, change: Callable[[PingSettings], PingSettings]
) -> PingSettings:
    """Change a person's settings of pings, and return them."""
    made = await ctx.preferences.get("user", user)
    chosen = change(read_settings(made))
    await ctx.preferences.save("user", user, with_settings(made, chosen))
    return chosen


def with_choice(chosen: PingSettings, key: str, picked: str) -> PingSettings:
    """Return the settings after a choice in a menu; unchanged if there is no such choice."""
    if key == "reminders" and picked in REMINDERS:
        reminders, interval = REMINDERS[picked]
        return replace(chosen, reminders=reminders, interval=interval)
    if key == "extras" and picked in EXTRAS:
        next_up, alone = EXTRAS[picked]
        return replace(chosen, next_up=next_up, alone=alone)
    if (key, picked) in {("style", each) for each in STYLES} | {("where", each) for each in WHERES}:
        return replace(chosen, **{key: picked})  # type: ignore[arg-type]  # one of the words above
    return chosen


async def take_typed(
    ctx: Context, user: int, *, zone: str | None = None, quiet: str | None = None, digests: str | None = None
) -> Msg | None:
    """Change what a person typed of zone, quiet hours and digests, or return why nothing was changed."""
    made: dict[str, Any] = {}
    known = read_settings(await ctx.preferences.get("user", user)).zone
    if zone and zone.strip() != known.key:  # what a form shows of earlier settings is taken as it is
        # The names of the zones, and a zone itself, are read from files.
        found = await in_thread(_read_zone, zone, ctx.clock.now())
        if isinstance(found, zones.NoZone):
            return msg("bot.pings.bad_zone", zone=as_code(zone), why=no_zone_words(found))
        made["zone"] = found
    if quiet is not None:
        hours = typed_quiet(quiet)
        if hours is None:
            return msg("bot.pings.bad_quiet", text=as_code(quiet))
        if isinstance(hours, Msg):
            return hours
        made["quiet"] = None if hours == "off" else hours
    if digests is not None:
        times = typed_digests(digests)
        if times is None:
            return msg("bot.pings.bad_digests", text=as_code(digests), limit=MAX_DIGESTS)
        made["digests"] = times
    if made:
        await change_settings(ctx, user, lambda chosen: replace(chosen, **made))
    return None


def _read_zone(typed: str, now: datetime) -> ZoneInfo | zones.NoZone:
    found = zones.find_zone(typed[: zones.MAX_TYPED], zones.zone_names(), now)
    return found if isinstance(found, zones.NoZone) else time_zone(found)


# --- on a ping --------------------------------------------------------------------------------------------


@on("snooze")
async def snooze(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Ping the person again later. The pressed message shows when, and goes when the next ping comes."""
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    until: datetime | Literal["morning"] = "morning" if call.arg == "morning" else ctx.clock.now() + _HOUR
    at = await ctx.service.pings.snooze(row.id, interaction.user.id, call.seq, until)
    if not isinstance(at, datetime):
        why = msg(f"bot.ping.{at}", match=row.id)
        await respond_privately(interaction, Outgoing(reader.say(why)))
        return
    text = reader.say(msg("bot.ping.snoozed", when=moment(at), match=row.id))
    view = CallButton.make(
        Call("view", row.id, call.seq, "ping"), reader.say(msg("bot.button.view")), STYLE.secondary
    )
    await edit_in_place(interaction, Outgoing(text, (), (view, settings_button(reader))))
