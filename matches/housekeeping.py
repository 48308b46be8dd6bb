"""Do what is due: lobbies, matches that nobody moves in, plans and computers that a crash interrupted."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

from matches import outbox_drafts as drafts
from matches.absence.idle import Idle
from matches.core import Core
from matches.outbox.queue import Draft
from matches.plans.planning import Plans
from matches.play.computers import Computers
from matches.results import Lobby, Played
from matches.store.rows import Commit

log = logging.getLogger(__name__)

_NO_LIMIT = 1_000_000


class Housekeeping:
    """The periodic work for all matches."""

    def __init__(
        self, core: Core, plans: Plans, computers: Computers, idle: Idle, *, remind_before: timedelta
    ) -> None:
        """Take the parts it uses; people are reminded of a lobby `remind_before` it expires."""
        self._core = core
        self._plans = plans
        self._computers = computers
        self._idle = idle
        self._remind_before = remind_before

    async def tick(self, *, computers: bool = True) -> tuple[Lobby | Played, ...]:
        """Do what is due, and return what has changed. Without `computers`, these are left to others.

        Call it every minute or so, and once at the start. An error in one match is logged and tried again
        with the next tick; the others are not affected.
        """
        done: list[Lobby | Played] = []
        now = self._core.now()
        for row in await self._core.store.expiring(now + self._remind_before, _NO_LIMIT):
            if not row.lobby.reminded or (row.lobby.expires is not None and row.lobby.expires <= now):
                done += await _supervised(row.id, self._lobby_due)
        for match_id in await self._idle.due():
            done += await _supervised(match_id, self._idle_due)
        for match_id in await self._plans.waiting():
            done += await _supervised(match_id, self._plans.run)
        for match_id in await self._computers.waiting() if computers else ():
            done += await _supervised(match_id, self._computers.run)
        return tuple(done)

    async def _idle_due(self, match_id: str) -> tuple[Lobby, ...]:
        return tuple(Lobby(row) for row in await self._idle.look_after(match_id))

    async def _lobby_due(self, match_id: str) -> tuple[Lobby, ...]:
        """Send a lobby's reminder, or expire the lobby: never without a reminder, even after a downtime."""
        async with self._core.locks.hold(match_id):
            row, now = await self._core.store.match(match_id), self._core.now()
            if row is None or row.status != "lobby" or row.lobby.expires is None:
                return ()
            outbox: tuple[Draft, ...]
            if not row.lobby.reminded and row.lobby.expires - self._remind_before <= now:
                expires = max(row.lobby.expires, now + self._remind_before)
                after = replace(row, lobby=replace(row.lobby, reminded=True, expires=expires))
                moved = after.lobby.expires != row.lobby.expires  # after a downtime
                outbox = (*(drafts.lobby(after) if moved else ()), drafts.reminder(row))
            elif row.lobby.reminded and row.lobby.expires <= now:
                after = replace(row, status="expired", lobby=replace(row.lobby, expires=None))
                outbox = drafts.lobby(row)
            else:
                return ()
            after = replace(after, revision=row.revision + 1, updated=now)
            await self._core.store.commit(Commit(after, now, (), outbox))
            return (Lobby(after),)


async def _supervised(
    match_id: str, task: Callable[[str], Awaitable[tuple[Lobby | Played, ...]]]
) -> tuple[Lobby | Played, ...]:
    """Return what a task has changed; if it fails, log the error and return nothing."""
    try:
        return await task(match_id)
    except Exception:
        log.exception("housekeeping of match %s failed", match_id)
        return ()
