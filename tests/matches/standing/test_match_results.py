"""What finished matches say about their people."""

from __future__ import annotations

from datetime import timedelta

import pytest

from matches.people.moderation import Ruling, SeatHeld
from matches.results import Person, Played, Refused
from matches.standing.match_results import result_of
from matches.standing.ratings import START as NEW
from matches.store.rows import MatchRow, OriginRef, Place
from matches.store.standing import ComputerResult, Ladder, MatchResult, PersonResult, RatingChange
from tests.fakes import START, CountingStore
from tests.matches.clock_acts import PEOPLE, begun, ends, mover, shown
from tests.matches.standing.logs import MINUTE, by_user, ended_as, holder, log, row
from tests.matches.test_seats import changed, give
from tests.matches.world import ANN, BOB, CYD, DAN, SERVER, World, played

PLAYED = "0:play 1:play 0:play 1:play reveal"
MEASURED = '{"computers": {"1": [1640000, 45000]}}'
TOY = Ladder("toy", "2", 0)
DAY = timedelta(days=1)


def test_a_match_says_who_came_to_which_place() -> None:
    found = ended_as(PLAYED, 1, 2, ranks=(2, 1))
    assert (found.match, found.game, found.family, found.guild) == ("W-1", "toy", "2", 900)
    assert (found.at, found.sides, found.unrated) == (START + 5 * MINUTE, 2, "")
    assert found.scopes == (0, 900)
    assert [(one.user, one.seat, one.side, one.place, one.share) for one in found.people] == [
        (1, 0, 0, 2, "both"),
        (2, 1, 1, 1, "both"),
    ]
    assert ended_as(PLAYED, 1, 2, ranks=(1, 1), place=Place(None, 5)).scopes == (0,)


def test_families_have_ratings_of_their_own() -> None:
    assert ended_as(PLAYED, 1, 2, ranks=(1, 2), options={"rounds": 3}).family == "2 rounds=3"
    pairs = ended_as("0:play 1:play 2:play", 1, 2, 3, ranks=(1, 2, 1), options={"pairs": True})
    assert (pairs.family, pairs.sides) == ("2v1", 2)
    assert [one.side for one in pairs.people] == [0, 1, 0]


@pytest.mark.parametrize(
    "changes",
    [{"status": "live"}, {"status": "aborted"}, {"source": "study"}, {"source": "import"}, {"result": None}],
)
def test_other_matches_say_nothing(changes: dict[str, object]) -> None:
    assert result_of(row(1, 2, ranks=(1, 2), **changes), log(PLAYED), ()) is None
    assert result_of(row(None, None, ranks=(1, 2)), log(PLAYED), ()) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0:play 1:hint=1 1:play 0:play", "hint"),
        ("0:play 1:play 0:ask=1 0:takeback=1 1:play 0:play", "undo"),
        ("0:play 1:play 0:takeback=1 1:play 0:play", ""),
        ("0:play 1:play 0:ask=1 1:decline 1:play 0:takeback=1 1:play 0:play", ""),
        ("0:play 1:play 0:ask=1 1:play 0:takeback=1 1:play 0:play", ""),
    ],
)
def test_hints_and_undo_by_consent_make_it_friendly(text: str, why: str) -> None:
    assert ended_as(text, 1, 2, ranks=(1, 2)).unrated == why


def test_a_friendly_match_counts_for_no_rating_and_one_from_before_ratings_says_nothing() -> None:
    assert ended_as(PLAYED, 1, 2, ranks=(1, 2), rated=False).unrated == "friendly"
    assert result_of(row(1, 2, ranks=(1, 2), rated=None), log(PLAYED), ()) is None


def test_equal_places_are_tied() -> None:
    assert [one.tied for one in ended_as(PLAYED, 1, 2, ranks=(1, 2)).people] == [False, False]
    three = ended_as("0:play 1:play 2:play", 1, 2, 3, ranks=(1, 2, 2))
    assert [one.tied for one in three.people] == [False, True, True]
    pairs = ended_as("0:play 1:play 2:play", 1, 2, 3, ranks=(1, 2, 1), options={"pairs": True})
    assert [one.tied for one in pairs.people] == [False, False, False], "team mates share a place"


