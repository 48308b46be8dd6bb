"""Decide whether to ping someone: now, later, in their next digest, or not at all. Pure functions.

`reminders` decides about later ones. Quiet hours are kept always, also by digests. A digest that would come
after the deadline is no help, so that turn is pinged as for those who want every ping.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final

from matches.clocks.hours import PlayingHours
from matches.outbox.messages import PingReason
from matches.pings.settings import PingSettings

MORNING: Final = time(8)
"""When a ping comes that was put off until tomorrow morning."""
_NIGHT_ENDS: Final = 4
"""Before this hour, tomorrow morning is that of the same day."""


@dataclass(frozen=True, slots=True)
class Ping:
    """Ping at `at`, which is now or later; with `digest` in the digest of that time."""

    at: datetime
    digest: bool = False


def decide(
    settings: PingSettings,
    reason: PingReason,
    now: datetime,
    *,
    unseen: bool = False,
    deadline: datetime | None = None,
) -> Ping | None:
    """Return when to ping someone for the first time for a reason, and None for never.

    `unseen` means that they haven't looked since the last ping in the match.
    """
    if settings.style == "none" or (settings.style == "looked" and unseen):
        return None
    if (reason == "next" and not settings.next_up) or (reason == "alone" and not settings.alone):
        return None
    if settings.style == "digest":
        if reason in ("next", "alone"):
            return None
        at = loud(settings, next_digest(settings, now))
        if deadline is None or at < deadline:
            return Ping(at, digest=True)
    return Ping(loud(settings, now))


def loud(settings: PingSettings, at: datetime) -> datetime:
    """Return `at`, or the end of the quiet hours in which it lies."""
    if settings.quiet is None:
        return at
    hours = PlayingHours(settings.zone, settings.quiet.end, settings.quiet.start)
    return max(at, next(hours.windows(at)).start)


def next_digest(settings: PingSettings, after: datetime) -> datetime:
    """Return the first digest later than `after`."""
    return next(at for at in _times_of_day(settings, after, settings.digests) if at > after)


def tomorrow_morning(settings: PingSettings, now: datetime) -> datetime:
    """Return eight o'clock of the next day, of the same day in the small hours."""
    local = now.astimezone(settings.zone)
    day = local.date() if local.hour < _NIGHT_ENDS else local.date() + timedelta(days=1)
    return loud(settings, datetime.combine(day, MORNING, settings.zone).astimezone(UTC))


def _times_of_day(settings: PingSettings, after: datetime, times: tuple[time, ...]) -> Iterator[datetime]:
    """Yield these times of each day, in order, from a day before `after` on."""
    day = after.astimezone(settings.zone).date() - timedelta(days=1)
    while True:
        yield from sorted(datetime.combine(day, at, settings.zone).astimezone(UTC) for at in times)
        day += timedelta(days=1)
