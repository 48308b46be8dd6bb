"""What stopped clocks beside the log is noted in it, once in each match: downtimes and vacations."""

from __future__ import annotations

from datetime import timedelta

from games.engine.match import Entry, Kind
from matches.clocks.control import TimeControl
from matches.results import Refused
from tests.fakes import CountingStore
from tests.matches.clock_acts import BANK, DAILY, DAY, HOUR, PEOPLE, begun, ends, face, left, mover
from tests.matches.world import ANN, World, played

NOTES = (Kind.DOWNTIME, Kind.VACATION)


async def notes(world: World, id_: str) -> list[Entry]:
    return [one.entry for one in await world.queries.log(id_) if one.entry.kind in NOTES]


async def go_down(world: World, *spans: timedelta) -> None:
    """Let downtimes pass, each after a beat, as a process that dies and starts again sees them."""
    await world.service.heartbeat.beat()
    for span in spans:
        world.clock.advance(span)
        world.restart()
        assert await world.service.heartbeat.beat() is not None
        world.clock.advance(seconds=10)
        assert await world.service.heartbeat.beat() is None


async def told(world: World, id_: str) -> list[str]:
    """Return the kinds of entries that the latest board or notice tells of."""
    payload = next(
        d.message.to_json() for d in reversed(await world.drafts(id_)) if d.kind in ("board", "notice")
    )
    log = await world.queries.log(id_)
    return [one.entry.kind.value for one in log[payload["first"] : payload["last"] + 1]]


async def test_downtimes_are_noted_before_the_next_change_and_told_with_it(world: World) -> None:
    id_ = await begun(world, DAILY)
    await go_down(world, 3 * HOUR, timedelta(minutes=2))
    assert await notes(world, id_) == [], "nothing is written while nobody does anything"
    first = await mover(world, id_)
    row = await world.queries.row(id_)
    await world.sent()
    done = await world.move(id_, PEOPLE[first])
    assert [(note.kind, note.seat, note.data) for note in await notes(world, id_)] == [
        (Kind.DOWNTIME, None, "10800 120")
    ]
    assert await told(world, id_) == ["downtime", "play"]
    times = [one.at for one in await world.queries.log(id_)]
    assert len(set(times[-2:])) == 2, "a change of its own"
    assert row is not None
    assert (done.row.revision, done.first) == (row.revision + 2, row.version + 2)
    _, facts = await world.queries.facts(id_, row.version + 1, done.last)
    assert facts[0].msg.key == "match.fact.downtime"
    await world.move(id_, PEOPLE[1 - first])
    assert len(await notes(world, id_)) == 1, "each is noted once"
    assert await told(world, id_) == ["play"]
    await world.check(id_)


async def test_only_matches_whose_clock_ran_note_a_downtime(world: World) -> None:
    paused, without = await begun(world, DAILY), await begun(world, None)
    for person in PEOPLE[:2]:
        await world.service.pauses.ask(paused, person.id, request=world.new)
    later = await begun(world, BANK)
    await go_down(world, 3 * HOUR)
    for id_ in (paused, without, later):
        seen = await world.queries.current(id_)
        assert not isinstance(seen, Refused)
        await world.move(id_, PEOPLE[min(seen.match.to_act)])
    assert [len(await notes(world, id_)) for id_ in (paused, without, later)] == [0, 0, 1]


async def test_what_was_offered_before_a_downtime_was_noted_is_no_older_for_it(world: World) -> None:
    id_ = await begun(world, ends("claim", "loss"))
    late = await mover(world, id_)
    await world.move(id_, PEOPLE[late])
    offer = await world.service.undo.offer(id_, PEOPLE[late].id)
    assert not isinstance(offer, Refused)
    await go_down(world, HOUR)
    back = await world.service.undo.take_back(id_, PEOPLE[late].id, request=world.new, version=offer.version)
    assert [entry.kind for entry in played(back).match.log[-2:]] == [Kind.DOWNTIME, Kind.TAKEBACK]
    world.clock.advance(DAY)
    await world.service.heartbeat.beat()
    await go_down(world, HOUR)
    world.clock.advance(DAY)
    world.service.heartbeat._silence = 2 * DAY
    assert await world.service.heartbeat.beat() is None
    claimed = await world.service.time_up.claim(id_, PEOPLE[1 - late].id, request=world.new)
    assert [entry.kind for entry in played(claimed).match.log[-5:]] == [
        *(Kind.DOWNTIME, Kind.CLAIM, Kind.FLAG, Kind.TIMEOUT, Kind.REVEAL)
    ]


async def test_conversation_after_a_downtime_asks_the_store_for_nothing_more(world: World) -> None:
    id_ = await begun(world, DAILY)
    await go_down(world, HOUR)
    world.store = counting = CountingStore(world.store)
    world.restart()
    await world.play.submit(id_, ANN.id, "hello", request=world.new)
    assert [entry.kind for entry in await notes(world, id_)] == [Kind.DOWNTIME]
    row = await world.queries.row(id_)
    counting.taken()
    await world.play.submit(id_, ANN.id, "hello", request=world.new, row=row)
    assert counting.taken() == {}


async def test_an_automatic_vacation_is_noted_and_told_at_once_where_time_was_running_out(
    world: World,
) -> None:
    id_ = await begun(world, ends("automatic", "loss"))
    slow = await begun(world, TimeControl(9 * DAY))
    late = await mover(world, id_)
    while await mover(world, slow) != late:  # seats are drawn by lot
        slow = await begun(world, TimeControl(9 * DAY))
    await world.service.vacations.set_automatic(PEOPLE[late].id, automatic=True)
    await world.sent()
    world.clock.advance(DAY)
    for _ in range(3):
        await world.service.time_up.tick()
    for each in (id_, slow):
        (note,) = await notes(world, each)
        assert (note.kind, note.seat, int(note.data)) == (Kind.VACATION, late, 25 * 3600)
    assert await told(world, id_) == ["vacation"]
    assert await world.drafts(slow) == [], "there it can wait for the next board"
    assert (await left(world, id_))[late] == HOUR
    world.restart()
    assert await world.service.time_up.tick() == ()
    assert len(await notes(world, id_)) == 1
    world.clock.advance(DAY)
    await world.service.time_up.tick()
    await world.move(slow, PEOPLE[late])
    assert await told(world, slow) == ["vacation", "play"]
    world.clock.advance(HOUR)
    await world.service.time_up.tick()
    assert len(await notes(world, id_)) == 2, "the next one is another"
    assert (await face(world, id_)).away == {late}
