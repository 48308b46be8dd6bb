"""What the clocks of matches show."""

from __future__ import annotations

from dataclasses import replace
from datetime import time

from matches.clocks.control import time_zone
from matches.clocks.hours import PlayingHours
from matches.results import Refused
from tests.matches.clock_acts import BANK, DAILY, DAY, HOUR, PEOPLE, begun, face, left, mover, shown
from tests.matches.test_seats import changed, give
from tests.matches.world import ANN, BOB, CYD, World, played, refused


async def test_the_first_turn_begins_when_the_first_board_stands(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="focus", clock=DAILY)).row.id
    world.clock.advance(5 * HOUR)
    seen = await face(world, id_)
    assert (await left(world, id_), seen.seen) == ([DAY, DAY], False)
    assert await world.store.deadlines(id_) == {}
    await shown(world, id_)
    world.clock.advance(HOUR)
    first = await mover(world, id_)
    assert (await left(world, id_))[first] == DAY - HOUR
    assert await world.store.deadlines(id_) == {first: world.clock.now() + DAY - HOUR}


async def test_a_board_that_is_about_to_be_posted_shows_clocks_that_run(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="focus", clock=DAILY)).row.id
    world.clock.advance(5 * HOUR)
    row = await world.queries.row(id_)
    assert row is not None
    posting = await world.service.time_up.face(row, posting=True)
    assert posting is not None
    first = await mover(world, id_)
    reading = posting.readings[first]
    assert (posting.seen, reading.runs, reading.deadline) == (True, True, world.clock.now() + DAY)
    assert not (await face(world, id_)).seen, "only what is about to be posted"
    await shown(world, id_)
    assert (await face(world, id_)).readings[first] == reading


async def test_a_face_tells_when_hours_open_and_vacations_end(world: World) -> None:
    now = world.clock.now()
    hours = PlayingHours(
        time_zone("UTC"), (now + 2 * HOUR).time().replace(tzinfo=None), (now + 10 * HOUR).time()
    )
    id_ = await begun(world, replace(BANK, hours=hours))
    first = await mover(world, id_)
    seen = await face(world, id_)
    assert (seen.opens, seen.back(first)) == (now + 2 * HOUR, None)
    assert not isinstance(await world.service.vacations.begin(PEOPLE[first].id, 1), Refused)
    seen = await face(world, id_)
    assert seen.back(first) == now + DAY
    assert seen.away == {first}
    world.clock.advance(3 * HOUR)
    assert (await face(world, id_)).opens is None
    assert (await face(world, await begun(world, BANK))).opens is None


async def test_a_turn_uses_the_bank_and_its_end_adds_to_it(world: World) -> None:
    id_ = await begun(world, BANK)
    first = await mover(world, id_)
    world.clock.advance(4 * HOUR)
    await world.move(id_, PEOPLE[first])
    assert (await left(world, id_))[first] == 7 * HOUR
    world.clock.advance(HOUR)
    await world.move(id_, PEOPLE[1 - first])
    assert await left(world, id_) == ([7 * HOUR, 10 * HOUR] if first == 0 else [10 * HOUR, 7 * HOUR])


async def test_what_is_computed_step_by_step_is_what_the_log_gives(world: World) -> None:
    id_ = await begun(world, BANK)
    for hours in (1, 3, 2, 5):
        world.clock.advance(hours=hours)
        await world.move(id_, PEOPLE[await mover(world, id_)])
        kept = await face(world, id_)
        world.restart()
        assert await face(world, id_) == kept


async def test_a_match_without_a_clock_has_none(world: World) -> None:
    id_ = await begun(world, None)
    row = await world.queries.row(id_)
    assert row is not None
    assert await world.service.time_up.face(row) is None
    assert refused(await world.service.time_up.claim(id_, 1, request="c")) == "match.refuse.no_clock"
    assert await world.store.overdue(world.clock.now() + 999 * DAY) == ()


async def test_seats_that_decide_at_once_run_at_once(world: World) -> None:
    id_ = await begun(world, BANK, game="toy", seats=3)
    world.clock.advance(2 * HOUR)
    await world.move(id_, ANN)
    world.clock.advance(HOUR)
    assert await left(world, id_) == [9 * HOUR, 7 * HOUR, 7 * HOUR]
    assert set(await world.store.deadlines(id_)) == {1, 2}


async def test_computers_have_no_clock(world: World) -> None:
    row = await world.open_lobby(ANN, game="focus", clock=DAILY)
    await world.lobbies.add_computer(row.id, ANN.id, request=world.new)
    id_ = played(await world.lobbies.start(row.id, ANN.id, request=world.new)).row.id
    await world.computers.run(id_)
    await shown(world, id_)
    seen = await face(world, id_)
    assert set(seen.readings) == {0}
    assert set(await world.store.deadlines(id_)) <= {0}


async def test_playing_hours_are_all_that_counts(world: World) -> None:
    hours = PlayingHours(time_zone("Europe/Berlin"), time(9), time(21))
    id_ = await begun(world, replace(BANK, hours=hours))
    first = await mover(world, id_)
    world.clock.advance(11 * HOUR)  # from 13:00 to 24:00 in Berlin: eight hours of play
    assert (await left(world, id_))[first] == 2 * HOUR
    assert not (await face(world, id_)).readings[first].runs


async def test_a_takeback_earns_no_time(world: World) -> None:
    id_ = await begun(world, BANK)
    first = await mover(world, id_)
    world.clock.advance(6 * HOUR)
    await world.move(id_, PEOPLE[first])
    await world.service.undo.take_back(id_, PEOPLE[first].id, request=world.new)
    assert (await left(world, id_))[first] == 4 * HOUR


async def test_a_new_holder_keeps_their_clock_and_is_asked(world: World) -> None:
    id_ = await begun(world, BANK)
    first = await mover(world, id_)
    giver, other = PEOPLE[first], PEOPLE[1 - first]
    world.clock.advance(9 * HOUR)
    await world.move(id_, giver)
    world.clock.advance(HOUR)
    await world.move(id_, other)
    seat = first
    changed(await give(world, id_, giver, CYD))
    world.clock.advance(3 * HOUR)
    asked = played(await world.service.undo.take_back(id_, other.id, request="ask")).match.seq
    assert isinstance(await world.service.undo.offer(id_, CYD.id), Refused), "not theirs"
    played(await world.service.undo.agree(id_, CYD.id, request="yes", asked=asked))
    assert (await left(world, id_))[seat] == BANK.bank, "and not what the former holder had left"
    assert (await left(world, id_))[1 - seat] == BANK.bank - HOUR
    kept = await face(world, id_)
    world.restart()
    assert await face(world, id_) == kept
