"""Matches with clocks, and what their clocks show."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from matches.clocks.control import Acts, Follows, TimeControl, per_move
from matches.clocks.timekeeper import ClockFace
from matches.store.rows import Post
from tests.matches.world import ANN, BOB, CYD, DAN, World

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


DAILY = per_move(DAY)


BANK = TimeControl(10 * HOUR, HOUR, 20 * HOUR)


async def begun(world: World, clock: TimeControl | None, *, game: str = "focus", seats: int = 2) -> str:
    """Return a match that has a clock, and whose first board stands."""
    people = (ANN, BOB, CYD, DAN)[:seats]
    id_ = (await world.match(*people, game=game, clock=clock)).row.id
    await shown(world, id_)
    return id_


async def shown(world: World, id_: str, message: int = 70) -> None:
    """Post what waits to be posted."""
    for row in await world.store.outbox_pending(id_):
        post = Post(message + row.id, 10, id_, row.draft.kind) if row.draft.kind == "board" else None
        await world.store.outbox_sent(row.id, post)
    await world.service.time_up.tick()


async def face(world: World, id_: str) -> ClockFace:
    row = await world.queries.row(id_)
    assert row is not None
    found = await world.service.time_up.face(row)
    assert found is not None
    return found


async def left(world: World, id_: str) -> list[timedelta]:
    """Return what each person has left."""
    found = await face(world, id_)
    return [found.readings[seat].left for seat in sorted(found.readings)]


async def kinds(world: World, id_: str) -> list[str]:
    """Return the log from the first entry that the clock made."""
    log = [one.entry.kind.value for one in await world.queries.log(id_)]
    return log[log.index("flag") :] if "flag" in log else []


async def mover(world: World, id_: str) -> int:
    seen = await face(world, id_)
    return min(seen.to_act)


PEOPLE = (ANN, BOB, CYD, DAN)


def ends(acts: Acts, follows: Follows) -> TimeControl:
    return replace(DAILY, acts=acts, follows=follows)
