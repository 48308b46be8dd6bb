"""The clock of a lobby: its lines in the lobby's message, the host's panel, and the panel's forms."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from typing import Final, get_args

import discord

from bot.messages.buttons import STYLE
from bot.messages.components import Call, CallButton, CallForm, CallMenu, FormField
from bot.messages.outgoing import Outgoing
from bot.platform.discord_limits import MAX_CHOICE
from bot.platform.reader_settings import Reader
from games.engine.message import Msg, msg
from matches.clocks import typed, words
from matches.clocks.control import PRESETS, Acts, Follows, TimeControl, from_json
from matches.clocks.fold import first_due
from matches.clocks.hours import PlayingHours
from matches.store.rows import MatchRow

OWN: Final = "own"
"""The menu value of a clock that is no preset: it is kept."""

_LOOK_AHEAD: Final = 8
"""How many of the next playing hours are looked at for some that no change of the offset cuts."""


def agreed_clock(row: MatchRow) -> TimeControl | None:
    """Return the clock that a match is to be played with; None if with none."""
    return None if row.conditions.clock is None else from_json(row.conditions.clock)


def clock_lines(row: MatchRow, reader: Reader) -> list[str]:
    """Return the lines of a lobby's message about the clock; after the lobby one line at most."""
    say, clock = reader.say, agreed_clock(row)
    if clock is None:
        return ["-# " + say(msg("bot.lobby_clock.none"))] if row.status == "lobby" else []
    line = say(msg("bot.lobby_clock.is", clock=words.clock_words(clock)))
    if row.status != "lobby":
        return [line]
    rules = f"-# {say(words.time_up_words(clock))} {say(words.vacation_words(clock))}"
    return [line, rules, *_small_print(row, clock, reader)]


def clock_news(row: MatchRow, users: Sequence[int], reader: Reader) -> Outgoing | None:
    """Return the notice to people that the clock has changed since they sat down.

    None if none of them has a seat any longer, or the lobby has closed.
    """
    ping = tuple(seat.user for seat in row.seats if seat.occupant == "person" and seat.user in users)
    if not ping or row.status not in ("lobby", "live"):
        return None
    who = tuple(f"<@{user}>" for user in ping)
    text = reader.say(msg("bot.lobby_clock.changed", who=who, match=row.id))
    if row.status == "lobby":
        text += " " + reader.say(msg("bot.lobby_clock.leave"))
    return Outgoing("\n".join((text, *clock_lines(row, reader))), ping=tuple(filter(None, ping)))


def _small_print(row: MatchRow, clock: TimeControl | None, reader: Reader) -> list[str]:
    """Return when a first move would be due, the playing hours, and that nobody waits with computers only.

    That example begins when the lobby was last changed, so that its message is the same until it is edited.
    """
    parts = []
    if clock is not None:
        parts += example_words(clock, row.updated)
        if clock.hours is not None:
            parts.append(_hours_line(clock.hours, row.updated))
    if _alone(row):
        parts.append(msg("bot.lobby_clock.alone"))
    return ["-# " + reader.say(each) for each in parts]


def example_words(clock: TimeControl, now: datetime) -> list[Msg]:
    """Return when the first move of a match that begins now is due; nothing if no end is in sight."""
    if (due := first_due(clock, now)) is None:
        return []
    starts, ends = (discord.utils.format_dt(each, "F") for each in (now, due))
    return [msg("bot.lobby_clock.example", starts=starts, due=ends)]


def _hours_line(hours: PlayingHours, now: datetime) -> Msg:
    """Return playing hours in their time zone, and as time stamps, which each reader sees in their own."""
    coming = islice(hours.windows(now), _LOOK_AHEAD)
    whole = (each for each in coming if each.start >= now and each.end - each.start == hours.length)
    span = None if hours.opens == hours.closes else next(whole, None)
    if span is None:
        return msg("bot.lobby_clock.hours", hours=words.hours_words(hours))
    opens, closes = (discord.utils.format_dt(each, "t") for each in (span.start, span.end))
    return msg("bot.lobby_clock.hours_here", hours=words.hours_words(hours), opens=opens, closes=closes)


def _alone(row: MatchRow) -> bool:
    """Return whether one person is going to play against computers only."""
    taken = [seat.occupant for seat in row.seats]
    return taken.count("computer") == len(taken) - 1 and "person" in taken


