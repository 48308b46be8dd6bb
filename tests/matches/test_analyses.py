"""Analyses in the background: made once and kept, shared, limited, cancelled, and proof against deaths."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from games.ai.appraisal import Appraisal
from games.ai.players_by_level import Levels
from games.engine.fields import Json
from matches.lookback import analyses
from matches.lookback.analyses import Analyses, AnalysisRun
from matches.ports import StoreError
from matches.results import Refused
from matches.store.rows import MatchRow
from matches.thinking.jobs import AppraisalJob, BusyError, NoAnswerError
from matches.thinking.thread_thinker import ThreadThinker
from tests.fakes import FakeClock, MemoryStore
from tests.matches.test_players_by_level import opinion
from tests.matches.world import ANN, BOB, World

LEVELS = Levels({"toy": opinion(10, 20, 30, 40, 50, 60)})


class Watched(ThreadThinker):
    """Counts the questions, and does something first."""

    def __init__(self, first: Callable[[int], None] = lambda number: None) -> None:
        super().__init__(LEVELS)
        self.first = first
        self.asked: list[AppraisalJob] = []
        self.dropped: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def appraise(self, job: AppraisalJob) -> Appraisal | None:
        self.asked.append(job)
        self.first(len(self.asked))
        await self.gate.wait()
        return await super().appraise(job)

    def drop(self, key: str) -> None:
        self.dropped.append(key)
        super().drop(key)


async def over(world: World) -> MatchRow:
    """A match that was played to its end."""
    begun = await world.match(ANN, BOB)
    return (await world.play_out(begun.row.id, ANN, BOB)).row


def made(world: World, thinker: ThreadThinker) -> Analyses:
    return Analyses(world.service.queries._core, LEVELS, thinker, pause=0.0)


async def run_of(found: Analyses, row: MatchRow, user: int = 1) -> AnalysisRun:
    run = await found.start(row, user)
    assert isinstance(run, AnalysisRun), run
    return run


async def test_it_is_made_position_by_position_and_kept(world: World) -> None:
    row = await over(world)
    thinker = Watched()
    found = made(world, thinker)
    assert await found.kept(row) is None
    run = await run_of(found, row)
    await run.ended.wait()
    assert run.found is not None
    assert (run.done, run.total) == (4, 4)
    assert len(thinker.asked) == 4
    assert len(run.found.points) == 5
    kept = await found.kept(row)
    assert kept is not None
    assert [seat.moves for seat in kept.seats] == [seat.moves for seat in run.found.seats]
    world.settings["levels"] = LEVELS
    world.restart()
    assert await world.service.analyses.kept(row) == kept
    assert found.running(row.id) is None


async def test_a_kept_one_that_cant_be_read_is_made_anew(world: World) -> None:
    row = await over(world)
    found = made(world, Watched())
    await (await run_of(found, row)).ended.wait()
    await world.store.save_analysis(row.id, found.source(row.game), {"version": 99}, world.clock.now())
    assert await found.kept(row) is None


async def test_what_can_not_be_analysed_is_refused(world: World) -> None:
    found = made(world, Watched())
    begun = await world.match(ANN, BOB)
    live = await found.start(begun.row, 1)
    assert isinstance(live, Refused)
    assert live.why.key == "match.analysis.live"
    gone = await world.service.play.resign(begun.row.id, ANN.id, request=world.new)
    row = await world.queries.row(begun.row.id)
    assert row is not None, gone
    none = await found.start(row, 1)
    assert isinstance(none, Refused)
    assert none.why.key == "match.analysis.no_moves"


async def test_several_wait_for_one_and_each_for_one_at_a_time(world: World) -> None:
    thinker = Watched()
    thinker.gate.clear()
    first, second = await over(world), await over(world)
    found = made(world, thinker)
    run = await run_of(found, first)
    assert await run_of(found, first, 2) is run
    refused = await found.start(second, 1)
    assert isinstance(refused, Refused)
    assert refused.why.key == "match.analysis.one"
    found.leave(first.id, 1)
    assert not run.ended.is_set(), "the other one still waits"
    thinker.gate.set()
    await run.ended.wait()
    assert run.found is not None


async def test_it_is_cancelled_once_nobody_waits(world: World) -> None:
    thinker = Watched()
    thinker.gate.clear()
    row = await over(world)
    found = made(world, thinker)
    run = await run_of(found, row)
    found.leave(row.id, 2)
    assert found.running(row.id) is run
    found.leave(row.id, 1)
    await run.ended.wait()
    assert run.found is None
    assert thinker.dropped == [f"analysis of {row.id}"]
    assert await found.kept(row) is None
    thinker.gate.set()
    again = await run_of(found, row)
    await again.ended.wait()
    assert again.found is not None


async def test_no_more_than_a_few_run_at_a_time(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "MOST_RUNS", 2)
    thinker = Watched()
    thinker.gate.clear()
    found = made(world, thinker)
    for user in (1, 2):
        await run_of(found, await over(world), user)
    refused = await found.start(await over(world), 3)
    assert isinstance(refused, Refused)
    assert refused.why.key == "match.analysis.busy"
    await found.close()


async def test_a_position_without_an_answer_is_lost_alone_and_nothing_is_kept(world: World) -> None:
    def fail(number: int) -> None:
        if number == 2:
            raise NoAnswerError

    row = await over(world)
    found = made(world, Watched(fail))
    run = await run_of(found, row)
    await run.ended.wait()
    assert run.found is not None
    assert sum(seat.unjudged for seat in run.found.seats) == 1
    assert await found.kept(row) is None, "another try may do better"


async def test_it_gives_up_if_no_position_has_an_answer(world: World) -> None:
    def fail(number: int) -> None:
        raise NoAnswerError

    thinker = Watched(fail)
    run = await run_of(made(world, thinker), await over(world))
    await run.ended.wait()
    assert run.found is None
    assert len(thinker.asked) == 3


async def test_a_busy_thinker_is_asked_again(world: World) -> None:
    def busy(number: int) -> None:
        if number < 20:
            raise BusyError

    run = await run_of(made(world, Watched(busy)), await over(world))
    await run.ended.wait()
    assert run.found is not None


async def test_a_mistake_of_ours_ends_it_and_frees_its_place(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(number: int) -> None:
        raise ZeroDivisionError

    row = await over(world)
    found = made(world, Watched(broken))
    run = await run_of(found, row)
    await run.ended.wait()
    assert run.found is None
    assert found.running(row.id) is None
    assert "its analysis fails" in caplog.text


async def test_a_store_that_fails_keeps_nobody_from_seeing_it() -> None:
    class Full(MemoryStore):
        async def save_analysis(self, match_id: str, source: str, data: Json, now: datetime) -> None:
            raise StoreError("full")

    clock: Any = FakeClock()
    world = World(Full(clock), clock)
    run = await run_of(made(world, Watched()), await over(world))
    await run.ended.wait()
    assert run.found is not None
