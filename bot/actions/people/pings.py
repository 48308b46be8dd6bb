"""The settings of pings as a panel of menus, and the buttons of a ping: again in an hour, or tomorrow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import edit_in_place, respond_privately
from bot.actions.loading import load_match
from bot.context import Context
from bot.messages.buttons import NO_MATCH, STYLE, settings_button
from bot.messages.clock import moment
from bot.messages.components import Call, CallButton, CallForm, CallMenu
from bot.messages.outgoing import Outgoing
from bot.messages.quoting import as_code
from bot.platform.readers import Reader
from games.engine.message import Msg, msg
from matches.clocks import zones
from matches.clocks.control import time_zone
from matches.clocks.words import no_zone_words
from matches.pings.settings import (
    MAX_DIGESTS,
    PingSettings,
    read_settings,
    typed_digests,
    typed_quiet,
    with_settings,
)
from matches.threads import in_thread

_HOUR: Final = timedelta(hours=1)
_EXAMPLES: Final = {"quiet": "22:00-7:00", "digests": "8:00, 18:00"}
_STYLES: Final = ("every", "looked", "digest", "none")
_WHERES: Final = ("thread", "dm")
_REMINDERS: Final[dict[str, tuple[tuple[int, ...], int]]] = {
    "remind_24_8_1": ((24, 8, 1), 0),
    "remind_8_1": ((8, 1), 0),
    "remind_1": ((1,), 0),
    "remind_every_6": ((), 6),
    "remind_every_12": ((), 12),
    "remind_every_24": ((), 24),
    "remind_off": ((), 0),
}
"""The choices of reminders: hours left, and the interval in hours."""
_EXTRAS: Final = {
    "extras_none": (False, False),
    "extras_next": (True, False),
    "extras_alone": (False, True),
    "extras_both": (True, True),
}
"""The choices of extras: when they are next, when only they are missing."""


# --- the panel --------------------------------------------------------------------------------------------


def settings_lines(chosen: PingSettings, now: datetime, reader: Reader) -> str:
    """Return the settings of pings, one on a line."""
    say = reader.say

    def line(key: str, value: str) -> str:
        return f"{say(msg(f'bot.pings.{key}'))}: {value}"

    times = ", ".join(at.isoformat("minutes") for at in chosen.digests)
    style = (
        msg("bot.pings.digest", times=times) if chosen.style == "digest" else msg(f"bot.pings.{chosen.style}")
    )
    lines = [say(msg("bot.pings.head")), line("style", say(style))]
    if chosen.style in ("every", "looked"):
        lines.append(line("where", say(msg(f"bot.pings.{chosen.where}"))))
    if chosen.style != "none":
        lines.append(line("reminders", say(reminder_words(chosen))))
        extras = [say(msg(f"bot.pings.{key}")) for key in ("next_up", "alone") if getattr(chosen, key)]
        lines.append(line("extras", ", ".join(extras) or say(msg("bot.pings.no_extras"))))
        lines.append(line("quiet", say(_quiet(chosen))))
    local = now.astimezone(chosen.zone).strftime("%H:%M")
    lines.append(line("zone", f"`{chosen.zone.key}`. {say(msg('bot.pings.now', time=local))}"))
    return "\n".join(lines)


def reminder_words(chosen: PingSettings) -> Msg:
    """Return when a person is reminded, in words."""
    if chosen.interval:
        return msg("bot.pings.interval", n=chosen.interval)
    if not chosen.reminders:
        return msg("bot.pings.no_reminders")
    hours = tuple(msg("match.time.hours", n=hours) for hours in chosen.reminders)
    return msg("bot.pings.left", hours=hours)


def _quiet(chosen: PingSettings) -> Msg:
    if chosen.quiet is None:
        return msg("bot.pings.no_quiet")
    start, end = chosen.quiet.start.isoformat("minutes"), chosen.quiet.end.isoformat("minutes")
    return msg("bot.pings.quiet_hours", start=start, end=end)


async def settings_panel(ctx: Context, user: int, reader: Reader, head: str = "", note: str = "") -> Outgoing:
    """Return a person's settings of pings with menus to change them; `head` and `note` come before them."""
    chosen = read_settings(await ctx.preferences.get("user", user))
    lines = [line for line in (head, note, settings_lines(chosen, ctx.clock.now(), reader)) if line]
    reminders = next((key for key, made in _REMINDERS.items() if made == _reminders_of(chosen)), "")
    extras = next(key for key, made in _EXTRAS.items() if made == (chosen.next_up, chosen.alone))
    menus = (
        _menu("style", _STYLES, chosen.style, reader, 0),
        _menu("where", _WHERES, chosen.where, reader, 1),
        _menu("reminders", tuple(_REMINDERS), reminders, reader, 2),
        _menu("extras", tuple(_EXTRAS), extras, reader, 3),
    )
    forms = tuple(
        CallButton.make(Call("ping_form", NO_MATCH, 0, key), reader.say(msg(f"bot.button.{key}")), row=4)
        for key in ("quiet", "digests")
    )
    blocks = CallButton.make(Call("blocks", NO_MATCH, 0), reader.say(msg("bot.button.blocks")), row=4)
    return Outgoing("\n".join(lines), (), (*menus, *forms, blocks))