def test_forks_and_matches_with_computers_are_friendly() -> None:
    assert ended_as(PLAYED, 1, 2, ranks=(1, 2), origin=OriginRef("W-0", 3, 2, 1)).unrated == "fork"
    assert ended_as(PLAYED, 1, None, ranks=(1, 2)).unrated == "computer"
    assert ended_as("0:play 1:play 2:play", 1, 2, None, ranks=(1, 2, 3)).unrated == "computer"


def test_computers_whose_strength_the_log_has_make_nothing_friendly() -> None:
    found = ended_as(PLAYED, 1, None, ranks=(2, 1), start=MEASURED)
    assert found.unrated == ""
    assert found.computers == (ComputerResult(1, 1, 1, 1_640_000, 45_000),)
    assert [one.user for one in found.people] == [1]
    two = ended_as("0:play 1:play 2:play", 1, None, None, ranks=(1, 2, 3), start=MEASURED)
    assert two.unrated == "computer", "one is known, the other isn't"
    assert ended_as(PLAYED, 1, None, ranks=(1, 2), start=MEASURED, rated=False).unrated == "friendly"


def test_whoever_takes_over_from_a_measured_computer_is_a_substitute() -> None:
    held = (holder(1, 0, None), holder(1, 3, 2))
    text = "0:play 1:play 1:substitute=person 0:play 1:play"
    found = ended_as(text, 1, 2, ranks=(2, 1), holders=held, start=MEASURED)
    assert (found.unrated, len(found.computers)) == ("", 1)
    assert by_user(found)[2].share == "gain"


def test_a_computer_that_took_over_later_makes_nothing_friendly() -> None:
    held = (holder(1, 0, 2), holder(1, 3, None))
    found = ended_as("0:play 1:play 1:substitute=computer 0:play 1:play", 1, None, ranks=(1, 2), holders=held)
    assert found.unrated == ""
    left = by_user(found)[2]
    assert (left.share, left.why, left.moves, left.abandoned) == ("loss", "left", 1, True)
    won = ended_as("0:play 1:play 1:substitute=computer 0:play", 1, None, ranks=(2, 1), holders=held)
    assert by_user(won)[2].share == "loss", "and nothing to gain from what a computer won"


def test_a_substitute_can_gain_and_whoever_left_can_lose() -> None:
    text = "0:play 1:play 1:substitute=person 0:play 1:play"
    found = by_user(ended_as(text, 1, 3, ranks=(1, 2), holders=(holder(1, 0, 2), holder(1, 3, 3))))
    assert (found[2].share, found[2].why, found[2].began, found[2].moves) == ("loss", "left", True, 1)
    assert (found[3].share, found[3].why, found[3].began, found[3].moves) == ("gain", "substitute", False, 1)
    assert not found[3].abandoned


def test_a_substitute_who_leaves_again_has_no_share() -> None:
    text = "0:play 1:play 1:substitute=person 0:play 1:play 1:substitute=person 0:play 1:play"
    held = (holder(1, 0, 2), holder(1, 3, 3), holder(1, 6, 4))
    found = by_user(ended_as(text, 1, 4, ranks=(1, 2), holders=held))
    assert [found[user].share for user in (2, 3, 4)] == ["loss", "none", "gain"]


def test_whoever_comes_back_to_their_seat_has_never_left() -> None:
    text = "0:play 1:play 1:substitute=computer 0:play 1:play 1:substitute=person 0:play 1:play"
    held = (holder(1, 0, 2), holder(1, 3, None), holder(1, 6, 2))
    found = by_user(ended_as(text, 1, 2, ranks=(1, 2), holders=held))[2]
    assert (found.share, found.moves, found.abandoned) == ("both", 2, False)


