"""What stops clocks: downtimes, pauses, vacations, lost channels."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from games.engine.match import Kind
from matches.outbox.messages import BoardMessage
from matches.outbox_drafts import draft
from matches.spans import Span
from matches.store.rows import Place, Post
from tests.fakes import CountingStore
from tests.matches.clock_acts import (
    DAILY,
    DAY,
    HOUR,
    PEOPLE,
    begun,
    ends,
    face,
    kinds,
    left,
    mover,
    shown,
)
from tests.matches.world import ANN, BOB, CYD, DAN, World, played, refused


async def test_a_downtime_costs_nobody_time(world: World) -> None:
    id_ = await begun(world, DAILY)
    beat = world.service.heartbeat.beat
    assert await beat() is None
    world.clock.advance(seconds=15)
    assert await beat() is None
    before = await left(world, id_)
    world.clock.advance(3 * DAY)
    world.restart()
    assert await world.service.heartbeat.beat() == Span(world.clock.now() - 3 * DAY, world.clock.now())
    assert await left(world, id_) == before
    assert await world.service.time_up.tick() == ()
    (due,) = (await world.store.deadlines(id_)).values()
    assert due > world.clock.now()


async def test_days_without_a_clock_are_no_downtime(world: World) -> None:
    await begun(world, None)
    for _ in range(3):
        assert await world.service.heartbeat.beat() is None
        world.clock.advance(DAY)
    id_ = await begun(world, DAILY)
    assert await world.service.heartbeat.beat() is None
    for person in PEOPLE[:2]:
        await world.service.pauses.ask(id_, person.id, request=world.new)
    world.clock.advance(DAY)
    assert await world.service.heartbeat.beat() is None
    world.clock.advance(DAY)
    await world.service.pauses.resume(id_, PEOPLE[0].id, request=world.new)
    world.clock.advance(seconds=5)  # killed before it beats again
    world.restart()
    world.clock.advance(HOUR)
    downtime = await world.service.heartbeat.beat()
    assert downtime is not None
    assert downtime.end - downtime.start == HOUR + timedelta(seconds=5)
    assert all(DAY - each < timedelta(seconds=1) for each in await left(world, id_))


async def test_an_outage_of_a_server_costs_nobody_there_time(world: World) -> None:
    here = await begun(world, ends("automatic", "loss"))
    there = (await world.match(ANN, BOB, game="focus", place=Place(901, 12), clock=DAILY)).row.id
    await shown(world, there)
    beat = world.service.heartbeat.beat
    await beat()
    world.clock.advance(seconds=10)
    assert await beat({900}) is None
    for hours in range(30):
        world.clock.advance(HOUR - timedelta(seconds=10))
        world.service.heartbeat._silence = 2 * HOUR
        if hours == 3:
            world.settings = {"silence": 2 * HOUR}
            world.restart()
        assert await world.service.heartbeat.beat({900}) is None
        assert await kinds(world, here) == []
        await world.service.time_up.tick()
    seen = await face(world, here)
    assert (seen.outage, seen.late) == (True, ())
    assert (await face(world, there)).late != (), "elsewhere time has run"
    assert await world.service.heartbeat.beat() is None
    assert not (await face(world, here)).outage
    assert await left(world, here) == [DAY, DAY]
    await world.service.time_up.tick()
    assert min((await world.store.deadlines(here)).values()) == world.clock.now() + DAY
    await world.move(here, PEOPLE[await mover(world, here)])
    kept = [one.entry.kind for one in await world.queries.log(here)]
    assert kept[-2:] == [Kind.DOWNTIME, Kind.PLAY]


async def test_a_clock_that_is_set_back_costs_nobody_time(world: World) -> None:
    id_ = await begun(world, DAILY)
    await world.service.heartbeat.beat()
    world.clock.advance(HOUR)
    await world.service.heartbeat.beat()
    before = await left(world, id_)
    world.clock.set(world.clock.now() - 20 * HOUR)
    assert await world.service.heartbeat.beat() is None
    assert all(now >= then for now, then in zip(await left(world, id_), before, strict=True))
    await world.move(id_, PEOPLE[await mover(world, id_)])
    log = await world.queries.log(id_)
    assert [one.at for one in log] == sorted(one.at for one in log)


async def test_a_pause_by_consent_stops_all_clocks_and_a_move_ends_it(world: World) -> None:
    id_ = await begun(world, DAILY, seats=3)
    pauses = world.service.pauses
    assert refused(await pauses.resume(id_, 1, request=world.new)) == "match.refuse.not_paused"
    await pauses.ask(id_, 1, request=world.new)
    assert refused(await pauses.ask(id_, 1, request=world.new)) == "match.refuse.pause_asked"
    await pauses.ask(id_, 2, request=world.new)
    assert not (await face(world, id_)).paused
    done = played(await pauses.ask(id_, 3, request=world.new))
    assert done.match.talk.paused
    assert await world.store.deadlines(id_) == {}
    before = await left(world, id_)
    world.clock.advance(9 * DAY)
    assert all(DAY - HOUR < now <= then for now, then in zip(await left(world, id_), before, strict=True))
    first = await mover(world, id_)
    await world.move(id_, PEOPLE[first])
    assert not (await face(world, id_)).paused
    world.clock.advance(HOUR)
    assert (await left(world, id_))[await mover(world, id_)] == DAY - HOUR
    await pauses.ask(id_, 1, request=world.new)
    assert played(await pauses.resume(id_, 2, request=world.new)).match.talk.pausing == frozenset()


async def test_a_vacation_stops_ones_clock_where_the_match_honours_it(world: World) -> None:
    there = await begun(world, DAILY)
    strict = await begun(world, replace(DAILY, vacations=False))
    for id_ in (there, strict):
        user = PEOPLE[await mover(world, id_)].id
        await world.service.vacations.begin(user, 3)
    world.clock.advance(2 * DAY)
    assert (await left(world, there))[await mover(world, there)] == DAY
    assert (await left(world, strict))[await mover(world, strict)] == timedelta()
    await world.service.time_up.tick()
    assert await kinds(world, there) == []
    assert await kinds(world, strict) == ["flag"]
    assert await world.service.vacations.end(user)
    world.clock.advance(DAY)
    await world.service.time_up.tick()


async def test_a_vacation_has_only_ones_own_clocks_computed_again(world: World) -> None:
    world.store = counting = CountingStore(world.store)
    world.restart()
    others = await begun(world, DAILY)
    row = await world.match(CYD, DAN, game="focus", clock=DAILY)
    await shown(world, row.row.id)
    for id_ in (others, row.row.id):
        await face(world, id_)
    counting.taken()
    await world.service.vacations.begin(CYD.id, 1)
    await face(world, others)
    assert "log" not in counting.taken()
    await face(world, row.row.id)
    assert counting.taken()["log"] == 1
    await world.service.vacations.end(CYD.id)
    await face(world, others)
    assert {"log", "downtimes"}.isdisjoint(counting.taken())


async def test_a_year_has_thirty_days_of_vacation(world: World) -> None:
    vacations = world.service.vacations
    assert await vacations.left(1) == 30 * DAY
    assert refused(await vacations.begin(1, 31)) == "match.refuse.vacation_left"
    assert refused(await vacations.begin(1, 0)) == "match.refuse.vacation_days"
    await vacations.begin(1, 20)
    assert await vacations.left(1) == 10 * DAY
    world.clock.advance(5 * DAY)
    assert await vacations.end(1)
    assert not await vacations.end(1)
    assert await vacations.left(1) == 25 * DAY
    assert refused(await vacations.begin(1, 26)) == "match.refuse.vacation_left"


async def test_a_vacation_begins_by_itself_only_if_one_wants_that(world: World) -> None:
    id_ = await begun(world, ends("automatic", "loss"))
    late = await mover(world, id_)
    await world.service.vacations.set_automatic(PEOPLE[late].id, automatic=True)
    days = 0
    while not (done := await world.service.time_up.tick()):
        world.clock.advance(DAY)
        days += 1
    assert done[0].match.seats.gone == {late}
    assert 30 <= days <= 32
    assert await world.service.vacations.left(PEOPLE[late].id) < DAY


async def test_a_lost_channel_stops_the_clocks_until_a_board_stands_again(world: World) -> None:
    id_ = await begun(world, DAILY)
    first = await mover(world, id_)
    world.clock.advance(HOUR)
    await world.channels.mark_unreachable(id_, "permission")
    world.clock.advance(5 * DAY)
    assert await world.service.time_up.tick() == ()
    assert (await left(world, id_))[first] == DAY - HOUR
    await world.channels.mark_reachable(id_)
    row = await world.queries.row(id_)
    assert row is not None
    number = await world.store.outbox_add(draft(BoardMessage(0, 0), id_), world.clock.now())
    await world.store.outbox_sent(number, Post(999, 10, id_, "board", 1))
    await world.service.time_up.tick()
    assert await world.store.deadlines(id_) == {first: world.clock.now() + DAY - HOUR}