def _reminders_of(chosen: PingSettings) -> tuple[tuple[int, ...], int]:
    return ((), chosen.interval) if chosen.interval else (chosen.reminders, 0)


def _menu(key: str, choices: tuple[str, ...], chosen: str, reader: Reader, row: int) -> CallMenu:
    """Return a menu of one setting; each choice names the setting, because a chosen one is shown alone."""
    name = reader.say(msg(f"bot.pings.{key}"))
    options = [
        discord.SelectOption(
            label=f"{name}: {reader.say(msg(f'bot.pings.choice.{choice}'))}"[:100],
            value=choice,
            default=choice == chosen,
        )
        for choice in choices
    ]
    hint = reader.say(msg(f"bot.pings.pick_{key}"))
    return CallMenu.make(Call("ping_set", NO_MATCH, 0, key), options, hint, row=row)


async def change_settings(
    ctx: Context, user: int, change: Callable[[PingSettings], PingSettings]
) -> PingSettings:
    """Change a person's settings of pings, and return them."""
    made = await ctx.preferences.get("user", user)
    chosen = change(read_settings(made))
    await ctx.preferences.save("user", user, with_settings(made, chosen))
    return chosen


@on("pings")
async def pings(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show a person their settings of pings."""
    reader = await ctx.readers.of(interaction)
    await respond_privately(interaction, await settings_panel(ctx, interaction.user.id, reader))


@on("ping_set")
async def ping_set(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Take the choice of a menu. One that no longer exists changes nothing."""
    user, picked = interaction.user.id, call.values[0] if call.values else ""
    await change_settings(ctx, user, lambda chosen: with_choice(chosen, call.arg, picked))
    reader = await ctx.readers.of(interaction)
    await edit_in_place(interaction, await settings_panel(ctx, user, reader))


def with_choice(chosen: PingSettings, key: str, picked: str) -> PingSettings:
    """Return the settings after a choice in a menu; unchanged if there is no such choice."""
    if key == "reminders" and picked in _REMINDERS:
        reminders, interval = _REMINDERS[picked]
        return replace(chosen, reminders=reminders, interval=interval)
    if key == "extras" and picked in _EXTRAS:
        next_up, alone = _EXTRAS[picked]
        return replace(chosen, next_up=next_up, alone=alone)
    if (key, picked) in {("style", each) for each in _STYLES} | {("where", each) for each in _WHERES}:
        return replace(chosen, **{key: picked})  # type: ignore[arg-type]  # one of the words above
    return chosen


@on("ping_form")
async def ping_form(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Ask for times in a form."""
    reader = await ctx.readers.of(interaction)
    say = reader.say
    chosen = read_settings(await ctx.preferences.get("user", interaction.user.id))
    key = "quiet" if call.arg == "quiet" else "digests"
    form = CallForm(
        Call("ping_times", NO_MATCH, 0, key),
        say(msg("bot.pings.form.title")),
        ("text", say(msg(f"bot.pings.form.{key}")), _EXAMPLES[key]),
        ("zone", say(msg("bot.pings.form.zone")), "Europe/Berlin"),
        filled={"text": _typed(chosen, key), "zone": chosen.zone.key},
    )
    await interaction.response.send_modal(form)


def _typed(chosen: PingSettings, key: str) -> str:
    """Return the times that are set, as they can be typed."""
    if key == "digests":
        return ", ".join(at.isoformat("minutes") for at in chosen.digests)
    if chosen.quiet is None:
        return ""
    return f"{chosen.quiet.start.isoformat('minutes')}-{chosen.quiet.end.isoformat('minutes')}"


@on("ping_times")
async def ping_times(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Take the times of a form; what can't be read is answered with the panel and a note."""
    reader = await ctx.readers.of(interaction)
    text, zone = (*call.values, "", "")[:2]
    given = {"quiet": text} if call.arg == "quiet" else {"digests": text}
    why = await take_typed(ctx, interaction.user.id, zone=zone, **given)
    note = "" if why is None else reader.say(why)
    panel = await settings_panel(ctx, interaction.user.id, reader, note=note)
    if interaction.message is None:
        await respond_privately(interaction, panel)
    else:
        await edit_in_place(interaction, panel)


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
    """Ping the person again later. The pressed message says when, and goes when the next ping comes."""
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
