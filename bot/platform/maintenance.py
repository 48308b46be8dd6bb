"""The planned pause of the bot: kept with its own notes in the store, so that it survives a restart.

Other processes on the same database hear of it as of any changed settings. It expires on its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.platform.reader_settings import Preferences
from matches.ports import Clock

MAX_AHEAD: Final = timedelta(days=30)
"""Longest time before planned maintenance at which it can be announced."""
MAX_MINUTES: Final = 24 * 60
_KEY: Final = "maintenance"


@dataclass(frozen=True, slots=True)
class Pause:
    """When the bot will be away, and for about how many minutes."""

    at: datetime
    minutes: int


class Maintenance:
    """Announces a pause, and withdraws it."""

    def __init__(self, preferences: Preferences, clock: Clock) -> None:
        self._preferences = preferences
        self._clock = clock

    async def plan(self, pause: Pause) -> None:
        """Announce a pause, in place of an earlier one. Raises ValueError for one that isn't ahead."""
        if (
            not timedelta() < pause.at - self._clock.now() <= MAX_AHEAD
            or not 0 < pause.minutes <= MAX_MINUTES
        ):
            raise ValueError("a pause lies ahead, and ends")
        known = await self._preferences.get("guild", 0)
        noted = [int(pause.at.timestamp()), pause.minutes]
        await self._preferences.save("guild", 0, {**known, _KEY: noted})

    async def withdraw(self) -> bool:
        """Withdraw the announcement; return whether there was one."""
        was = await self.current() is not None
        known = await self._preferences.get("guild", 0)
        if known.pop(_KEY, None) is not None:
            await self._preferences.save("guild", 0, known)
        return was

    async def current(self) -> Pause | None:
        """Return the pause that is planned or going on; None if there is none, or it is over."""
        noted = (await self._preferences.get("guild", 0)).get(_KEY)
        if noted is None:
            return None
        pause = Pause(datetime.fromtimestamp(noted[0], UTC), noted[1])
        return pause if self._clock.now() < pause.at + timedelta(minutes=pause.minutes) else None


def read_time(typed: str) -> datetime | None:
    """Return the time that a text such as 2026-11-27 14:00 means, in UTC unless it has an offset, or None."""
    try:
        time = datetime.fromisoformat(typed.strip())
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
