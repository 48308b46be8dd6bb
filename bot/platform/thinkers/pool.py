"""A pool of worker processes that can be killed one by one.

Workers are started when there is work, and replaced when they end, whatever the reason. The jobs of one key
(a match, or someone who asks) are done one after the other; keys take turns, so that none waits for all jobs
of another. Turns of computers come before questions, which have a limit of their own: a thousand questions
keep no match waiting for more than the one at work. A dropped job is asked to end, and its worker is killed
if that takes too long. A job that takes longer than it may is killed with its worker; one whose worker died
is done again by another, once.

Each worker holds the other end of its pipes alone, and asyncio reads them, without threads and almost without
tasks. docs/adr/0016-workers-of-our-own.md explains why this is no library.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.platform.error_places import as_error
from bot.platform.thinkers.job_queue import JobQueue, PoolJob
from matches.thinking.jobs import BusyError

log = logging.getLogger(__name__)

_STDIN: Final = 0
_GRACE: Final = 1.0
"""Seconds in which a dropped job has to end."""
_START: Final = 30.0
"""Seconds that a process may take until it reports that it is ready."""
_MAX_LINE: Final = 1 << 20
"""Maximum number of bytes of an answer."""
_TRIES: Final = 2
"""How often a job is begun in total, if its worker dies."""


class WorkerError(Exception):
    """Raised for a job that no worker can do: it was refused, or workers don't start."""


class KilledError(WorkerError):
    """Raised for a job whose worker died, or had to be killed, each time."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a pool and its workers may take."""

    waiting: int = 100
    """Maximum number of jobs that wait, without questions."""
    questions: int = 40
    """Maximum number of questions that wait."""
    jobs: int = 500
    """Number of jobs after which a worker is replaced."""
    kept: float = 200.0
    """MB of memory with which a worker is replaced once its job is done."""
    most: float = 600.0
    """MB of memory at which a worker ends in the middle of its job."""


