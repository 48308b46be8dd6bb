"""A slow, literal model of when people are pinged: it looks at the clock on the wall, minute by minute."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from matches.pings.settings import PingSettings

MINUTE = timedelta(minutes=1)


def is_quiet(settings: PingSettings, at: datetime) -> bool:
    """Whether the clock on the wall shows a quiet time."""
    if settings.quiet is None:
        return False
    wall = at.astimezone(settings.zone).time()
    start, end = settings.quiet.start, settings.quiet.end
    return start <= wall < end if start < end else wall >= start or wall < end


def loud(settings: PingSettings, at: datetime) -> datetime:
    """The first minute from then on that isn't quiet."""
    if not is_quiet(settings, at):
        return at
    at = at.astimezone(UTC).replace(second=0, microsecond=0) + MINUTE
    while is_quiet(settings, at):
        at += MINUTE
    return at


def digest_minutes(settings: PingSettings, after: datetime, days: int = 3) -> list[datetime]:
    """The minutes at which the wall shows a time of a digest, each time once a day."""
    at = after.astimezone(UTC).replace(second=0, microsecond=0) + MINUTE
    found: dict[tuple[object, ...], datetime] = {}
    for _ in range(days * 24 * 60):
        wall = at.astimezone(settings.zone)
        shown = wall.time().replace(fold=0)
        if shown in settings.digests:
            found.setdefault((wall.date(), shown), at)
        at += MINUTE
    return list(found.values())


def ping(
    settings: PingSettings, reason: str, now: datetime, *, unseen: bool, deadline: datetime | None
) -> tuple[datetime, bool] | None:
    """When someone is pinged and whether in a digest, by the sentences of the settings."""
    wants = {
        "turn": True,
        "result": True,
        "reminder": True,
        "next": settings.next_up,
        "alone": settings.alone,
    }[reason]
    match settings.style:
        case "none":
            return None
        case "looked" if unseen:
            return None
        case "digest":
            if reason in ("next", "alone"):
                return None
            at = loud(settings, digest_minutes(settings, now)[0])
            if deadline is None or deadline > at:
                return at, True
    return (loud(settings, now), False) if wants else None


def reminded(
    settings: PingSettings, began: datetime, deadline: datetime, moments: list[datetime]
) -> list[datetime]:
    """At which moments of looking a turn that is told when it begins is reminded of."""
    due = sorted(deadline - timedelta(hours=hours) for hours in settings.reminders)
    due = [at for at in due if at - began >= (deadline - at) / 4]  # else the ping itself is enough
    found = []
    told = began
    for now in moments:
        passed = [at for at in due if at <= now and at - told >= (deadline - at) / 4]
        due = [at for at in due if at > now]
        if passed and loud(settings, now) < deadline and settings.style != "none":
            told = loud(settings, now)
            found.append(told)
    return found