def test_nobody_who_has_made_no_move_has_a_share() -> None:
    early = by_user(ended_as("0:play 1:resign", 1, 2, ranks=(1, 2)))
    assert [(early[user].share, early[user].why) for user in (1, 2)] == [("both", ""), ("none", "unmoved")]
    late = by_user(ended_as("0:play 1:play 0:play 1:resign", 1, 2, ranks=(1, 2)))
    assert late[2].share == "both"
    default = by_user(ended_as("0:play 1:default 0:play 1:timeout", 1, 2, ranks=(1, 2)))
    assert (default[2].moves, default[2].why) == (0, "unmoved"), "a move by the clock is none"


def test_whom_a_moderator_removes_has_no_share() -> None:
    found = by_user(ended_as("0:play 1:play 0:play 1:resign=moderator", 1, 2, ranks=(1, 2)))
    assert (found[2].share, found[2].why, found[2].abandoned) == ("none", "removed", True)


def test_timeouts_and_last_moves_are_known() -> None:
    found = by_user(ended_as("0:play 1:play 0:play 1:flag 1:timeout reveal", 1, 2, ranks=(1, 2)))
    assert found[2].timed_out == START + 5 * MINUTE
    assert found[2].last_move == START + 2 * MINUTE
    assert found[2].abandoned
    assert (found[1].timed_out, found[1].abandoned) == (None, False)


def test_nobody_holds_two_seats_of_a_rated_match() -> None:
    held = (holder(1, 0, 2), holder(1, 5, 3))
    text = "0:play 1:play 2:play 2:resign 1:substitute=person 0:play 1:play"
    assert ended_as(text, 1, 3, 3, ranks=(1, 2, 3), holders=held).unrated == "twice"


def test_the_pace_is_the_median_time_to_the_first_move_of_a_turn() -> None:
    logged = log("0:play 0:play 1:play 1:play 0:play 1:hint=1 1:play")
    found = result_of(row(1, 2, ranks=(1, 2)), logged, ())
    assert found is not None
    minute = 60_000
    assert by_user(found)[2].pace == minute, "waits of one and two minutes"
    assert by_user(found)[1].pace == minute
    assert by_user(ended_as("0:play 1:resign", 1, 2, ranks=(1, 2)))[2].pace is None


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


@pytest.mark.parametrize("drawn", [False, True])
async def test_a_result_that_a_moderator_decides_counts(world: World, drawn: bool) -> None:
    id_ = (await world.match(ANN, BOB, CYD, seats=3)).row.id
    for who in (ANN, BOB):
        await world.move(id_, who)
    ruling = Ruling(SERVER.guild or 0, 77, "a quarrel", world.new)
    moderation, held = world.service.moderation, SeatHeld(await seat_of(world, id_, BOB), BOB.id)
    ended = await (moderation.draw(id_, ruling) if drawn else moderation.award(id_, ruling, held))
    assert isinstance(ended, MatchRow)
    result, changes = await outcome(world, id_)
    places = {one.user: (one.place, one.share, one.abandoned) for one in result.people}
    assert places == {
        ANN.id: (1 if drawn else 2, "both", False),
        BOB.id: (1, "both", False),
        CYD.id: (1 if drawn else 2, "none", False),
    }, "who has made no move has no share"
    assert {one.user for one in changes if one.counted} == {ANN.id, BOB.id}
    ladder = Ladder("toy", result.family, 0)
    gained = await mu(world, BOB, ladder) - await mu(world, ANN, ladder)
    assert gained == 0 if drawn else gained > 0
    again = result_of(ended, await world.store.log(id_), await world.store.holders(id_))
    assert again == result, "a rebuild finds the same"


async def test_a_friendly_match_that_a_moderator_decides_stays_friendly(world: World) -> None:
    world.rated = False
    id_ = (await world.match(ANN, BOB)).row.id
    for who in (ANN, BOB):
        await world.move(id_, who)
    ruling = Ruling(SERVER.guild or 0, 77, "a quarrel", world.new)
    assert isinstance(await world.service.moderation.draw(id_, ruling), MatchRow)
    assert (await outcome(world, id_))[0].unrated == "friendly"
    assert await world.store.ratings_of(ANN.id) == {}


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
