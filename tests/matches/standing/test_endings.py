"""The end of a match writes what it says about its people, with the commit that ends it and once."""

from __future__ import annotations

from datetime import timedelta

import pytest

from matches.people.moderation import Ruling, SeatHeld
from matches.results import Person, Played, Refused
from matches.standing.weng_lin import START as NEW
from matches.store.rows import MatchRow
from matches.store.standing_rows import MatchResult, PersonResult, RatingChange
from matches.store.standing_store import Ladder
from tests.fakes import CountingStore
from tests.matches.clock_acts import PEOPLE, begun, ends, mover, shown
from tests.matches.test_seats import changed, give
from tests.matches.world import ANN, BOB, CYD, DAN, SERVER, World, played

TOY = Ladder("toy", "2", 0)
DAY = timedelta(days=1)


@pytest.fixture
def world(world: World) -> World:
    """A service on an empty store, whose matches are rated."""
    world.rated = True
    return world


async def outcome(world: World, match_id: str) -> tuple[MatchResult, tuple[RatingChange, ...]]:
    found = await world.store.match_result(match_id)
    assert found is not None
    return found


async def people(world: World, match_id: str) -> dict[int, PersonResult]:
    return {one.user: one for one in (await outcome(world, match_id))[0].people}


async def seat_of(world: World, match_id: str, who: Person) -> int:
    row = await world.queries.row(match_id)
    seat = None if row is None else world.queries.seat_of(row, who.id)
    assert seat is not None
    return seat


async def mu(world: World, who: Person, ladder: Ladder = TOY) -> int:
    """Return a person's rating in a ladder."""
    return (await world.store.ratings_of(who.id)).get(ladder, NEW).mu


async def test_a_match_that_is_played_out_changes_ratings_once(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    end = await world.play_out(id_, ANN, BOB)
    result, changes = await outcome(world, id_)
    assert end.row.result is not None
    assert [one.place for one in result.people] == end.row.result["ranks"]
    assert result.at == end.row.updated
    assert {one.user: one.after for one in changes if one.scope == 0} == {
        who.id: (await world.store.ratings_of(who.id))[TOY] for who in (ANN, BOB)
    }
    assert {ladder.scope for ladder in await world.store.ratings_of(ANN.id)} == {0, SERVER.guild}
    world.restart()
    assert (await outcome(world, id_)) == (result, changes)


async def test_only_the_end_of_a_match_reads_its_log(world: World) -> None:
    world.store = counting = CountingStore(world.store)
    world.restart()
    id_ = (await world.match(ANN, BOB)).row.id
    counting.taken()
    await world.move(id_, ANN)
    await world.move(id_, BOB)
    taken = counting.taken()
    assert "log" not in taken
    assert "holders" not in taken
    await world.play.resign(id_, BOB.id, request=world.new)
    assert counting.taken() == {"match": 1, "log": 1, "holders": 1, "commit": 1}


async def test_resigning_counts_once_both_have_moved(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    early = played(await world.play.resign(id_, BOB.id, request="early"))
    assert early.row.status == "over"
    assert [one.counted for one in (await outcome(world, id_))[1]] == [False] * 4
    assert await world.store.ratings_of(ANN.id) == {}
    id_ = (await world.match(ANN, BOB)).row.id
    for who in (ANN, BOB):
        await world.move(id_, who)
    for _ in range(2):
        played(await world.play.resign(id_, BOB.id, request="twice"))
    assert await mu(world, ANN) > NEW.mu > await mu(world, BOB)
    assert (await world.store.ratings_of(ANN.id))[TOY].matches == 1


@pytest.mark.parametrize("seats", [2, 3])
async def test_an_aborted_or_expired_match_says_nothing(world: World, seats: int) -> None:
    id_ = (await world.match(*(ANN, BOB, CYD)[:seats], seats=seats)).row.id
    played(await world.play.abort(id_, ANN.id, request=world.new))
    assert await world.store.match_result(id_) is None


async def test_what_a_moderator_ends_says_nothing_until_it_is_resumed_and_over(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    await world.move(id_, ANN)
    await world.move(id_, BOB)
    ruling = Ruling(SERVER.guild or 0, 77, "a quarrel", world.new)
    assert isinstance(await world.service.moderation.end(id_, ruling), MatchRow)
    assert await world.store.match_result(id_) is None
    again = Ruling(SERVER.guild or 0, 77, "settled", world.new)
    assert isinstance(await world.service.moderation.resume(id_, again), MatchRow)
    await world.play.resign(id_, BOB.id, request=world.new)
    assert await mu(world, ANN) > NEW.mu


async def test_whom_a_moderator_removes_loses_no_rating(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    await world.move(id_, ANN)
    await world.move(id_, BOB)
    ruling = Ruling(SERVER.guild or 0, 77, "a quarrel", world.new)
    held = SeatHeld(await seat_of(world, id_, BOB), BOB.id)
    assert isinstance(await world.service.moderation.remove(id_, ruling, held), MatchRow)
    found = await people(world, id_)
    assert (found[BOB.id].share, found[BOB.id].why) == ("none", "removed")
    assert await world.store.ratings_of(ANN.id) == {}


async def test_a_substitute_loses_nothing_and_whoever_gave_the_seat_away_does(world: World) -> None:
    ladder = Ladder("toy", "2 rounds=3", 0)
    id_ = (await world.match(ANN, BOB, options={"rounds": 3})).row.id
    for who in (ANN, BOB):
        await world.move(id_, who)
    changed(await give(world, id_, BOB, CYD))
    for who in (ANN, CYD):
        await world.move(id_, who)
    played(await world.play.resign(id_, CYD.id, request=world.new))
    found = await people(world, id_)
    assert [found[who.id].share for who in (ANN, BOB, CYD)] == ["both", "loss", "gain"]
    assert [found[who.id].moves for who in (ANN, BOB, CYD)] == [2, 1, 1]
    assert await mu(world, BOB, ladder) < NEW.mu == await mu(world, CYD, ladder)
    assert await mu(world, ANN, ladder) > NEW.mu


async def test_the_first_timeout_of_someone_who_vanished_counts_and_the_others_do_not(world: World) -> None:
    matches = [await begun(world, ends("automatic", "loss")) for _ in range(3)]
    for id_ in matches:
        for _ in range(2):
            await world.move(id_, PEOPLE[await mover(world, id_)])
            await shown(world, id_)
    late = {id_: PEOPLE[await mover(world, id_)] for id_ in matches}
    for _ in range(3):
        world.clock.advance(DAY / 2)
        await world.service.time_up.tick()
    for id_ in matches:
        result, _ = await outcome(world, id_)
        assert next(one for one in result.people if one.timed_out is not None).user == late[id_].id
    counted = [(await outcome(world, id_))[1][0].counted for id_ in sorted(matches)]
    per_person = {who.id: sum(1 for one in late.values() if one == who) for who in (ANN, BOB)}
    assert sum(counted) == sum(1 for n in per_person.values() if n)


async def test_a_fork_and_its_rematch_are_friendly(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    end = await world.play_out(id_, ANN, BOB)
    before = await mu(world, ANN)
    fork = await world.service.forks.open(end.row, DAN, SERVER, request=world.new, move=1)
    assert not isinstance(fork, Refused)
    await world.lobbies.join(fork.row.id, ANN, request=world.new)
    assert isinstance(await world.lobbies.start(fork.row.id, DAN.id, request=world.new), Played)
    await world.play_out(fork.row.id, DAN, ANN)
    assert (await outcome(world, fork.row.id))[0].unrated == "fork"
    assert await mu(world, ANN) == before
