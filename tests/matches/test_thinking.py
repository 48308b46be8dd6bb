"""When computers think, and when that is dropped: only while nothing else happens in their match."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

import pytest

from games.ai.appraisal import Appraisal
from games.ai.players_by_level import Levels
from games.engine.match import Change, Kind
from matches.results import Played
from matches.thinking.jobs import AppraisalJob, BusyError, Job
from matches.thinking.thread_thinker import ThreadThinker
from tests.matches.test_computers import against
from tests.matches.world import ANN, World, played


class Held:
    """A thinker that waits until it is let go, or its job is dropped."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []
        self.dropped: list[str] = []
        self.begun = asyncio.Event()
        self._go: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._threads = ThreadThinker(Levels())

    async def think(self, job: Job) -> tuple[Change, ...] | None:
        """Wait, then think in a thread."""
        self.jobs.append(job)
        self.begun.set()
        waited = self._go
        await waited
        return None if self.dropped else await self._threads.think(job)

    async def appraise(self, job: AppraisalJob) -> Appraisal | None:
        """Wait, then answer in a thread."""
        self.begun.set()
        waited = self._go
        await waited
        return None if job.key in self.dropped else await self._threads.appraise(job)

    def drop(self, match_id: str) -> None:
        """Let the job go, with nothing."""
        self.dropped.append(match_id)
        self.go()

    def go(self) -> None:
        """Let the job go."""
        if not self._go.done():
            self._go.set_result(None)

    async def close(self) -> None:
        """Do nothing."""


def held(world: World) -> Held:
    """The program starts again, with a thinker that waits."""
    thinker = Held()
    world.settings = {"thinker": thinker}
    world.restart()
    return thinker


Act = Callable[[World, str], Coroutine[Any, Any, Any]]
ENDS: dict[str, Act] = {
    "resigned": lambda world, id_: world.play.resign(id_, 1, request="a"),
    "taken back": lambda world, id_: world.service.undo.take_back(id_, 1, request="a"),
    "offered a draw": lambda world, id_: world.play.offer_draw(id_, 1, request="a"),
}


@pytest.mark.parametrize("what", ENDS)
async def test_a_job_is_dropped_when_its_match_goes_on_without_it(world: World, what: str) -> None:
    id_ = await against(world, ANN, game="focus")
    while not (moves := await world.queries.legal(id_, 1)):
        await world.computers.run(id_)
    played(await world.play.submit(id_, 1, moves[0], request=world.new))
    thinker = held(world)
    running = asyncio.create_task(world.computers.run(id_))
    await thinker.begun.wait()
    asked = played(await ENDS[what](world, id_))
    done = await running
    assert thinker.dropped == [id_]
    assert len(thinker.jobs) == 1
    assert all(one.first > asked.last for one in done)
    kinds = [each.entry.kind for each in await world.queries.log(id_)][asked.last + 1 :]
    after = {"resigned": [], "taken back": [], "offered a draw": [Kind.DECLINE]}[what]
    assert [kind for kind in kinds if kind not in (Kind.REVEAL, Kind.OFFER)] in (after, [])
    await world.check(id_)


async def test_a_job_under_way_when_the_program_ends_is_done_once_after_its_start(world: World) -> None:
    id_ = await against(world, ANN, machines=2)
    thinker = held(world)
    lost = asyncio.create_task(world.computers.run(id_))
    await thinker.begun.wait()
    lost.cancel()
    await asyncio.gather(lost, return_exceptions=True)
    world.settings = {}
    world.restart()
    done = await world.housekeeping.tick()
    assert [(one.first, one.last) for one in done if isinstance(one, Played)] == [(2, 3)]
    assert await world.housekeeping.tick() == ()
    await world.check(id_)


async def test_computers_in_a_row_are_one_job_and_one_board(world: World) -> None:
    id_ = await against(world, ANN, machines=3, game="focus")
    thinker = held(world)
    thinker.go()
    while not (moves := await world.queries.legal(id_, 1)):
        await world.computers.run(id_)
    played(await world.play.submit(id_, 1, moves[0], request=world.new))
    await world.sent()
    thinker.jobs.clear()
    done = await world.computers.run(id_)
    assert len(done) == 3
    assert len(thinker.jobs) == 1
    assert [draft.kind for draft in await world.drafts(id_)].count("board") == 1
    await world.check(id_)


async def test_a_match_that_has_to_wait_is_run_later(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def busy(thinker: ThreadThinker, job: Job) -> None:
        raise BusyError

    assert await world.computers.waiting() == ()
    with monkeypatch.context() as patch:
        patch.setattr(ThreadThinker, "think", busy)
        id_ = await against(world, ANN)
        with pytest.raises(BusyError):
            await world.computers.run(id_)
    assert await world.computers.waiting() == (id_,)
    assert len(await world.housekeeping.tick()) == 1
    assert await world.computers.waiting() == ()


async def test_a_computer_answers_no_sooner_than_its_pace(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    world.settings = {"pace": timedelta(seconds=2)}
    world.restart()
    id_ = await against(world, ANN, machines=2)
    world.clock.advance(timedelta(seconds=1))
    await world.computers.run(id_)
    assert len(waits) == 1
    assert 1 <= waits[0] <= 4, "two to five seconds after the start, one of which has passed"
    waits.clear()
    later = await against(world, ANN)
    world.clock.advance(timedelta(seconds=5))
    await world.computers.run(later)
    assert waits == [], "it thought for longer than that"
