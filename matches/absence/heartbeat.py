"""Measure when people couldn't play, so that nobody's clock pays for it.

While people can play, the bot beats every few seconds; that is recorded only where a clock may run. A longer
silence between two beats was a downtime of the bot, of Discord or of the machine, or its clock was set ahead:
none of that is time that anyone has used. Where the clock was set back, time stands until it has caught up.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from matches.core import Core
from matches.spans import Span

log = logging.getLogger(__name__)

SILENCE: Final = timedelta(seconds=60)
"""A longer time between two beats is a downtime; beats come every few seconds."""


class Heartbeat:
    """Records beats, and the downtimes between them."""

    def __init__(self, core: Core, silence: timedelta) -> None:
        """Count a time longer than `silence` between two beats as a downtime."""
        self._core = core
        self._silence = silence
        self._last: datetime | None = None
        """The last beat of this process, recorded or not."""
        self._away: frozenset[int] | None = None
        """The servers that Discord couldn't reach then; None until this process has beaten."""

    async def note_away(self, away: Collection[int]) -> None:
        """Record which servers Discord can't reach, so that nobody can play there. Call it before `beat`."""
        if self._away == frozenset(away):
            return
        now = self._core.now()
        if await self._core.store.note_outages(away, self._last or now, now):
            self._core.timekeeper.forget()
        self._away = frozenset(away)

    def look_again(self) -> None:
        """Read outages and downtimes anew: another process has recorded some, or may have."""
        self._core.timekeeper.forget()

    async def beat(self, away: Collection[int] | None = ()) -> Span | None:
        """Record that people can play; return the downtime that has just ended, if there was one.

        `away` are the servers that Discord can't reach; None if `note_away` was called with them. Call it
        before anything that judges clocks.
        """
        if away is not None:
            await self.note_away(away)
        now, last = self._core.now(), self._last
        before = await self._core.store.beat(now)
        self._last = now
        if before is not None and last is not None:
            before = max(before, last)  # while no clock could run nothing was recorded
        if before is None or now - before <= self._silence:
            return None
        downtime = Span(before, now)
        await self._core.store.add_downtime(downtime)
        self._core.timekeeper.forget()
        log.warning(
            "a downtime is given back to all clocks",
            extra={"since": before.isoformat(), "seconds": (now - before).total_seconds()},
        )
        return downtime
