"""The pool with processes of straw: how long each may take, and what is done again, in virtual time."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest

from bot.platform.error_places import error_of
from bot.platform.thinkers.job_queue import JobQueue, PoolJob
from bot.platform.thinkers.pool import KilledError, Limits, WorkerError, WorkerPool
from matches.thinking.jobs import BusyError
from tests.month.virtual_time import VirtualLoop


class Pipe(asyncio.WriteTransport):
    """What a process reads."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[dict[str, Any]] = []
        self.closed = False

    def write(self, data: Any) -> None:
        assert not self.closed
        assert data.endswith(b"\n")
        self.lines.append(json.loads(data))

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True


class Straw(asyncio.SubprocessTransport):
    """A process that does what a test says, and ends a moment after it was killed."""

    def __init__(self, worker: Any, number: int) -> None:
        super().__init__()
        self.worker, self.number, self.pipe = worker, number, Pipe()
        self.status: int | None = None
        self.killed_at: float | None = None
        worker.connection_made(self)

    def get_pid(self) -> int:
        return self.number

    def get_returncode(self) -> int | None:
        return self.status

    def get_pipe_transport(self, fd: int) -> asyncio.BaseTransport | None:
        return self.pipe if fd == 0 else None

    def kill(self) -> None:
        assert self.status is None, "asyncio raises an error"
        loop = asyncio.get_running_loop()
        self.killed_at = loop.time()
        loop.call_soon(self.end, -9)

    def close(self) -> None:
        self.pipe.close()

    def end(self, status: int) -> None:
        """End with a status."""
        if self.status is None:
            self.status = status
            self.worker.connection_lost(None)

    def say(self, **message: Any) -> None:
        """Write a line."""
        self.worker.pipe_data_received(1, f"{json.dumps(message)}\n".encode())

    def lived_until(self) -> float | None:
        """Return when it was killed, if it was."""
        return self.killed_at

    @property
    def jobs(self) -> list[int]:
        """The numbers of the jobs that it was given."""
        return [line["job"] for line in self.pipe.lines if "job" in line]

    def answer(self, memory: float = 50.0, **more: Any) -> None:
        """Do the latest job."""
        self.say(job=self.jobs[-1], memory=memory, **more or {"data": {"by": self.number}})


class Barn:
    """A pool, and the processes that it has started."""

    def __init__(self, size: int = 1, **limits: Any) -> None:
        self.counted: Counter[str] = Counter()
        self.started: list[Straw] = []
        self.broken = 0
        self.slow = 0.0
        """Seconds until a process is there."""
        self.dumb = False
        """Whether processes don't say that they are ready."""
        self.pool = WorkerPool(
            size, Path("tables"), limits=Limits(**limits), count=lambda what: self.counted.update([what])
        )
        self.loop = cast("Any", asyncio.get_running_loop())
        self.loop.subprocess_exec = self._spawn

    async def _spawn(
        self, worker: Callable[[], Any], *command: str, stderr: None, env: dict[str, str]
    ) -> None:
        assert command[1:] == ("-P", "-m", "bot.platform.thinkers.worker", "tables", "600.0")
        assert "DISCORD_TOKEN" not in env
        assert env.keys() >= {"PATH", "PYTHONPATH"}
        if self.broken:
            self.broken -= 1
            raise OSError("no more processes")
        await asyncio.sleep(self.slow)
        self.started.append(Straw(worker(), len(self.started)))
        if not self.dumb:
            self.loop.call_soon(lambda one: one.say(hello=one.number), self.started[-1])

    async def rest(self) -> None:
        """Let everything be done that can be."""
        await self.loop.idle()

    async def ask(self, key: str = "m", seconds: float = 20.0, **how: Any) -> asyncio.Task[Any]:
        """Give a job to the pool."""
        task = asyncio.create_task(self.pool.run(key, "turns", {"of": key}, seconds, **how))
        await self.rest()
        return task


@pytest.fixture(autouse=True)
def _token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "secret")


