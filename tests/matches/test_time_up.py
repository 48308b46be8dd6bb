"""Clocks in matches: what they show, and what follows when time is up."""

from __future__ import annotations

import pytest

from games.engine.match import Kind
from matches.absence.time_up import VANISHED, vanished
from matches.results import Refused
from matches.seats import Rights, SeatChange
from tests.matches.clock_acts import DAY, HOUR, PEOPLE, begun, ends, face, kinds, left, mover, shown
from tests.matches.world import ANN, CYD, World, played, refused


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
    assert told.match.seats.late == {late: 1}


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
    assert done.match.seats.gone == {late}
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


@pytest.mark.slow
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
