"""The pool of workers: what is killed, hangs or grows harms nothing but itself, and jobs take turns."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.platform.error_places import error_of
from bot.platform.thinkers import pool as room
from bot.platform.thinkers.pool import KilledError, Limits, WorkerError, WorkerPool
from matches.thinking.jobs import BusyError
from tests.patience import PATIENCE

pytestmark = pytest.mark.process
ODD = "tests.thinkers.odd_worker"
MakePool = Callable[..., WorkerPool]


@pytest.fixture
async def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[MakePool]:
    """Return a function that makes a pool of odd workers, who may be slow; all are closed at the end."""
    monkeypatch.setattr(room, "_START", PATIENCE)
    monkeypatch.setattr(room, "_GRACE", PATIENCE)
    made: list[WorkerPool] = []

    def pool(size: int = 1, module: str = ODD, **limits: Any) -> WorkerPool:
        made.append(WorkerPool(size, tmp_path, limits=Limits(**limits), module=module))
        return made[-1]

    yield pool
    for each in made:
        await each.close()
        assert each.pids == ()


async def begun(file: Path) -> None:
    """Wait until a job has begun."""

    def wait() -> None:
        while not file.exists():
            time.sleep(0.01)

    await asyncio.to_thread(wait)


async def echo(pool: WorkerPool, key: str = "m", **data: Any) -> dict[str, Any]:
    found = await pool.run(key, "echo", data, PATIENCE)
    assert found is not None
    return found


async def test_workers_start_when_needed_with_low_priority_and_without_the_token(
    make: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    pool = make(2)
    assert not pool.pids
    found = await echo(pool, answer=42)
    assert found["answer"] == 42
    assert found["nice"] > os.nice(0)
    assert found["token"] is None
    assert pool.pids == (found["pid"],), "one job needs one worker"
    assert (await echo(pool))["pid"] == found["pid"]


async def test_the_job_of_a_worker_that_was_killed_is_done_by_another(make: MakePool, tmp_path: Path) -> None:
    pool = make()
    before = (await echo(pool))["pid"]
    found = await pool.run("m", "die_once", {"file": str(tmp_path / "died")}, PATIENCE)
    assert found is not None
    assert found["pid"] != before
    os.kill(found["pid"], signal.SIGKILL)  # at rest
    assert (await echo(pool))["pid"] not in (before, found["pid"])


@pytest.mark.parametrize("kind", ["die", "grow"])
async def test_a_job_that_costs_two_workers_is_given_up(make: MakePool, tmp_path: Path, kind: str) -> None:
    pool = make(most=120.0)
    with pytest.raises(KilledError, match="77" if kind == "grow" else "-9"):
        await pool.run("m", kind, {"file": str(tmp_path / "begun")}, PATIENCE)
    await echo(pool)


async def test_a_job_that_takes_too_long_is_given_up_at_once(
    make: MakePool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pool = make()
    with pytest.raises(KilledError, match="took too long"):
        await pool.run("m", "hang", {"file": str(tmp_path / "begun")}, 0.05)
    assert caplog.text.count("the process that thinks for it has ended") == 1, "another one would hang, too"
    await echo(pool)


async def test_a_worker_is_replaced_after_many_jobs_and_once_it_has_grown(make: MakePool) -> None:
    pool = make(jobs=2)
    pids = [(await echo(pool))["pid"] for _ in range(3)]
    assert len(set(pids)) == 2
    pool = make(kept=0.5)
    assert (await echo(pool))["pid"] != (await echo(pool))["pid"]


async def test_an_error_in_a_job_is_told_and_logged(make: MakePool, caplog: pytest.LogCaptureFixture) -> None:
    pool = make()
    with pytest.raises(WorkerError, match="LookupError: nothing there") as told:
        await pool.run("m", "fail", {}, PATIENCE)
    assert not isinstance(told.value, KilledError)
    assert "odd_worker.py" in caplog.text, "with the traceback"
    (place, kind), *more = [found for found in map(error_of, caplog.records) if found is not None]
    assert not more
    assert re.fullmatch(r"bot\.platform\.thinkers\.worker:Worker\._work_on:[0-9]+", place), place
    assert kind == "LookupError"
    before = pool.pids
    await echo(pool)
    assert pool.pids == before


async def test_workers_that_do_not_start(make: MakePool) -> None:
    with pytest.raises(WorkerError, match="don't start") as told:
        await make(module="tests.thinkers.missing").run("m", "echo", {}, PATIENCE)
    assert not isinstance(told.value, KilledError)


async def test_a_dropped_job_ends_and_its_worker_goes_on(
    make: MakePool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool, file = make(), tmp_path / "begun"
    running = asyncio.create_task(pool.run("m", "wait", {"file": str(file)}, PATIENCE))
    await begun(file)
    (pid,) = pool.pids
    waiting = asyncio.create_task(pool.run("m", "echo", {}, PATIENCE))
    other = asyncio.create_task(echo(pool, "n"))
    await asyncio.sleep(0)
    pool.drop("m")
    assert (await running, await waiting) == (None, None)
    assert (await other)["pid"] == pid

    monkeypatch.setattr(room, "_GRACE", 0.05)
    file.unlink()
    deaf = asyncio.create_task(pool.run("m", "hang", {"file": str(file)}, PATIENCE))
    await begun(file)
    pool.drop("m")
    assert await deaf is None
    assert (await echo(pool))["pid"] != pid, "it didn't listen, and was killed"


async def test_a_job_nobody_waits_for_is_dropped(make: MakePool, tmp_path: Path) -> None:
    pool, file = make(), tmp_path / "begun"
    jobs = [asyncio.create_task(pool.run(key, "wait", {"file": str(file)}, PATIENCE)) for key in "mn"]
    await begun(file)
    for job in jobs:
        job.cancel()
    await asyncio.gather(*jobs, return_exceptions=True)
    assert pool.waiting == 0
    await echo(pool)


async def test_keys_take_turns_and_too_many_jobs_are_refused(make: MakePool, tmp_path: Path) -> None:
    pool, file = make(waiting=5), tmp_path / "begun"
    first = asyncio.create_task(pool.run("x", "wait", {"file": str(file)}, PATIENCE))
    await begun(file)
    done: list[str] = []

    async def job(name: str) -> None:
        await echo(pool, name[0])
        done.append(name)

    jobs = [asyncio.create_task(job(name)) for name in ("a1", "a2", "a3", "b1", "c1")]
    await asyncio.sleep(0)
    with pytest.raises(BusyError):
        await pool.run("d", "echo", {}, PATIENCE)
    pool.drop("x")
    await asyncio.gather(first, *jobs)
    assert done == ["a1", "b1", "c1", "a2", "a3"]


async def test_questions_wait_for_turns_and_have_a_limit_of_their_own(make: MakePool, tmp_path: Path) -> None:
    pool, file = make(waiting=3, questions=2), tmp_path / "begun"
    first = asyncio.create_task(pool.run("x", "wait", {"file": str(file)}, PATIENCE))
    await begun(file)
    done: list[str] = []

    async def job(name: str, *, question: bool) -> None:
        await pool.run(name[0], "echo", {}, PATIENCE, question=question)
        done.append(name)

    asked = [asyncio.create_task(job(name, question=True)) for name in ("q1", "r1")]
    await asyncio.sleep(0)
    thousand = [asyncio.create_task(job(f"s{n}", question=True)) for n in range(1000)]
    refused = await asyncio.gather(*thousand, return_exceptions=True)
    assert {type(each) for each in refused} == {BusyError}
    turns = [asyncio.create_task(job(name, question=False)) for name in ("a1", "a2", "b1")]
    await asyncio.sleep(0)
    asked[0].cancel()
    pool.drop("x")
    await asyncio.gather(first, *turns, asked[1])
    assert done == ["a1", "b1", "a2", "r1"]
    assert pool.waiting == 0


async def test_one_key_has_one_job_at_a_time(make: MakePool, tmp_path: Path) -> None:
    pool, file = make(2), tmp_path / "begun"
    running = asyncio.create_task(pool.run("m", "wait", {"file": str(file)}, PATIENCE))
    await begun(file)
    same = asyncio.create_task(pool.run("m", "echo", {}, PATIENCE))
    other = await echo(pool, "n")
    assert len(pool.pids) == 2
    assert not same.done()
    assert pool.waiting == 1
    pool.drop("m")
    assert (await running, await same) == (None, None)
    assert other["pid"] in pool.pids


async def test_closing_ends_what_hangs(make: MakePool, tmp_path: Path) -> None:
    pool, file = make(), tmp_path / "begun"
    job = asyncio.create_task(pool.run("m", "hang", {"file": str(file)}, PATIENCE))
    await begun(file)
    await pool.close()
    assert await job is None
    assert await pool.run("m", "echo", {}, PATIENCE) is None


ORPHANING = f"""
import asyncio, os, signal, sys
from pathlib import Path
from bot.platform.thinkers.pool import WorkerPool

async def main():
    pool = WorkerPool(1, Path("."), module="{ODD}")
    job = asyncio.create_task(pool.run("m", "hang", {{"file": sys.argv[1]}}, 60))
    while not Path(sys.argv[1]).exists():
        await asyncio.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def test_no_worker_outlives_a_bot_that_was_killed(tmp_path: Path) -> None:
    path = os.pathsep.join(filter(None, sys.path))
    # The worker inherits standard error: that ends when the last process that has it does.
    ended = subprocess.run(
        [sys.executable, "-c", ORPHANING, str(tmp_path / "begun")],
        env=os.environ | {"PYTHONPATH": path},
        stderr=subprocess.PIPE,
        timeout=PATIENCE,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (-signal.SIGKILL, b"")
