"""Forgets people: takes them out of what they play, then out of the store.

The store notes first that it has begun, so that a process that is killed in between goes on at its next
start. From then on the person can't act (`is_running`). Their seats are left one by one, by ordinary changes
of the log; then one transaction of the store does the rest (`ErasureStore.erase`).
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Final

from games.ai.players_by_level import Levels
from matches import occupants
from matches.core import Core
from matches.lobby.lobbies import Lobbies
from matches.play.moves import Play
from matches.results import Refused
from matches.seats import SeatChange, Seats
from matches.store.erasures import Erasure
from matches.store.rows import MatchRow

CLEAN_EVERY: Final = timedelta(hours=1)
"""How long to wait after the database was cleaned: meanwhile nothing else can use it."""
_ROUNDS: Final = 12
"""How often to look for seats to leave: a study has one after the other."""
_TOKEN_BYTES: Final = 7


class Erasures:
    """People who are being forgotten."""

    def __init__(self, core: Core, lobbies: Lobbies, play: Play, seats: Seats, levels: Levels) -> None:
        """`levels` has the computer players of each game."""
        self._core = core
        self._lobbies = lobbies
        self._play = play
        self._seats = seats
        self._levels = levels
        self._running: set[int] = set()
        self._one_at_a_time = asyncio.Lock()
        self._cleaned: datetime | None = None

    def is_running(self, user: int) -> bool:
        """Return whether a person is being forgotten, so that they can't act."""
        return user in self._running

    async def load(self) -> None:
        """Find out who is being forgotten. Call it before anyone can act, and when that may have changed."""
        self._running = {one.user for one in await self._core.store.erasures()}

    async def affected(self, user: int) -> tuple[tuple[MatchRow, ...], tuple[MatchRow, ...]]:
        """Return the lobbies and the live matches that a person would be taken out of."""
        rows = await self._core.store.by_user(user, ("lobby", "live"))
        live = [row for row in rows if row.status == "live" and occupants.seat_of(row, user) is not None]
        return tuple(row for row in rows if row.status == "lobby"), tuple(live)

    async def forget(self, user: int) -> tuple[str, ...]:
        """Forget a person, and return the lobbies and matches that this has changed.

        Raises StoreError if the store fails; if it has begun by then, `resume` finishes it.
        """
        token = -1 - int.from_bytes(self._core.entropy.token(_TOKEN_BYTES), "big")
        self._running.add(user)
        try:
            erasure = await self._core.store.begin_erasure(user, token, self._core.now())
        except BaseException:
            self._running.discard(user)
            raise
        self._running.add(user)
        async with self._one_at_a_time:
            if erasure not in await self._core.store.erasures():
                return ()  # the poller was faster
            return await self._finish(erasure)

    async def resume(self) -> tuple[int, ...]:
        """Finish what has begun, and return the people who are forgotten now. Raises StoreError."""
        async with self._one_at_a_time:
            waiting = await self._core.store.erasures()
            for each in waiting:
                await self._finish(each)
        return tuple(each.user for each in waiting)

    async def clean_up(self) -> None:
        """Clean the database after people who were forgotten, at most once in CLEAN_EVERY."""
        now = self._core.now()
        if self._cleaned is not None and now - self._cleaned < CLEAN_EVERY:
            return
        if await self._core.store.clean_up(now):
            self._cleaned = now

    async def _finish(self, erasure: Erasure) -> tuple[str, ...]:
        user, store, touched = erasure.user, self._core.store, dict[str, None]()
        for attempt in range(_ROUNDS):
            lobbies, live = await self.affected(user)
            left = [
                await self._lobbies.leave_or_close(
                    row.id, erasure.user, request=f"erase:{erasure.token}:{row.id}:{attempt}"
                )
                for row in lobbies
            ]
            left += [await self._leave(row, erasure, attempt) for row in live]
            touched |= dict.fromkeys(row.id for row in (*lobbies, *live))
            # A match may not let go of its seat, such as one that a moderator has paused.
            stuck = attempt == _ROUNDS - 1 or not any(left)
            if await store.erase(user, self._core.now(), even_playing=stuck):
                break
        self._running.discard(user)
        return tuple(touched)

    async def _leave(self, row: MatchRow, erasure: Erasure, attempt: int) -> bool:
        """Let a computer play on for the person where two others or more still play; else resign."""
        seat, request = occupants.seat_of(row, erasure.user), f"erase:{erasure.token}:{row.id}:{attempt}"
        loaded = await self._core.load(row.id)
        if seat is None or isinstance(loaded, Refused):
            return False
        others = [one for one in loaded.match.playing if row.seats[one].occupant == "person" and one != seat]
        if len(others) > 1:
            names = self._levels.names(row.game)
            level = names[len(names) // 2]
            changed = await self._seats.replace(
                row.id, seat, level, request=request, why="computer", by=erasure.user, returns=False
            )
            if isinstance(changed, SeatChange):
                return True
        done = await self._play.resign(row.id, erasure.user, request=f"{request}:resign")
        return not isinstance(done, Refused)
