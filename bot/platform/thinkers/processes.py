"""Think for computers in worker processes, and in a thread where those can't."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from bot.platform.thinkers.pool import KilledError, WorkerError, WorkerPool
from games.ai.levels import Levels
from games.engine.match import Change
from matches.thinking import wire
from matches.thinking.ports import Job
from matches.thinking.threads import ThreadThinker

log = logging.getLogger(__name__)

DEADLINE: Final = 60.0
"""Seconds after which a worker is killed: three times as long as searches may take."""
Waits = Callable[[Awaitable[Any]], Awaitable[Any]]


class ProcessThinker:
    """Thinks in worker processes. What comes back is judged again before it counts."""

    def __init__(
        self,
        levels: Levels,
        pool: WorkerPool,
        *,
        waits: Waits = lambda result: result,
        seconds: float = DEADLINE,
    ) -> None:
        """`waits` awaits a result; `seconds` is the longest time for a job."""
        self._threads = ThreadThinker(levels)
        self._pool = pool
        self._waits = waits
        self._seconds = seconds

    async def think(self, job: Job) -> tuple[Change, ...] | None:
        """Return the turns of a job. If workers can't do it, a thread thinks for a short time."""
        match_id = job.match.id
        data = await asyncio.to_thread(wire.pack_job, job)
        try:
            found = await self._waits(self._pool.run(match_id, "turns", data, self._seconds))
            return None if found is None else await asyncio.to_thread(wire.carry_out, job, found)
        except KilledError as error:
            log.error("%s: a safe move is played, since the process that thinks %s", match_id, error)
            return await self._threads.think(job, safely=True)
        except (WorkerError, wire.WireError) as error:
            log.error("%s: a thread thinks, since the processes can't: %s", match_id, error)
            return await self._threads.think(job)

    def drop(self, match_id: str) -> None:
        """Give up all jobs of a match."""
        self._pool.drop(match_id)
        self._threads.drop(match_id)

    async def close(self) -> None:
        """Give up all jobs, and end the workers."""
        await self._pool.close()
        await self._threads.close()
