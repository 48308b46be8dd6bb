"""A person's settings: a panel of what is set, and a form for each kind that explains every choice.

Panels of earlier versions had menus and two forms of their own: these are still understood.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, get_args

import discord

import render
from bot.actions.handlers import on
from bot.actions.interaction_responses import edit_in_place, respond_privately
from bot.actions.people.ping_settings import (
    EXTRAS,
    REMINDERS,
    STYLES,
    WHERES,
    change_settings,
    take_typed,
    with_choice,
)
from bot.context import Context
from bot.messages.components import Call, CallForm, FormChoice, FormField, FormOption, Section
from bot.messages.front_panel import press
from bot.messages.outgoing import Outgoing, panel
from bot.platform.reader_settings import Reader
from games.engine.message import Msg, msg
from matches.pings.settings import PingSettings, read_settings
from matches.store.standing import Seen

_LOOKS: Final[Mapping[str, tuple[str, ...]]] = {
    "theme": render.THEMES,
    "board": ("picture", "text"),
    "standing": get_args(Seen),
}
"""The choices that aren't about pings, each with its default first."""
_PINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "style": STYLES,
    "where": WHERES,
    "reminders": tuple(REMINDERS),
    "extras": tuple(EXTRAS),
}
_FORMS: Final = ("pings", "times", "look")
QUIET_EXAMPLE: Final = "22:00-7:00"


# --- the panel --------------------------------------------------------------------------------------------


async def settings_panel(ctx: Context, user: int, reader: Reader, note: str = "") -> Outgoing:
    """Return a person's settings with buttons to change them; `note` comes before them."""
    made = await ctx.preferences.get("user", user)
    pings, times = settings_lines(read_settings(made), ctx.clock.now(), reader)
    texts = {"pings": pings, "times": times, "look": _look_lines(ctx, made, reader)}
    sections = tuple(
        Section(texts[key], press("settings_form", f"bot.settings.form.{key}", reader, arg=key))
        for key in _FORMS
    )
    return panel(note, reader, (), (press("blocks", "bot.button.blocks", reader),), sections)


def _look_lines(ctx: Context, made: Mapping[str, Any], reader: Reader) -> str:
    """Return the settings that aren't about pings, one on a line."""
    say, chosen = reader.say, _look_of(ctx, made)
    lines = [
        f"{say(msg(f'bot.settings.{key}'))}: {say(msg(f'bot.settings.choice.{value}'))}"
        for key, value in chosen.items()
    ]
    return "\n".join((*lines, f"{say(msg('bot.settings.language'))}: `{reader.language}`"))


def _look_of(ctx: Context, made: Mapping[str, Any]) -> dict[str, str]:
    """Return what is chosen of that; defaults for what isn't set, or no longer exists."""
    usual = {key: choices[0] for key, choices in _LOOKS.items()} | {"theme": ctx.config.theme}
    return {
        key: str(made[key]) if made.get(key) in choices else usual[key] for key, choices in _LOOKS.items()
    }


def settings_lines(chosen: PingSettings, now: datetime, reader: Reader) -> tuple[str, str]:
    """Return the settings of pings and those of times, each setting on a line."""
    say = reader.say

    def line(key: str, value: str) -> str:
        return f"{say(msg(f'bot.pings.{key}'))}: {value}"

    times = ", ".join(at.isoformat("minutes") for at in chosen.digests)
    style = (
        msg("bot.pings.digest", times=times) if chosen.style == "digest" else msg(f"bot.pings.{chosen.style}")
    )
    lines, zone = [line("style", say(style))], f"`{chosen.zone.key}`"
    if chosen.style in ("every", "looked"):
        lines.append(line("where", say(msg(f"bot.pings.{chosen.where}"))))
    hours = []
    if chosen.style != "none":
        lines.append(line("reminders", say(reminder_words(chosen))))
        extras = [say(msg(f"bot.pings.{key}")) for key in ("next_up", "alone") if getattr(chosen, key)]
        lines.append(line("extras", ", ".join(extras) or say(msg("bot.pings.no_extras"))))
        hours.append(line("quiet", say(_quiet(chosen))))
    local = now.astimezone(chosen.zone).strftime("%H:%M")
    hours.append(line("zone", f"{zone}. {say(msg('bot.pings.now', time=local))}"))
    return "\n".join(lines), "\n".join(hours)


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


