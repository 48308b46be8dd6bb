"""Clocks in words: what was agreed on, deadlines, what is left, and why a clock has stopped.

Moments are Discord's time stamps, which each reader's app shows in their own time zone and keeps up to date,
so that no message is edited because time has passed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import discord

from bot.messages.names import seat_names
from bot.platform.reader_settings import Reader
from games.engine import message
from games.engine.message import Msg, Who, msg
from games.engine.scene import Badge, Panel, Scene
from matches.clocks import words
from matches.clocks.control import TimeControl
from matches.clocks.timekeeper import ClockFace
from matches.spans import END_OF_TIME, Span
from matches.store.rows import MatchRow

_UNITS = (
    (timedelta(days=1), "days", timedelta(minutes=1)),
    (timedelta(hours=1), "hours", timedelta(minutes=1)),
    (timedelta(minutes=1), "minutes", timedelta(seconds=5)),
)
"""The units of what is left, and how much of a unit may be missing."""
_SAME = timedelta(minutes=1)
"""Deadlines that differ by less are shown as one."""
_MAX_SPANS = 5
"""Maximum number of downtimes, and of pauses, that are listed."""


def moment(when: datetime) -> Msg:
    """Return a moment as time stamps: the date and time, and how far away it is."""
    at, relative = discord.utils.format_dt(when, "f"), discord.utils.format_dt(when, "R")
    return msg("bot.clock.moment", at=at, relative=relative)


# --- what was agreed on -----------------------------------------------------------------------------------


def agreed_lines(control: TimeControl) -> tuple[Msg, ...]:
    """Return what was agreed on as sentences: the time, the end of it, playing hours, vacations."""
    hours = control.hours
    return (
        msg("look.clock.head", clock=words.clock_words(control)),
        words.time_up_words(control),
        *(() if hours is None else (msg("bot.lobby_clock.hours", hours=words.hours_words(hours)),)),
        words.vacation_words(control),
    )


def duration(span: timedelta) -> Msg:
    """Return a time in its two largest units, such as `2 days 3 hours`; smaller ones are dropped."""
    return message.duration(span // timedelta(seconds=1))


# --- under a board ----------------------------------------------------------------------------------------


def clock_line(row: MatchRow, face: ClockFace | None, reader: Reader) -> str:
    """Return the deadline of those who are to act, or why their clocks have stopped; empty without a clock.

    If several are to act, only the first deadline is given.
    """
    if face is None or not face.to_act:
        return ""
    return " ".join(reader.say(each, seat_names(row, reader)) for each in _sentences(face))


def _sentences(face: ClockFace) -> Iterable[Msg]:
    if face.paused:
        yield msg("bot.clock.held" if face.held else "bot.clock.paused")
        return
    if face.late:
        who, claim = _who(face.late), face.control.acts == "claim"
        yield msg("bot.clock.claimable" if claim else "bot.clock.late", n=len(who), who=who)
    if face.outage or not face.seen:
        yield msg("bot.clock.outage" if face.outage else "bot.clock.unseen")
        return
    due = deadlines(face)
    if due:
        first = min(due.values())
        who = _who(seat for seat in sorted(due) if due[seat] - first < _SAME)
        one = len(who) == len(due)
        yield (
            msg("bot.clock.deadline", when=moment(first))
            if one
            else msg("bot.clock.first", when=moment(first), who=who)
        )
    if due and face.opens is not None:
        yield msg("bot.clock.closed", when=moment(face.opens))
    away = {seat: back for seat in sorted(face.away & due.keys()) if (back := face.back(seat)) is not None}
    if away:
        yield msg("bot.clock.away", n=len(away), who=_who(away), when=moment(min(away.values())))


def deadlines(face: ClockFace) -> dict[int, datetime]:
    """Return when the time of each seat that is to act is up, for those who have some left."""
    due = {seat: face.readings[seat].deadline for seat in sorted(face.to_act) if seat not in face.late}
    return {seat: at for seat, at in due.items() if at is not None}


def _who(seats: Iterable[int]) -> tuple[Who, ...]:
    return tuple(Who(seat) for seat in seats)


# --- in pictures ------------------------------------------------------------------------------------------


def with_time_left(scene: Scene, face: ClockFace | None) -> Scene:
    """Return a scene whose panels also say what the running clocks have left now, and whose time is up."""
    if face is None:
        return scene
    panels = tuple(_with_badge(panel, face) for panel in scene.panels)
    return scene if panels == scene.panels else replace(scene, panels=panels)


def _with_badge(panel: Panel, face: ClockFace) -> Panel:
    if panel.seat not in face.to_act:
        return panel
    reading = face.readings[panel.seat]
    if panel.seat in face.late:
        badge = Badge(msg("bot.clock.badge_up"), "bad")
    elif reading.runs:
        badge = Badge(time_left(reading.left), "plain")
    else:
        return panel
    return replace(panel, badges=(*panel.badges, badge))


def time_left(left: timedelta) -> Msg:
    """Return what is left in a few characters and whole units: two of a unit or more.

    It is rounded down, but not for the moments until a board is posted: a turn that has just begun has all of
    its time, and the picture that was drawn ahead is the one that is needed.
    """
    for unit, name, moments in _UNITS:
        if (n := (left + moments) // unit) >= (1 if name == "minutes" else 2):
            return msg(f"bot.clock.badge_{name}", n=n)
    return msg("bot.clock.badge_seconds")


# --- in answer to a question ------------------------------------------------------------------------------


def clock_lines(row: MatchRow, face: ClockFace, downtimes: Sequence[Span], reader: Reader) -> list[str]:
    """Return all about the clocks of a match: what was agreed, each seat's time, pauses, downtimes."""
    lines = [*agreed_lines(face.control), *(_seat_line(face, seat) for seat in sorted(face.readings))]
    if face.pauses:
        lines.append(msg("look.clock.paused", n=len(face.pauses), spans=_spans(face.pauses)))
    if downtimes:
        lines.append(msg("look.clock.given", n=len(downtimes), spans=_spans(downtimes)))
    return [reader.say(each, seat_names(row, reader)) for each in lines]


