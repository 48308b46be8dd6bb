"""Clocks in matches: what they show, and what follows when time is up."""

from __future__ import annotations

from dataclasses import replace
from datetime import time, timedelta
from typing import Any, cast

import pytest

from games.engine.match import Kind
from matches.clocks.control import Acts, Follows, TimeControl, per_move, time_zone
from matches.clocks.hours import PlayingHours
from matches.clocks.spans import Span
from matches.ports import Store
from matches.results import Refused
from matches.rows import Draft, Post
from matches.seats import Rights, SeatChange
from matches.time_up import VANISHED, vanished
from matches.timekeeper import ClockFace
from tests.matches.world import ANN, BOB, CYD, DAN, World, played, refused

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


# --- time is up -------------------------------------------------------------------------------------------


def ends(acts: Acts, follows: Follows) -> TimeControl:
    return replace(DAILY, acts=acts, follows=follows)


async def test_who_is_late_may_still_move_until_an_opponent_claims(world: World) -> None:
    id_ = await begun(world, ends("claim", "default"))
    late = await mover(world, id_)
    world.clock.advance(DAY)
    (told,) = await world.service.time_up.tick()
    assert await kinds(world, id_) == ["flag"]
    assert (await world.drafts(id_))[-1].kind == "notice"
    assert await world.service.time_up.tick() == ()
    assert await world.store.deadlines(id_) == {}
    await world.move(id_, PEOPLE[late])
    assert (await face(world, id_)).late == ()
    assert (
        refused(await world.service.time_up.claim(id_, PEOPLE[1 - late].id, request="c"))
        == "match.refuse.time_left"
    )
    assert told.match.late == {late: 1}


async def test_an_opponent_claims_the_default_move(world: World) -> None:
    id_ = await begun(world, ends("claim", "default"))
    late = await mover(world, id_)
    opponent = PEOPLE[1 - late].id
    claim = world.service.time_up.claim
    assert refused(await claim(id_, opponent, request="a")) == "match.refuse.time_left"
    world.clock.advance(DAY)
    await world.service.time_up.tick()
    assert refused(await claim(id_, PEOPLE[late].id, request="b")) == "match.refuse.own_time"
    assert refused(await claim(id_, CYD.id, request="c")) == "match.refuse.not_yours"
    done = played(await claim(id_, opponent, request="d"))
    assert played(await claim(id_, opponent, request="d")).repeated
    assert await kinds(world, id_) == ["flag", "claim", "default"]
    assert (await world.drafts(id_))[-1].kind == "board"
    authors = [(one.entry.kind, one.user) for one in await world.queries.log(id_)][-2:]
    assert authors == [(Kind.CLAIM, opponent), (Kind.DEFAULT, None)]
    assert done.match.to_act == {1 - late}


async def test_a_claim_that_comes_before_the_sweep_says_that_time_is_up(world: World) -> None:
    id_ = await begun(world, ends("claim", "loss"))
    late = await mover(world, id_)
    world.clock.advance(DAY)
    done = played(await world.service.time_up.claim(id_, PEOPLE[1 - late].id, request="d"))
    assert await kinds(world, id_) == ["claim", "flag", "timeout", "reveal"] or (
        await kinds(world, id_) == ["flag", "timeout", "reveal"]
    )
    assert done.row.result is not None
    assert done.row.result["timeouts"] == [late]
    assert await world.service.time_up.tick() == ()
    await world.check(id_)


@pytest.mark.parametrize("game", ["focus", "dominance", "two_domains", "dominion", "domination"])
async def test_the_clock_plays_the_default_until_the_turn_is_over(world: World, game: str) -> None:
    id_ = await begun(world, ends("automatic", "default"), game=game)
    seats = (await face(world, id_)).to_act
    world.clock.advance(DAY)
    done = await world.service.time_up.tick()
    assert {each.match.log[each.first].kind for each in done} == {Kind.FLAG}
    after = await world.queries.current(id_)
    log = await world.queries.log(id_)
    assert {one.user for one in log if one.entry.kind in (Kind.FLAG, Kind.DEFAULT)} == {None}
    assert len([one for one in log if one.entry.kind is Kind.FLAG]) == len(seats)
    assert (await face(world, id_)).late == ()
    assert not getattr(after, "stale", False)
    await world.check(id_)


async def test_a_late_seat_loses_where_that_is_agreed(world: World) -> None:
    id_ = await begun(world, ends("automatic", "loss"), seats=3)
    late = await mover(world, id_)
    world.clock.advance(DAY)
    (done,) = await world.service.time_up.tick()
    assert done.match.gone == {late}
    assert done.match.ending is None
    assert list(await world.store.deadlines(id_)) == [await mover(world, id_)]


