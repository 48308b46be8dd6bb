"""Clocks in words, as messages of the catalogue."""

from __future__ import annotations

from datetime import time, timedelta
from typing import Final

from games.engine.message import Msg, Value, msg
from matches.clocks.control import MAX_BANK, PRESETS, TimeControl
from matches.clocks.hours import PlayingHours
from matches.clocks.quantities import units
from matches.clocks.zones import NoZone

_NAMES: Final = {86_400: "days", 3_600: "hours", 60: "minutes", 1: "seconds"}


def clock_words(clock: TimeControl | None) -> Msg:
    """Return the time of a clock in words, such as "24 hours and 12 hours more each move"."""
    if clock is None:
        return msg("time_control.none")
    bank, more, cap = map(span_words, (clock.bank, clock.increment, clock.cap))
    if clock.bank == clock.increment == clock.cap:
        return msg("time_control.each", time=bank)
    if not clock.increment:
        return msg("time_control.whole", time=bank)
    if clock.cap == MAX_BANK:
        return msg("time_control.bank", time=bank, more=more)
    return msg("time_control.capped", time=bank, more=more, cap=cap)


def span_words(span: timedelta) -> Msg:
    """Return a time in words, in whole seconds, such as "1 hour 30 minutes"."""
    *first, last = [msg(f"match.time.{_NAMES[size]}", n=n) for n, size in units(span) or ((0, 1),)]
    for part in reversed(first):
        last = msg("match.time.both", larger=part, smaller=last)
    return last


def preset_words(name: str) -> Msg:
    """Return the label of a preset, such as "relaxed: 3 days a move"."""
    return msg(f"time_control.preset.{name}")


def preset_of(clock: TimeControl | None) -> str | None:
    """Return the name of the preset that gives the same time as a clock; None if none does."""
    return next((name for name, preset in PRESETS.items() if _time(preset) == _time(clock)), None)


def time_up_words(clock: TimeControl) -> Msg:
    """Return what happens when time is up, as a sentence."""
    return msg(f"time_control.time_up.{clock.acts}.{clock.follows}")


def vacation_words(clock: TimeControl) -> Msg:
    """Return whether vacations stop the clock, as a sentence."""
    return msg(f"time_control.vacations.{'yes' if clock.vacations else 'no'}")


def hours_words(hours: PlayingHours) -> Msg:
    """Return playing hours in words, on the wall of their zone."""
    days = days_words(hours.days)
    if hours.opens == hours.closes:
        return msg("time_control.hours.all_day", days=days, zone=hours.zone.key)
    opens, closes = (_wall(each) for each in (hours.opens, hours.closes))
    return msg("time_control.hours.between", days=days, opens=opens, closes=closes, zone=hours.zone.key)


def no_zone_words(found: NoZone) -> Msg:
    """Return why a text names no time zone, with near names."""
    if not found.near:
        return msg("time_control.refuse.zone")
    key = "offset" if found.offset else "near"
    near = tuple(f"`{name}`" for name in found.near)
    return msg(f"time_control.refuse.zone_{key}", n=len(near), zones=near)


def days_words(days: frozenset[int]) -> Msg:
    """Return days of the week in words; three or more in a row as a range. 0 is Monday."""
    if len(days) == 7:
        return msg("time_control.day.every")
    parts: list[Value] = []
    for first in sorted(day for day in days if (day - 1) % 7 not in days):
        run = [(first + n) % 7 for n in range(7) if all((first + m) % 7 in days for m in range(n + 1))]
        named = [msg(f"time_control.day.{day}") for day in run]
        parts += [msg("time_control.day.range", first=named[0], last=named[-1])] if len(run) > 2 else named
    return msg("time_control.day.list", days=tuple(parts))


def _time(clock: TimeControl | None) -> tuple[timedelta, ...] | None:
    return None if clock is None else (clock.bank, clock.increment, clock.cap)


def _wall(at: time) -> str:
    return at.isoformat("minutes")
