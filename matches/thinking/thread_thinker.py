"""Think in threads of this process: for tests, and where worker processes are switched off.

A thread takes the interpreter from everyone else, so that few of them think at a time, and not for long.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import Final, ParamSpec, TypeVar

from games.ai.appraisal import Appraisal
from games.ai.players_by_level import Levels
from matches.long_work import in_thread
from matches.thinking.jobs import AppraisalJob, BusyError, DecidedTurn, Job
from matches.thinking.questions import answer_question
from matches.thinking.turns import DroppedError, Patience, play_turns

P = ParamSpec("P")
T = TypeVar("T")
SECONDS: Final = 0.5
"""Maximum number of seconds for which a thread searches for one decision."""
_SIDE_BY_SIDE: Final = 2
"""Maximum number of threads that think for computers at a time; one more may think about questions."""
_MAX_QUESTIONS: Final = 10
"""Maximum number of questions, with the one that is worked on."""


class ThreadThinker:
    """Thinks in threads. A thread can't be killed: a dropped job goes on to the end of its decision."""

    def __init__(self, levels: Levels) -> None:
        """`levels` has the computer players of each game."""
        self._levels = levels
        self._slots = asyncio.Semaphore(_SIDE_BY_SIDE)
        self._question = asyncio.Semaphore(1)
        self._questions = 0
        """Number of questions that wait or are worked on."""
        self._dropped: dict[str, set[Event]] = {}

    async def think(self, job: Job, *, safely: bool = False) -> tuple[DecidedTurn, ...] | None:
        """Return the turns of a job; `safely` with players that take no thought."""
        with self._job(job.match.id) as dropped:
            async with self._slots:
                patience = Patience.of(dropped.is_set, decision=SECONDS)
                return await _unless(dropped, play_turns, job, self._levels, patience, safely=safely)

    async def appraise(self, job: AppraisalJob) -> Appraisal | None:
        """Return the answer to a question, after a short thought. Raises BusyError when too many wait."""
        if self._questions >= _MAX_QUESTIONS:
            raise BusyError
        self._questions += 1
        try:
            with self._job(job.key) as dropped:
                async with self._question:
                    patience = Patience.of(dropped.is_set, seconds=job.total_seconds, decision=SECONDS)
                    return await _unless(dropped, answer_question, job, self._levels, patience)
        finally:
            self._questions -= 1

    @contextmanager
    def _job(self, key: str) -> Iterator[Event]:
        """Keep note of a job while it lasts. The event means that its result is no longer wanted."""
        dropped = Event()
        jobs = self._dropped.setdefault(key, set())
        jobs.add(dropped)
        try:
            yield dropped
        finally:
            dropped.set()  # if the one who asked has gone
            jobs.discard(dropped)
            if not jobs:
                self._dropped.pop(key, None)

    def drop(self, key: str) -> None:
        """Give up all jobs of a match, or all questions with a key."""
        for dropped in self._dropped.get(key, ()):
            dropped.set()

    async def close(self) -> None:
        """Give up all jobs."""
        for key in tuple(self._dropped):
            self.drop(key)


async def _unless(dropped: Event, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """Return the result of work in a thread; None if it is dropped before its end."""
    if dropped.is_set():
        return None
    try:
        return await in_thread(work, *args, **kwargs)
    except DroppedError:
        return None