async def test_who_was_late_three_times_in_a_row_has_vanished(world: World) -> None:
    id_ = await begun(world, ends("automatic", "default"))
    late = await mover(world, id_)
    for times in range(1, VANISHED + 1):
        world.clock.advance(DAY + HOUR)
        await world.service.time_up.tick()
        seen = await world.queries.current(id_)
        assert not isinstance(seen, Refused)
        assert vanished(seen.match) == (frozenset((late,)) if times == VANISHED else frozenset())
        seat_offer = world.service.seats.why_not_offer(
            seen.row, seen.match, late, PEOPLE[1 - late].id, Rights()
        )
        assert (seat_offer is None) == (times == VANISHED), "then their opponent may look for someone else"
        if times < VANISHED:
            await world.move(id_, PEOPLE[1 - late])


async def test_a_computer_takes_the_seat_and_its_person_comes_back_twice_at_most(world: World) -> None:
    id_ = await begun(world, ends("automatic", "computer"), seats=3)
    late = await mover(world, id_)
    user = PEOPLE[late]
    for times in range(3):
        while await mover(world, id_) != late:
            await world.move(id_, PEOPLE[await mover(world, id_)])
            await world.computers.run(id_)
        world.clock.advance(DAY + HOUR)
        for done in await world.service.time_up.tick():
            await world.computers.run(id_, done.row)
        row = await world.queries.row(id_)
        assert row is not None
        assert row.seats[late].occupant == "computer"
        assert late not in (await face(world, id_)).readings
        back = await world.service.seats.come_back(id_, user, request=world.new)
        if times < 2:
            assert isinstance(back, SeatChange)
            assert (await left(world, id_))[late] == DAY, "a whole bank"
        else:
            assert refused(back) == "match.refuse.seat_none_kept"
    await world.check(id_)


async def test_where_a_computer_would_be_alone_the_default_move_is_played(world: World) -> None:
    row = await world.open_lobby(ANN, game="focus", clock=ends("automatic", "computer"))
    await world.lobbies.add_computer(row.id, ANN.id, request=world.new)
    id_ = played(await world.lobbies.start(row.id, ANN.id, request=world.new)).row.id
    await world.computers.run(id_)
    await shown(world, id_)
    world.clock.advance(DAY + HOUR)
    await world.service.time_up.tick()
    assert (await kinds(world, id_))[:2] == ["flag", "default"]


async def test_an_opponent_claims_that_a_computer_plays_on(world: World) -> None:
    id_ = await begun(world, ends("claim", "computer"), seats=3)
    late = await mover(world, id_)
    world.clock.advance(DAY)
    await world.service.time_up.tick()
    claimant = next(person for seat, person in enumerate(PEOPLE[:3]) if seat != late)
    played(await world.service.time_up.claim(id_, claimant.id, request=world.new))
    assert await kinds(world, id_) == ["flag", "claim", "substitute"]


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


# --- what stops clocks ------------------------------------------------------------------------------------


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
    assert done.match.paused
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
    assert played(await pauses.resume(id_, 2, request=world.new)).match.pausing == frozenset()


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
    assert done[0].match.gone == {late}
    assert 30 <= days <= 32
    assert await world.service.vacations.left(PEOPLE[late].id) < DAY


async def test_playing_hours_are_all_that_counts(world: World) -> None:
    hours = PlayingHours(time_zone("Europe/Berlin"), time(9), time(21))
    id_ = await begun(world, replace(BANK, hours=hours))
    first = await mover(world, id_)
    world.clock.advance(11 * HOUR)  # from 13:00 to 24:00 in Berlin: eight hours of play
    assert (await left(world, id_))[first] == 2 * HOUR
    assert not (await face(world, id_)).readings[first].runs


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
    number = await world.store.outbox_add(
        Draft("board", id_, id_, {"first": 0, "last": 0}), world.clock.now()
    )
    await world.store.outbox_sent(number, Post(999, 10, id_, "board", 1))
    await world.service.time_up.tick()
    assert await world.store.deadlines(id_) == {first: world.clock.now() + DAY - HOUR}


async def test_a_takeback_earns_no_time(world: World) -> None:
    id_ = await begun(world, BANK)
    first = await mover(world, id_)
    world.clock.advance(6 * HOUR)
    await world.move(id_, PEOPLE[first])
    await world.service.undo.take_back(id_, PEOPLE[first].id, request=world.new)
    assert (await left(world, id_))[first] == 4 * HOUR


# --- crashes ----------------------------------------------------------------------------------------------

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