def play(story: Callable[[], Awaitable[None]]) -> None:
    """Let a story happen in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(story())  # type: ignore[arg-type] # each is a coroutine


async def by(task: asyncio.Task[Any]) -> int:
    """Return the process that has done a job."""
    return int((await task)["by"])


def test_a_process_that_does_not_start_is_killed_and_another_is_tried() -> None:
    async def story() -> None:
        barn = Barn()
        barn.dumb = True
        task = await barn.ask(seconds=1.0)
        await asyncio.sleep(61)
        assert [each.lived_until() for each in barn.started] == [30, 60]
        with pytest.raises(WorkerError, match="don't start, and end with -9") as told:
            await task
        assert not isinstance(told.value, KilledError)
        assert barn.counted == {"worker processes started": 2, "worker processes lost": 2}
        barn.broken = 1
        barn.dumb = False
        task = await barn.ask()
        barn.started[-1].answer()
        assert await by(task) == 2, "the second could be started"
        assert barn.counted["worker processes started"] == 3

    play(story)


def test_a_job_has_its_time_from_when_it_begins() -> None:
    async def story() -> None:
        barn = Barn()
        barn.dumb = True
        slow, after = await barn.ask("slow", 10.0), await barn.ask("after")
        await asyncio.sleep(29)
        barn.started[0].say(hello=1)
        assert barn.started[0].pipe.lines == [{"job": 1, "kind": "turns", "data": {"of": "slow"}}]
        barn.dumb = False
        await asyncio.sleep(9.9)
        assert barn.started[0].lived_until() is None
        await asyncio.sleep(1)
        assert barn.started[0].lived_until() == 39
        with pytest.raises(KilledError, match=r"^took too long$"):
            await slow
        assert barn.started[1].jobs == [2], "it isn't tried again, as it would hang again"
        barn.started[1].answer()
        assert await by(after) == 1
        await asyncio.sleep(60)
        assert barn.started[1].lived_until() is None, "at rest it has all the time"
        barn.pool.drop("after")

    play(story)


def test_a_job_whose_worker_dies_is_done_next_and_once_more() -> None:
    async def story() -> None:
        barn = Barn()
        first, behind, other = await barn.ask("m"), await barn.ask("m"), await barn.ask("n")
        barn.started[0].end(-11)
        await barn.rest()
        assert barn.started[1].jobs == [1]
        barn.started[1].end(77)
        with pytest.raises(KilledError, match=r"^ended twice, with 77$"):
            await first
        await barn.rest()
        assert barn.started[2].jobs == [3], "another's turn"
        barn.started[2].answer()
        assert await by(other) == 2
        barn.started[2].answer()
        assert await by(behind) == 2
        barn.started[2].end(0)
        assert barn.counted["worker processes lost"] == 2, "not those at rest"
        assert barn.pool.pids == ()

    play(story)


def test_a_dropped_job_has_a_second_to_end() -> None:
    async def story() -> None:
        barn = Barn()
        tasks = [await barn.ask("m"), await barn.ask("m")]
        other = await barn.ask("n")
        barn.pool.drop("m")
        assert await asyncio.gather(*tasks) == [None, None]
        straw = barn.started[0]
        assert straw.pipe.lines[-1] == {"stop": 1}
        assert straw.jobs == [1]
        straw.say(job=99, data={}, memory=50.0)
        assert straw.jobs == [1], "an answer to nothing"
        straw.answer()
        await asyncio.sleep(2)
        assert straw.lived_until() is None, "it has listened"
        assert straw.jobs == [1, 3]
        barn.pool.drop("k")
        await barn.rest()
        assert not other.done()
        other.cancel()  # whoever asked has gone
        await asyncio.sleep(2)
        assert straw.pipe.lines[-1] == {"stop": 3}
        assert straw.lived_until() == 3, "it hasn't"
        assert barn.counted["worker processes lost"] == 0

    play(story)


def test_a_job_that_is_dropped_before_its_process_is_ready_is_not_begun() -> None:
    async def story() -> None:
        barn = Barn()
        barn.dumb = True
        dropped, other = await barn.ask("m"), await barn.ask("n", 7.0)
        barn.pool.drop("m")
        assert await dropped is None
        assert barn.pool.waiting == 1
        barn.started[0].say(hello=0)
        assert barn.started[0].pipe.lines == [{"job": 2, "kind": "turns", "data": {"of": "n"}}]
        barn.dumb = False
        await asyncio.sleep(60)
        assert barn.started[0].lived_until() == 7, "the other one has its own time"
        with pytest.raises(KilledError):
            await other

    play(story)


def test_who_has_gone_waits_no_longer() -> None:
    async def story() -> None:
        barn = Barn()
        first, gone = await barn.ask("m"), await barn.ask("n", question=True)
        assert barn.pool.waiting == 1
        gone.cancel()
        await barn.rest()
        assert barn.pool.waiting == 0
        barn.started[0].answer()
        assert await by(first) == 0
        assert barn.started[0].jobs == [1]

    play(story)


@pytest.mark.parametrize(
    ("memory", "served"), [(50.0, [[1, 2, 3], [4]]), (200.0, [[1, 2, 3], [4]]), (200.5, [[1], [2], [3], [4]])]
)
def test_one_that_has_done_much_or_has_grown_makes_room(memory: float, served: list[list[int]]) -> None:
    async def story() -> None:
        barn = Barn(jobs=3)
        for _ in range(4):
            task = await barn.ask()
            barn.started[-1].answer(memory)
            await task
        assert [each.jobs for each in barn.started] == served
        assert [each.pipe.closed for each in barn.started[:-1]] == [True] * (len(served) - 1)
        assert all(each.lived_until() is None for each in barn.started)
        closing = asyncio.create_task(barn.pool.close())
        await barn.rest()
        assert all(each.lived_until() is not None for each in barn.started), "those that leave, too"
        await closing

    play(story)


@pytest.mark.parametrize("written", [b"what?\n", b"x" * (1 << 20) + b"y"], ids=["no JSON", "no end"])
def test_one_that_writes_nonsense_is_killed(written: bytes, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        barn = Barn()
        task = await barn.ask()
        barn.started[0].worker.pipe_data_received(1, written[:-1])
        assert barn.started[0].lived_until() is None
        barn.started[0].worker.pipe_data_received(1, written[-1:])
        assert barn.started[0].lived_until() == 0
        await barn.rest()
        barn.started[1].answer()
        assert await by(task) == 1

    play(story)
    if written.endswith(b"\n"):
        assert "a worker process wrote what can't be read, and is killed" in caplog.text
    assert "m: the process that thinks for it has ended (-9)" in caplog.text


def test_one_that_is_ending_is_neither_told_nor_killed(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        barn = Barn()
        task = await barn.ask()
        barn.started[0].pipe.closed = True
        barn.pool.drop("m")
        barn.started[0].status = 0
        assert await task is None
        closing = asyncio.create_task(barn.pool.close())
        await barn.rest()
        assert not closing.done()
        barn.started[0].worker.connection_lost(None)
        await closing

    play(story)
    assert not caplog.records


def test_one_that_takes_long_to_be_there_is_used_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        barn = Barn()
        barn.slow = 40
        task = await barn.ask()
        await asyncio.sleep(41)
        barn.started[0].answer()
        assert await by(task) == 0

    play(story)
    assert [each.getMessage() for each in caplog.records] == [
        "a worker process takes too long for starting, and is killed"
    ]


def test_an_answer_may_come_in_pieces_and_two_at_a_time(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        barn = Barn()
        first, second = await barn.ask("m"), await barn.ask("n")
        heard = barn.started[0].worker.pipe_data_received
        heard(1, b'{"job": 1, "da')
        heard(
            1,
            b'ta": {"by": 7}, "memory": 5, "log": [["careful", "", ""], ["wrong", "a:b:1", "KeyError"]]}\n{"',
        )
        assert await by(first) == 7
        heard(1, b'job": 2, "error": "LookupError: no", "memory": 5}\n')
        with pytest.raises(WorkerError, match=r"^LookupError: no$") as told:
            await second
        assert not isinstance(told.value, KilledError)
        assert barn.started[0].lived_until() is None

    play(story)
    careful, wrong = caplog.records
    assert (careful.levelno, careful.getMessage()) == (logging.WARNING, "a worker process: careful")
    assert (wrong.levelno, error_of(wrong)) == (logging.ERROR, ("a:b:1", "KeyError"))
    assert error_of(careful) is None


def test_what_waits_has_limits_and_questions_come_last() -> None:
    async def story() -> None:
        barn = Barn(2, waiting=2, questions=1)
        works = [await barn.ask(key) for key in "ab"]
        question = await barn.ask("q", question=True)
        turns = [await barn.ask(key) for key in "ca"]
        for how, what in (({}, "jobs"), ({"question": True}, "questions")):
            with pytest.raises(BusyError):
                await barn.pool.run("z", "turns", {}, 1.0, **how)
            assert barn.counted[f"{what} refused because too many wait"] == 1
        assert len(barn.started) == 2
        barn.started[1].answer()
        assert barn.pool.pids == (0, 1)
        assert barn.started[1].jobs == [2, 4], "not the second of the one at work"
        barn.started[1].answer()
        assert barn.started[1].jobs == [2, 4, 3], "a question, for what else waits is at work"
        barn.started[0].answer()
        assert barn.started[0].jobs == [1, 5]
        for each in barn.started:
            each.answer()
        assert [await by(each) for each in (*works, question, *turns)] == [0, 1, 1, 1, 0]

    play(story)


def test_one_key_has_one_worker_at_a_time() -> None:
    async def story() -> None:
        barn = Barn(2)
        tasks = [await barn.ask("m") for _ in range(3)]
        for _ in tasks:
            barn.started[0].answer()
        assert [await by(each) for each in tasks] == [0] * 3
        assert len(barn.started) == 1

    play(story)


def test_the_end_gives_up_everything() -> None:
    async def story() -> None:
        barn = Barn()
        tasks = [await barn.ask("m"), await barn.ask("n"), await barn.ask("q", question=True)]
        starting = asyncio.create_task(barn.pool.run("never", "turns", {}, 1.0))
        await barn.pool.close()
        assert await asyncio.gather(*tasks, starting) == [None] * 4
        assert [each.status for each in barn.started] == [-9]
        assert await barn.pool.run("m", "turns", {}, 1.0) is None
        assert (barn.pool.pids, barn.pool.waiting) == ((), 0)
        assert barn.counted["worker processes lost"] == 0

    play(story)


def test_one_that_is_just_being_started_ends_too() -> None:
    async def story() -> None:
        barn = Barn()
        task = asyncio.create_task(barn.pool.run("m", "turns", {}, 1.0))
        await asyncio.sleep(0)
        assert barn.started == []
        await barn.pool.close()
        assert await task is None
        assert [each.status for each in barn.started] == [-9]

    play(story)


def test_keys_take_turns() -> None:
    queue, number = JobQueue(), iter(range(100))

    def job(key: str) -> PoolJob:
        result: Any = None
        return PoolJob(key, next(number), "turns", {}, 1.0, result)

    jobs = [job(key) for key in "aabc"]
    for each in jobs:
        queue.put(each)
    assert (len(queue), list(queue.keys)) == (4, ["a", "b", "c"])
    assert queue.take({"a"}) is jobs[2]
    assert queue.take(set()) is jobs[0]
    assert list(queue.keys) == ["c", "a"]
    queue.put(jobs[0], first=True)
    assert queue.take(set()) is jobs[0]
    queue.remove(jobs[0])
    assert len(queue) == 2
    queue.remove(jobs[3])
    assert list(queue.keys) == ["a"]
    assert queue.take({"a"}) is None
    assert (queue.drop("a"), queue.drop("a"), len(queue)) == ([jobs[1]], [], 0)