@on("pings")
async def show_settings(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show a person their settings."""
    reader = await ctx.readers.of(interaction)
    await respond_privately(interaction, await settings_panel(ctx, interaction.user.id, reader))


# --- its forms --------------------------------------------------------------------------------------------


@on("settings_form", arg="|".join(_FORMS))
async def settings_form(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Open a form of the panel."""
    await _open_form(ctx, interaction, call.arg)


@on("ping_form")
async def ping_form(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Open the form of times, from a panel of an earlier version."""
    await _open_form(ctx, interaction, "times")


async def _open_form(ctx: Context, interaction: discord.Interaction[Any], key: str) -> None:
    reader = await ctx.readers.of(interaction)
    made = await ctx.preferences.get("user", interaction.user.id)
    chosen = read_settings(made)
    parts: Iterable[FormChoice | FormField]
    if key == "times":
        parts = _times(chosen, reader)
    elif key == "pings":
        parts = _choices("bot.pings", _PINGS, _pings_of(chosen), reader)
    else:
        parts = _choices("bot.settings", _LOOKS, _look_of(ctx, made), reader)
    title = reader.say(msg(f"bot.settings.form.{key}"))
    await interaction.response.send_modal(CallForm(Call("settings_made", "-", 0, key), title, *parts))


def _pings_of(chosen: PingSettings) -> dict[str, str]:
    """Return what is chosen of pings, by the keys of the choices; no reminders that aren't offered."""
    reminders = ((), chosen.interval) if chosen.interval else (chosen.reminders, 0)
    return {
        "style": chosen.style,
        "where": chosen.where,
        "reminders": next((key for key, made in REMINDERS.items() if made == reminders), ""),
        "extras": next(key for key, made in EXTRAS.items() if made == (chosen.next_up, chosen.alone)),
    }


def _choices(
    room: str, offered: Mapping[str, tuple[str, ...]], chosen: Mapping[str, str], reader: Reader
) -> list[FormChoice]:
    """Return a choice for each setting, with the effect of each option; `room` is where its texts are."""
    say = reader.say
    return [
        FormChoice(
            key,
            say(msg(f"{room}.{key}")),
            [
                FormOption(
                    each,
                    say(msg(f"{room}.choice.{each}")),
                    say(msg(f"{room}.effect.{each}")),
                    chosen[key] == each,
                )
                for each in choices
            ],
            say(msg(f"{room}.about.{key}")),
        )
        for key, choices in offered.items()
    ]


def _times(chosen: PingSettings, reader: Reader) -> list[FormField]:
    """Return the inputs of quiet hours, digest times and time zone, with what is set."""
    say, quiet = reader.say, chosen.quiet
    digests = ", ".join(at.isoformat("minutes") for at in chosen.digests)
    hours = "" if quiet is None else f"{quiet.start.isoformat('minutes')}-{quiet.end.isoformat('minutes')}"
    filled = (("quiet", QUIET_EXAMPLE, hours), ("digests", "8:00, 18:00", digests))
    inputs = [
        FormField(
            key,
            say(msg(f"bot.pings.form.{key}")),
            example,
            value,
            say(msg(f"bot.pings.about.{key}")),
            required=key != "quiet",
        )
        for key, example, value in filled
    ]
    zone = say(msg("bot.pings.form.zone"))
    return [*inputs, FormField("zone", zone, "Berlin", chosen.zone.key, say(msg("bot.pings.about.zone")))]


@on("settings_made", arg="|".join(_FORMS), value=".*")
async def settings_made(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Take a form. A choice that no longer exists changes nothing; times that can't be read are named."""
    user, why = interaction.user.id, None
    if call.arg == "times":
        quiet, digests, zone = (*call.values, "", "", "")[:3]
        why = await take_typed(ctx, user, quiet=quiet, digests=digests, zone=zone)
    elif call.arg == "pings":
        picked = dict(zip(_PINGS, call.values, strict=False))
        await change_settings(ctx, user, lambda chosen: _with_choices(chosen, picked))
    else:
        made = await ctx.preferences.get("user", user)
        picked = dict(zip(_LOOKS, call.values, strict=False))
        made.update({key: value for key, value in picked.items() if value in _LOOKS[key]})
        await ctx.preferences.save("user", user, made)
    await _show_again(ctx, interaction, why)


def _with_choices(chosen: PingSettings, picked: Mapping[str, str]) -> PingSettings:
    for key, value in picked.items():
        chosen = with_choice(chosen, key, value)
    return chosen


async def _show_again(ctx: Context, interaction: discord.Interaction[Any], why: Msg | None = None) -> None:
    """Show the panel as it is now in place of the one that was used; `why` is what couldn't be read."""
    reader = await ctx.readers.of(interaction)
    note = "" if why is None else reader.say(why)
    panel = await settings_panel(ctx, interaction.user.id, reader, note)
    await (respond_privately if interaction.message is None else edit_in_place)(interaction, panel)


# --- panels of earlier versions ---------------------------------------------------------------------------


@on("ping_set")
async def ping_set(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Take the choice of a menu. One that no longer exists changes nothing."""
    picked = call.values[0] if call.values else ""
    await change_settings(ctx, interaction.user.id, lambda chosen: with_choice(chosen, call.arg, picked))
    await _show_again(ctx, interaction)


@on("ping_times")
async def ping_times(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Take the times of a form that was open when the bot was upgraded."""
    text, zone = (*call.values, "", "")[:2]
    given = {"quiet": text} if call.arg == "quiet" else {"digests": text}
    await _show_again(ctx, interaction, await take_typed(ctx, interaction.user.id, zone=zone, **given))
