"""Think in threads of this process: for tests, and where worker processes are switched off.

A thread takes the interpreter from everyone else, so that few of them think at a time, and not for long.
"""

from __future__ import annotations

import asyncio
from threading import Event
from typing import Final

from games.ai.levels import Levels
from games.engine.match import Change
from matches.thinking.ports import Job
from matches.thinking.turns import DroppedError, Patience, play_turns

SECONDS: Final = 0.5
"""Maximum number of seconds for which a thread searches for one decision."""
_SIDE_BY_SIDE: Final = 2
"""Maximum number of threads that think at a time."""


class ThreadThinker:
    """Thinks in threads. A thread can't be killed: a dropped job goes on to the end of its decision."""

    def __init__(self, levels: Levels) -> None:
        """`levels` has the computer players of each game."""
        self._levels = levels
        self._slots = asyncio.Semaphore(_SIDE_BY_SIDE)
        self._dropped: dict[str, set[Event]] = {}

    async def think(self, job: Job, *, safely: bool = False) -> tuple[Change, ...] | None:
        """Return the turns of a job; `safely` with players that take no thought."""
        dropped = Event()
        jobs = self._dropped.setdefault(job.match.id, set())
        jobs.add(dropped)
        try:
            async with self._slots:
                if dropped.is_set():
                    return None
                patience = Patience.of(dropped.is_set, decision=SECONDS)
                return await asyncio.to_thread(play_turns, job, self._levels, patience, safely=safely)
        except DroppedError:
            return None
        finally:
            dropped.set()  # if the one who asked has gone
            jobs.discard(dropped)
            if not jobs:
                self._dropped.pop(job.match.id, None)

    def drop(self, match_id: str) -> None:
        """Give up all jobs of a match."""
        for dropped in self._dropped.get(match_id, ()):
            dropped.set()

    async def close(self) -> None:
        """Give up all jobs."""
        for match_id in tuple(self._dropped):
            self.drop(match_id)
