"""How often one person may ask for what costs much: token buckets in memory, by the injected clock.

A bucket holds some tokens at first and gets one back after each interval. A restart fills all of them. The
buckets that weren't used for longest are forgotten, which fills them, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple, TypeAlias

import discord
from cachetools import LRUCache

from games.engine.message import Msg, msg
from matches.ports import Clock

Costly: TypeAlias = Literal["film", "analysis", "hint", "import", "export", "position", "proof", "archive"]
MAX_BUCKETS: Final = 4096
"""Maximum number of buckets in memory, over all people and kinds."""


class Rate(NamedTuple):
    """How many requests come at once at most, and after what time there is one more."""

    burst: int
    interval: timedelta


RATES: Final[Mapping[Costly, Rate]] = {
    "film": Rate(6, timedelta(minutes=2)),
    "analysis": Rate(12, timedelta(minutes=5)),
    "hint": Rate(60, timedelta(seconds=30)),
    "import": Rate(20, timedelta(minutes=1)),
    "export": Rate(20, timedelta(seconds=30)),
    "position": Rate(20, timedelta(seconds=30)),
    "proof": Rate(10, timedelta(minutes=1)),
    "archive": Rate(2, timedelta(minutes=10)),
}
"""More than people need in an evening, and less than would slow down everyone else."""


class Throttle:
    """Counts the requests of people."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._full_at: LRUCache[tuple[Costly, int], datetime] = LRUCache(MAX_BUCKETS)
        """When each bucket that isn't full will be, if it isn't used before."""

    def refuse(self, what: Costly, user: int) -> Msg | None:
        """Count a request of a person; return when they may ask again if it is one too many.

        One that is refused costs nothing.
        """
        rate, now, key = RATES[what], self._clock.now(), (what, user)
        full_at = max(self._full_at.get(key, now), now)
        allowed = full_at - rate.interval * (rate.burst - 1)
        if allowed > now:
            return msg(f"bot.throttle.{what}", when=discord.utils.format_dt(allowed, "t"))
        self._full_at[key] = full_at + rate.interval
        return None