def _seat_line(face: ClockFace, seat: int) -> Msg:
    state = _state(face, seat)
    if seat in face.late:
        return msg("look.clock.up", who=Who(seat), state=state)
    return msg("look.clock.seat", who=Who(seat), left=duration(face.readings[seat].left), state=state)


def _state(face: ClockFace, seat: int) -> Msg:
    """Return whether a clock runs, and if not, why not."""
    reading = face.readings[seat]
    if seat not in face.to_act:
        return msg("look.clock.state.waits")
    if face.paused:
        return msg("look.clock.state.paused")
    if seat in face.late:
        claim = face.control.acts == "claim"
        return msg("look.clock.state.late" if claim else "look.clock.state.late_automatic")
    if face.outage:
        return msg("look.clock.state.outage")
    if not face.seen:
        return msg("look.clock.state.unseen")
    if reading.deadline is None:
        return msg("look.clock.state.stopped")
    when = moment(reading.deadline)
    if reading.runs:
        return msg("look.clock.state.runs", when=when)
    if (back := face.back(seat)) is not None:
        return msg("look.clock.state.away", until=discord.utils.format_dt(back, "f"), when=when)
    return msg("look.clock.state.closed", when=when)


def _spans(spans: Sequence[Span]) -> tuple[Msg, ...]:
    return tuple(_span(span) for span in spans[-_MAX_SPANS:])


def _span(span: Span) -> Msg:
    start = discord.utils.format_dt(span.start, "f")
    if span.end == END_OF_TIME:
        return msg("look.clock.span_open", start=start)
    return msg("look.clock.span", start=start, end=discord.utils.format_dt(span.end, "f"))
