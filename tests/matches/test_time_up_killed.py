"""What the clock does, takebacks and offers of seats happen once, wherever the process is killed."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any, cast

import pytest

from games.engine.match import Kind
from matches.clocks.control import Acts, Follows
from matches.ports import Store
from matches.results import Played
from matches.store.seats import SeatOffer
from tests.matches.clock_acts import DAILY, DAY, PEOPLE, begun, ends, mover
from tests.matches.world import CYD, World
from tests.soak import sampled

WRITES = {"commit", "set_deadlines", "add_vacation", "beat", "add_downtime", "offer_seat"}


class Killed(BaseException):
    """The process is killed."""


class Dying:
    """A store whose process dies at its `nth` write: before it, or just after."""

    def __init__(self, store: Store, nth: int, *, after: bool) -> None:
        self._store, self._left, self._after = store, nth, after

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            if name in WRITES:
                self._left -= 1
            dies = name in WRITES and self._left == 0
            if dies and not self._after:
                raise Killed
            answer = await method(*args, **kwargs)
            if dies:
                raise Killed
            return answer

        return call


@pytest.mark.slow
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("nth", sampled(range(1, 8), (1, 2, 3, 5)))
@pytest.mark.parametrize("acts", ["claim", "automatic"])
@pytest.mark.parametrize("follows", ["default", "loss"])
async def test_what_the_clock_does_is_done_once_however_often_it_is_killed(
    world: World, nth: int, acts: Acts, follows: Follows, *, after: bool
) -> None:
    id_ = await begun(world, ends(acts, follows), game="toy", seats=3)
    await world.service.heartbeat.beat()
    world.clock.advance(DAY)
    store = world.store
    world.store = cast("Store", Dying(store, nth, after=after))
    world.restart()
    world.settings = {"silence": timedelta(days=9)}
    world.restart()
    try:
        await world.service.heartbeat.beat()
        await world.service.time_up.tick()
    except Killed:
        pass
    world.store = store
    world.restart()
    await world.service.heartbeat.beat()
    await world.service.time_up.tick()
    log = await world.queries.log(id_)
    flags = [int(one.entry.seat or 0) for one in log if one.entry.kind is Kind.FLAG]
    assert sorted(flags) == [0, 1, 2][: len(flags)]
    assert len(flags) == (3 if (acts, follows) != ("automatic", "loss") else 2)
    told = [d.message.to_json()["last"] for d in await world.drafts(id_) if d.kind in ("board", "notice")]
    assert len(told) == len(set(told)) == len(flags)
    await world.check(id_)


@pytest.mark.slow
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("nth", range(1, 5))
async def test_a_takeback_and_a_seat_that_is_taken_count_once(world: World, nth: int, *, after: bool) -> None:
    id_ = await begun(world, DAILY)
    first = await mover(world, id_)
    await world.move(id_, PEOPLE[first])
    done = await world.move(id_, PEOPLE[1 - first])
    await world.sent()
    store = world.store

    async def act() -> None:
        undo, seats = world.service.undo, world.service.seats
        asked = await undo.take_back(id_, PEOPLE[first].id, request="ask")
        entry = asked.first if isinstance(asked, Played) else done.match.seq + 1
        await undo.agree(id_, PEOPLE[1 - first].id, request="agree", asked=entry)
        row = await world.queries.row(id_)
        assert row is not None
        if row.seats[first].user == PEOPLE[first].id:
            await seats.offer(row, SeatOffer(id_, first, PEOPLE[first].id, row.version))
        await seats.take(id_, first, CYD, request="take", offered=row.version)

    world.store = cast("Store", Dying(store, nth, after=after))
    world.restart()
    with suppress(Killed):
        await act()
    for _ in range(2):  # whatever Discord tells once more
        world.store = store
        world.restart()
        await act()
    kinds = [one.entry.kind for one in await world.queries.log(id_)]
    assert [kinds.count(kind) for kind in (Kind.ASK, Kind.TAKEBACK, Kind.SUBSTITUTE)] == [1, 1, 1]
    assert await store.seat_offers(id_) == ()
    boards = [draft.message.to_json()["last"] for draft in await world.drafts(id_) if draft.kind == "board"]
    assert len(boards) == len(set(boards)) == 2
    await world.check(id_)