class _Worker(asyncio.SubprocessProtocol):
    """One process, and the job that it works on."""

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool
        self._rest = b""
        self.transport: asyncio.SubprocessTransport | None = None
        self.job: PoolJob | None = None
        self.ready = False
        self.done = 0
        """Number of jobs done."""
        self.timer: asyncio.TimerHandle | None = None
        self.gone = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if not isinstance(transport, asyncio.SubprocessTransport):
            raise TypeError("no process")
        self.transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > _MAX_LINE:
            self.kill()
        for line in lines:
            try:
                message = json.loads(line)
            except ValueError:
                log.warning("a worker process wrote what can't be read, and is killed")
                self.kill()
                return
            self._pool.hear(self, message)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.transport is not None:
            self.transport.close()
        self.stop_timer()
        if not self.gone.done():
            self.gone.set_result(None)
        self._pool.lose(self)

    @property
    def status(self) -> int | None:
        """How the process has ended; None while it goes on."""
        return None if self.transport is None else self.transport.get_returncode()

    @property
    def _pipe(self) -> asyncio.BaseTransport | None:
        """What the process reads."""
        return None if self.transport is None else self.transport.get_pipe_transport(_STDIN)

    def send(self, what: dict[str, Any]) -> None:
        """Write a line to the process, unless it has closed its end."""
        pipe = self._pipe
        if isinstance(pipe, asyncio.WriteTransport) and not pipe.is_closing():
            pipe.write(f"{json.dumps(what)}\n".encode())

    def retire(self) -> None:
        """Let the process end."""
        if (pipe := self._pipe) is not None:
            pipe.close()

    def kill(self) -> None:
        """End the process now."""
        if self.transport is not None and self.transport.get_returncode() is None:
            self.transport.kill()

    def start_timer(self, seconds: float, then: Callable[[], None]) -> None:
        """Do something after that time, instead of what was to happen to the current job."""
        self.stop_timer()
        self.timer = asyncio.get_running_loop().call_later(seconds, then)

    def stop_timer(self) -> None:
        """Forget what was to happen to the current job."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class WorkerPool:
    """Up to `size` worker processes, and the jobs that wait for them. Used in one event loop."""

    def __init__(
        self,
        size: int,
        tables: Path,
        *,
        limits: Limits | None = None,
        module: str = "bot.platform.thinkers.worker",
        count: Callable[[str], None] = lambda what: None,
    ) -> None:
        """`tables` is the folder with tables of exact values, `module` is what a worker runs.

        `count` counts what an operator should know.
        """
        self._size = size
        self._limits = limits or Limits()
        # -P: what happens to lie in the working directory is no part of the program
        self._command = (sys.executable, "-P", "-m", module, str(tables), str(self._limits.most))
        self._count = count
        self._turns = JobQueue()
        self._questions = JobQueue()
        self._workers: list[_Worker] = []
        self._leaving: set[_Worker] = set()
        """Workers that get no further jobs, and are about to end."""
        self._starting: set[asyncio.Task[None]] = set()
        self._number = 0
        self._closed = False

    @property
    def pids(self) -> tuple[int, ...]:
        """The ids of the processes that take jobs."""
        return tuple(each.transport.get_pid() for each in self._workers if each.transport is not None)

    @property
    def waiting(self) -> int:
        """The number of jobs that wait."""
        return len(self._turns) + len(self._questions)

    async def run(
        self, key: str, kind: str, data: dict[str, Any], seconds: float, *, question: bool = False
    ) -> dict[str, Any] | None:
        """Return the result of a job; None if it was dropped. It is killed after `seconds` of work.

        A `question` waits until no other job does. Raises BusyError if too many jobs wait, KilledError,
        WorkerError.
        """
        if self._closed:
            return None
        queue, most = self._turns, self._limits.waiting
        if question:
            queue, most = self._questions, self._limits.questions
        if len(queue) >= most:
            self._count(f"{'questions' if question else 'jobs'} refused because too many wait")
            raise BusyError
        self._number += 1
        result: asyncio.Future[dict[str, Any] | None] = asyncio.get_running_loop().create_future()
        job = PoolJob(key, self._number, kind, data, seconds, result, question)
        queue.put(job)
        self._work()
        try:
            return await result
        finally:
            if result.cancelled():  # the one who asked has gone
                self._forget(job)

    def drop(self, key: str) -> None:
        """Give up all jobs of a key."""
        for job in (*self._turns.drop(key), *self._questions.drop(key)):
            job.settle(None)
        for worker in self._workers:
            if worker.job is not None and worker.job.key == key:
                worker.job.settle(None)
                self._stop(worker, worker.job)

    async def close(self) -> None:
        """Give up all jobs, and end all workers."""
        self._closed = True
        for key in (*self._turns.keys, *self._questions.keys):
            self.drop(key)
        if self._starting:
            await asyncio.wait(self._starting)
        ending = [*self._workers, *self._leaving]
        for worker in ending:
            if worker.job is not None:
                worker.job.settle(None)
            worker.kill()
        if ending:
            await asyncio.wait([worker.gone for worker in ending])

    # --- handing out ----------------------------------------------------------------------------------

    def _work(self) -> None:
        """Hand out jobs to workers that have none, and start workers for the rest."""
        if self._closed:
            return
        busy = {worker.job.key for worker in self._workers if worker.job is not None}
        idle = [worker for worker in self._workers if worker.job is None]
        while idle or len(self._workers) < self._size:
            if (job := self._turns.take(busy) or self._questions.take(busy)) is None:
                return
            busy.add(job.key)
            job.tries += 1
            worker = idle.pop() if idle else _Worker(self)
            worker.job = job
            if worker.ready:
                self._begin(worker, job)
            else:
                self._workers.append(worker)
                start = asyncio.get_running_loop().create_task(self._start(worker), name="start of a worker")
                self._starting.add(start)
                start.add_done_callback(self._starting.discard)

    async def _start(self, worker: _Worker) -> None:
        """Start the process of a worker. Its job begins when it reports that it is ready."""
        loop = asyncio.get_running_loop()
        worker.start_timer(_START, lambda: self._expire(worker, "starting"))
        # without the token
        environment = {k: v for k, v in os.environ.items() if not k.startswith("DISCORD_")}
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
        try:
            await loop.subprocess_exec(lambda: worker, *self._command, stderr=None, env=environment)
        except OSError as error:
            log.error("no worker process can be started: %s", error)
            worker.connection_lost(error)
        else:
            self._count("worker processes started")

    def _begin(self, worker: _Worker, job: PoolJob) -> None:
        worker.start_timer(job.seconds, lambda: self._expire(worker, "thinking"))
        worker.send({"job": job.number, "kind": job.kind, "data": job.data})

    def _expire(self, worker: _Worker, doing: str) -> None:
        log.error("a worker process takes too long for %s, and is killed", doing)
        if worker.job is not None and worker.ready:
            worker.job.late = True
        worker.kill()

    def _queue_of(self, job: PoolJob) -> JobQueue:
        return self._questions if job.question else self._turns

    def _forget(self, job: PoolJob) -> None:
        self._queue_of(job).remove(job)
        for worker in self._workers:
            if worker.job is job:
                self._stop(worker, job)

    def _stop(self, worker: _Worker, job: PoolJob) -> None:
        """Ask a worker to end a job whose result isn't wanted; kill it if that takes too long."""
        if not worker.ready:
            return
        worker.send({"stop": job.number})
        worker.start_timer(_GRACE, worker.kill)

    # --- what workers say -----------------------------------------------------------------------------

    def hear(self, worker: _Worker, message: dict[str, Any]) -> None:
        """Take in a line of a worker."""
        if "hello" in message:
            worker.ready = True
            if worker.job is None or worker.job.result.done():  # dropped meanwhile
                worker.job = None
                worker.stop_timer()
                self._work()
            else:
                self._begin(worker, worker.job)
            return
        for line, place, kind in message.get("log", ()):
            error = as_error(place, kind) if kind else None
            log.log(logging.ERROR if error else logging.WARNING, "a worker process: %s", line, extra=error)
        job = worker.job
        if job is None or message.get("job") != job.number:
            return
        worker.stop_timer()
        worker.job = None
        worker.done += 1
        if "error" in message:
            job.fail(WorkerError(message["error"]))
        else:
            job.settle(message["data"])
        if worker.done >= self._limits.jobs or message["memory"] > self._limits.kept:
            self._workers.remove(worker)
            self._leaving.add(worker)
            worker.retire()
        self._work()

    def lose(self, worker: _Worker) -> None:
        """Take in that a worker has ended: its job is done again, once."""
        self._leaving.discard(worker)
        if worker in self._workers:
            self._workers.remove(worker)
        job, worker.job = worker.job, None
        if job is not None and not job.result.done() and not self._closed:
            self._count("worker processes lost")
            log.warning("%s: the process that thinks for it has ended (%s)", job.key, worker.status)
            if job.tries < _TRIES and not job.late:
                self._queue_of(job).put(job, first=True)
            elif worker.ready:
                why = "took too long" if job.late else f"ended twice, with {worker.status}"
                job.fail(KilledError(why))
            else:
                job.fail(WorkerError(f"worker processes don't start, and end with {worker.status}"))
        self._work()
