"""Jobs that wait for a worker. Those of one key are done one after the other; keys take turns."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False, slots=True)
class PoolJob:
    """Something to be done by a worker, and its result; None if it was dropped."""

    key: str
    number: int
    kind: str
    data: dict[str, Any]
    seconds: float
    result: asyncio.Future[dict[str, Any] | None]
    question: bool = False
    tries: int = 0
    late: bool = False
    """Whether its worker was killed because it took too long: another one would, too."""

    def settle(self, data: dict[str, Any] | None) -> None:
        """Return a result, None for a dropped job, unless there is one."""
        if not self.result.done():
            self.result.set_result(data)

    def fail(self, error: Exception) -> None:
        """Raise an error where the result is awaited, unless there is one."""
        if not self.result.done():
            self.result.set_exception(error)


@dataclass(slots=True)
class JobQueue:
    """Jobs by key; keys take turns."""

    keys: dict[str, deque[PoolJob]] = field(default_factory=dict)
    """In the order of their turns."""

    def __len__(self) -> int:
        return sum(map(len, self.keys.values()))

    def put(self, job: PoolJob, *, first: bool = False) -> None:
        """Add a job behind the others of its key, or before them and with the next turn."""
        if not first:
            self.keys.setdefault(job.key, deque()).append(job)
            return
        jobs = self.keys.pop(job.key, deque())
        jobs.appendleft(job)
        self.keys = {job.key: jobs, **self.keys}

    def take(self, busy: set[str]) -> PoolJob | None:
        """Remove and return the next job whose key isn't busy; the key's next turn comes last."""
        for key, jobs in self.keys.items():
            if key not in busy:
                del self.keys[key]
                job = jobs.popleft()
                if jobs:
                    self.keys[key] = jobs
                return job
        return None

    def remove(self, job: PoolJob) -> None:
        """Remove a job, if it waits."""
        jobs = self.keys.get(job.key, deque())
        if job in jobs:
            jobs.remove(job)
            if not jobs:
                del self.keys[job.key]

    def drop(self, key: str) -> list[PoolJob]:
        """Remove and return the jobs of a key."""
        return list(self.keys.pop(key, ()))
