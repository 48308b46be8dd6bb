"""Whatever the clock does is done once, wherever the process is killed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

import pytest

from games.engine.match import Kind
from matches.clocks.control import Acts, Follows
from matches.ports import Store
from tests.matches.clock_acts import DAY, begun, ends
from tests.matches.world import World

WRITES = {"commit", "set_deadlines", "add_vacation", "beat", "add_downtime"}


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


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("nth", range(1, 8))
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
    told = [d.payload["last"] for d in await world.drafts(id_) if d.kind in ("board", "notice")]
    assert len(told) == len(set(told)) == len(flags)
    await world.check(id_)
