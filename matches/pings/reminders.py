"""Decide when to remind someone of their turn: by the time that their clock has left, or at intervals.

Pure functions, as in `decision`; reminders keep quiet hours, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from matches.pings.decision import loud
from matches.pings.settings import PingSettings

_ZERO: Final = timedelta()
_OFTEN_FOR: Final = timedelta(days=14)
"""How long someone is reminded of one turn every few hours. Threads, too, are left asleep after that."""
_FIRST, _WEEK, _SELDOM_FOR = timedelta(days=3), timedelta(days=7), timedelta(days=90)
"""When someone is first reminded in a match without a clock, how often after that, and for how long."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """When to remind, None for not now; and at how much time left to think of it next, zero for never."""

    at: datetime | None
    then: timedelta


def remind(
    settings: PingSettings, now: datetime, *, notified: datetime, deadline: datetime, upto: timedelta
) -> Reminder:
    """Return whether a turn with a deadline needs a reminder now.

    `notified` is when its person was last notified. `upto` is the time left of which the last reminder was
    thought: those with more were dealt with. Of several that were missed, in a downtime, one is sent. None
    comes soon after its person was notified: within a quarter of the time left of which it would remind.
    """
    if settings.style == "none":
        return Reminder(None, _ZERO)
    spans = [timedelta(hours=hours) for hours in settings.reminders]
    spans = [span for span in spans if span <= upto]
    then = max((span for span in spans if deadline - span > now), default=_ZERO)
    missed = [span for span in spans if notified + span / 4 <= deadline - span <= now]
    at = loud(settings, now) if missed else None
    return Reminder(at if at is not None and at < deadline else None, then)


def next_interval(settings: PingSettings, began: datetime, now: datetime) -> datetime | None:
    """Return when to remind someone next who is to move since `began`; None for never.

    That is every few hours for those who want it, and otherwise after three days, then weekly: it is for
    matches without a clock, which would fall asleep. Nobody is reminded of one turn for ever.
    """
    if settings.style in ("none", "digest"):
        return None
    if now - began >= reminded_for(settings):
        return None
    if settings.interval:
        return now + timedelta(hours=settings.interval)
    return began + _FIRST if now - began < _FIRST else now + _WEEK


def reminded_for(settings: PingSettings) -> timedelta:
    """Return how long after a turn began someone is reminded of it without a deadline."""
    if settings.interval:
        return _OFTEN_FOR
    return _SELDOM_FOR if settings.reminders else _ZERO
