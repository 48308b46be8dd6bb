"""Think for computers, and about questions, in worker processes; in a thread where those can't."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from bot.platform.thinkers.pool import KilledError, WorkerError, WorkerPool
from games.ai.appraisal import Appraisal
from games.ai.players_by_level import Levels
from matches.long_work import in_thread
from matches.thinking import wire
from matches.thinking.jobs import AppraisalJob, DecidedTurn, Job, NoAnswerError
from matches.thinking.thread_thinker import ThreadThinker
from matches.thinking.turns import seconds_for

log = logging.getLogger(__name__)

SLACK: Final = 5.0
"""Seconds that a worker may take beyond the end of its searches before it is killed."""
Waits = Callable[[Awaitable[Any]], Awaitable[Any]]


class ProcessThinker:
    """Thinks in worker processes. What comes back is judged again before it counts."""

    def __init__(
        self,
        levels: Levels,
        pool: WorkerPool,
        *,
        waits: Waits = lambda result: result,
    ) -> None:
        """`waits` awaits a result."""
        self._levels = levels
        self._threads = ThreadThinker(levels)
        self._pool = pool
        self._waits = waits

    async def think(self, job: Job) -> tuple[DecidedTurn, ...] | None:
        """Return the turns of a job. If workers can't do it, a thread thinks for a short time."""
        match_id = job.match.id
        data = await in_thread(wire.pack_job, job)
        seconds = seconds_for(job, self._levels) + SLACK
        try:
            found = await self._waits(self._pool.run(match_id, "turns", data, seconds))
            return None if found is None else await in_thread(wire.carry_out, job, found)
        except KilledError as error:
            log.error(
                "%s: a safe move is played, since the process that thinks %s", match_id, error, exc_info=error
            )
            return await self._threads.think(job, safely=True)
        except (WorkerError, wire.WireError) as error:
            log.error("%s: a thread thinks, since the processes can't: %s", match_id, error, exc_info=error)
            return await self._threads.think(job)

    async def appraise(self, job: AppraisalJob) -> Appraisal | None:
        """Return the answer to a question. If workers can't work, a thread thinks for a short time.

        Raises NoAnswerError when the process that thinks hangs.
        """
        data = await in_thread(wire.pack_question, job)
        try:
            run = self._pool.run(job.key, "appraise", data, job.total_seconds + SLACK, question=True)
            found = await self._waits(run)
            return None if found is None else wire.unpack_appraisal(job.game, found)
        except KilledError as error:
            log.error(
                "%s: the question stays open, since the process that thinks %s",
                job.key,
                error,
                exc_info=error,
            )
            raise NoAnswerError from error
        except (WorkerError, wire.WireError) as error:
            log.error("%s: a thread thinks, since the processes can't: %s", job.key, error, exc_info=error)
            return await self._threads.appraise(job)

    def drop(self, key: str) -> None:
        """Give up all jobs of a match, or all questions with a key."""
        self._pool.drop(key)
        self._threads.drop(key)

    async def close(self) -> None:
        """Give up all jobs, and end the workers."""
        await self._pool.close()
        await self._threads.close()
