"""A plan is played once whatever happens to the process, and no one else learns of it."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from matches.ports import StoreError
from matches.results import Refused
from matches.service import MatchService
from matches.store.rows import Commit
from tests.fakes import FakeClock, FakeEntropy, MemoryStore
from tests.matches.planning import Going, begun
from tests.matches.world import ANN, BOB, DAN, World, played

# --- exactly once -----------------------------------------------------------------------------------------


async def test_after_a_crash_the_next_start_plays_it_once(world: World) -> None:
    at = await begun(world)
    one, two, three, four = await at.course(4)
    planner, other = await at.after(1), await at.after(0)
    await at.plan(planner, f"{one}: {two}; {three}: {four}")
    played(await world.play.submit(at.id, other.id, one, request=world.new))
    world.restart()
    done = await world.housekeeping.tick()
    assert [(await world.store.log(at.id))[-1].entry.data] == [two]
    assert len(done) == 1
    world.restart()
    assert await world.housekeeping.tick() == ()
    assert await at.news(planner) == ["played"]
    assert await at.shown(planner) == [f"{three}: {four}"]


class Killed(BaseException):
    """The end of the process."""


class Dying:
    """A store at one of whose methods the process ends, before it has worked or after."""

    def __init__(self, store: Any, name: str, after: bool) -> None:
        self._store, self._name, self._after = store, name, after

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        if name != self._name:
            return method

        async def dies(*args: Any, **kwargs: Any) -> Any:
            if self._after:
                await method(*args, **kwargs)
            raise Killed

        return dies


@pytest.mark.slow
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("step", ["plans", "match", "log", "commit", "save_plan"])
@pytest.mark.parametrize("fits", [True, False])
async def test_killed_at_any_step_it_happens_once(world: World, step: str, after: bool, fits: bool) -> None:
    at = await begun(world)
    one, two, three, four = await at.course(4)
    planner, other = await at.after(1), await at.after(0)
    await at.plan(planner, f"{one}: {two}; {three}: {four}")
    move = one if fits else (await at.moves())[-1]
    played(await world.play.submit(at.id, other.id, move, request=world.new))
    dying = MatchService(Dying(world.store, step, after), world.clock, world.entropy)
    with suppress(Killed):
        await dying.plans.run(at.id)
    world.restart()
    for _ in range(2):
        await world.housekeeping.tick()
    match = await at.match()
    assert [entry.data for entry in match.log[-2:]] == ([one, two] if fits else [match.log[-2].data, move])
    assert await at.news(planner) == (["played"] if fits else ["unforeseen"])
    assert await at.shown(planner) == ([f"{three}: {four}"] if fits else [])


async def test_a_full_store_leaves_it_for_later(caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryStore()
    world = World(store)
    at = await begun(world)
    one, two = await at.course(2)
    planner, other = await at.after(1), await at.after(0)
    await at.plan(planner, f"{one}: {two}")
    played(await world.play.submit(at.id, other.id, one, request=world.new))
    store.failing = StoreError("full")
    with pytest.raises(StoreError):
        await world.service.plans.run(at.id)
    with caplog.at_level(logging.DEBUG):
        await world.housekeeping.tick()
    assert two not in caplog.text
    store.failing = None
    await world.housekeeping.tick()
    assert (await at.match()).log[-1].data == two


# --- secrecy ----------------------------------------------------------------------------------------------


async def seen_by_others(world: World, at: Going) -> object:
    """Return all that others can see of a match: row, log, messages in the channel and to others, records."""
    drafts = await world.drafts(at.id)
    return (
        await world.queries.row(at.id),
        await world.store.log(at.id),
        [draft for draft in drafts if "plan" not in draft.message.to_json()],
        [await world.queries.mine(person.id) for person in (ANN, BOB)],
        await world.service.undo.offer(at.id, ANN.id),
        await world.service.undo.offer(at.id, BOB.id),
    )


async def test_nobody_else_can_tell_until_it_is_played(caplog: pytest.LogCaptureFixture) -> None:
    sights = []
    with caplog.at_level(logging.DEBUG):
        for planning in (False, True):
            world = World(MemoryStore(), FakeClock(), FakeEntropy("same"))
            at = await begun(world)
            moves, (one, two) = await at.moves(), await at.course(2)
            planner, seen = await at.after(1), [await seen_by_others(world, at)]
            if planning:
                await at.plan(planner, f"{one}: {two}")
                await world.service.plans.set_only_move(at.id, planner.id, on=True)
                for wrong in (f"{one}: a1-a2", f"{moves[1]}: x"):
                    assert isinstance(await world.service.plans.add(at.id, planner.id, wrong), Refused)
            seen.append(await seen_by_others(world, at))
            await at.play(moves[1])
            seen.append(await seen_by_others(world, at))
            sights.append(seen)
    assert sights[0] == sights[1]
    assert two not in caplog.text


async def test_the_log_is_that_of_the_same_moves_by_hand() -> None:
    logs = []
    for planning in (False, True):
        world = World(MemoryStore(), FakeClock(), FakeEntropy("same"))
        at = await begun(world)
        one, two = await at.course(2)
        if planning:
            await at.plan(await at.after(1), f"{one}: {two}")
        await at.play(one)
        if not planning:
            await at.play(two)
        logs.append(await world.store.log(at.id))
    assert logs[0] == logs[1]


async def test_a_seat_that_changes_hands_takes_no_plan_with_it(world: World) -> None:
    at = await begun(world)
    one, two = await at.course(2)
    planner = await at.after(1)
    await at.plan(planner, f"{one}: {two}")
    row = await world.queries.row(at.id)
    assert row is not None
    seats = tuple(replace(s, user=DAN.id, name="Dan") if s.user == planner.id else s for s in row.seats)
    await world.store.commit(Commit(replace(row, seats=seats, revision=row.revision + 1), world.clock.now()))
    assert await world.store.plans(at.id) == ()
    await at.world.play.submit(at.id, (await at.after(0)).id, one, request=world.new)
    await world.service.plans.run(at.id)
    assert (await at.match()).log[-1].data == one