def clock_panel(row: MatchRow, reader: Reader) -> Outgoing:
    """Return the host's panel: menus for the time and what happens when it is up, buttons for two forms."""
    say, clock = reader.say, agreed_clock(row)
    lines = [say(msg("bot.lobby_clock.title", match=row.id))]
    items: list[CallButton | CallMenu] = [_presets(row, clock, reader)]
    buttons = [_button(row, "clock_type", "type", reader)]
    if clock is None:
        lines.append(say(msg("bot.lobby_clock.ask")))
    else:
        lines.append(say(msg("bot.lobby_clock.is", clock=words.clock_words(clock))))
        items += [
            _menu(row, "acts", get_args(Acts), clock.acts, reader),
            _menu(row, "follows", get_args(Follows), clock.follows, reader),
            _menu(row, "vacations", ("yes", "no"), "yes" if clock.vacations else "no", reader),
        ]
        buttons.append(_button(row, "clock_hours", "hours", reader))
        if clock.hours is not None:
            buttons.append(_button(row, "clock_all_day", "all_day", reader))
    lines += _small_print(row, clock, reader)
    buttons.append(_button(row, "clock_done", "done", reader, STYLE.primary))
    return Outgoing("\n".join(lines), (), (*items, *buttons))


def _presets(row: MatchRow, clock: TimeControl | None, reader: Reader) -> CallMenu:
    """Return the menu of presets, with the current clock if it is none of them."""
    say, now = reader.say, words.preset_of(clock)
    listed = [
        discord.SelectOption(
            label=say(words.preset_words(name))[:MAX_CHOICE], value=name, default=name == now
        )
        for name in PRESETS
    ]
    if now is None:
        own = say(msg("bot.lobby_clock.pick.own", clock=words.clock_words(clock)))
        listed.append(discord.SelectOption(label=own[:MAX_CHOICE], value=OWN, default=True))
    return CallMenu.make(Call("clock_preset", row.id, -1), listed, say(msg("bot.lobby_clock.pick.preset")))


def _menu(row: MatchRow, what: str, choices: tuple[str, ...], now: str, reader: Reader) -> CallMenu:
    """Return a menu about one part of the clock."""
    listed = [
        discord.SelectOption(
            label=reader.say(msg(f"bot.lobby_clock.{what}.{each}"))[:MAX_CHOICE],
            value=each,
            default=each == now,
        )
        for each in choices
    ]
    ask = reader.say(msg(f"bot.lobby_clock.pick.{what}"))
    return CallMenu.make(Call("clock_part", row.id, -1, what), listed, ask)


def _button(
    row: MatchRow, verb: str, label: str, reader: Reader, style: STYLE = STYLE.secondary
) -> CallButton:
    text = reader.say(msg(f"bot.lobby_clock.button.{label}"))
    return CallButton.make(Call(verb, row.id, -1), text, style)


def clock_form(row: MatchRow, reader: Reader) -> CallForm:
    """Return the form for a clock of one's own, with the current one in it."""
    say, clock = reader.say, agreed_clock(row)
    return CallForm(
        Call("clock_typed", row.id, -1),
        say(msg("bot.lobby_clock.form.clock_title", match=row.id)),
        FormField(
            "clock",
            say(msg("bot.lobby_clock.form.clock")),
            "24h + 12h max 5d",
            "" if clock is None else typed.format_clock(clock),
            say(msg("bot.lobby_clock.form.clock_help")),
        ),
    )


def hours_form(row: MatchRow, reader: Reader) -> CallForm:
    """Return the form for playing hours, with the current ones in it."""
    clock = agreed_clock(row)
    hours = None if clock is None else clock.hours
    values = ("", "", "", "")
    if hours is not None:
        days = reader.say(words.days_words(hours.days))
        values = (hours.opens.isoformat("minutes"), hours.closes.isoformat("minutes"), days, hours.zone.key)
    examples = ("9:00", "22:00", "Mon-Fri", "Europe/London")
    helps = ("", "", "", reader.say(msg("bot.lobby_clock.form.zone_help")))
    fields = [
        FormField(key, reader.say(msg(f"bot.lobby_clock.form.{key}")), example, value, help_, key == "zone")
        for key, example, value, help_ in zip(HOURS_FIELDS, examples, values, helps, strict=True)
    ]
    title = reader.say(msg("bot.lobby_clock.form.hours_title", match=row.id))
    return CallForm(Call("clock_hours_typed", row.id, -1), title, *fields)


HOURS_FIELDS: Final = ("opens", "closes", "days", "zone")
"""The inputs of the form for playing hours, in order."""
