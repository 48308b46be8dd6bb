"""What moderators do with matches, seats, tables and people; blocks between people."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from games.engine.match import Kind, fold
from games.engine.record import export, read
from matches.people.moderation import Ruling, SeatHeld
from matches.results import Lobby, Person, Played, Refused
from matches.store.rows import MatchRow, Place
from tests.matches import clock_acts
from tests.matches.clock_acts import DAILY, DAY, HOUR, begun, face, mover, shown
from tests.matches.world import ANN, BOB, CYD, DAN, SERVER, World, opened, played

MOD = 77
GUILD = SERVER.guild or 0


def by(world: World, *, moderator: int = MOD, guild: int = GUILD, reason: str = "a quarrel") -> Ruling:
    return Ruling(guild, moderator, reason, world.new)


def row_of(answer: MatchRow | Refused) -> MatchRow:
    assert isinstance(answer, MatchRow), answer
    return answer


def key(answer: object) -> str:
    assert isinstance(answer, Refused), answer
    return answer.why.key


async def acts(world: World) -> list[str]:
    return [row.action for row in reversed(await world.store.moderated(GUILD))]


async def left(world: World, id_: str) -> list[timedelta]:
    """What each person has left, in whole seconds: entries of one moment are a millisecond apart."""
    return [timedelta(seconds=round(one.total_seconds())) for one in await clock_acts.left(world, id_)]


async def due(world: World, id_: str, seat: int) -> timedelta:
    """How long it is until the deadline of a seat, in whole seconds."""
    dues = await world.store.deadlines(id_)
    return timedelta(seconds=round((dues[seat] - world.clock.now()).total_seconds()))


async def held(world: World, id_: str, seat: int) -> SeatHeld:
    row = await world.queries.row(id_)
    assert row is not None
    return SeatHeld(seat, row.seats[seat].user)


async def test_a_pause_stops_moves_and_clocks_until_a_moderator_resumes(world: World) -> None:
    id_ = await begun(world, DAILY)
    moderation = world.service.moderation
    world.clock.advance(5 * HOUR)
    row_of(await moderation.pause(id_, by(world)))
    (told,) = [draft for draft in await world.drafts(id_) if draft.kind == "notice"]
    assert told.message.to_json()["reason"] == "a quarrel"
    seen = await world.queries.current(id_)
    assert not isinstance(seen, Refused)
    assert not seen.match.to_act
    assert await world.store.deadlines(id_) == {}
    for who in (ANN, BOB):
        assert key(await world.play.resign(id_, who.id, request=world.new)) == "match.refuse.held"
        assert key(await world.service.pauses.resume(id_, who.id, request=world.new)) == "match.refuse.held"
    assert key(await moderation.pause(id_, by(world))) == "match.refuse.held_already_pause"
    world.restart()
    assert min(await left(world, id_)) == DAY - 5 * HOUR
    before = await left(world, id_)
    world.clock.advance(timedelta(days=9))
    await world.service.time_up.tick()
    assert await left(world, id_) == before
    row_of(await world.service.moderation.resume(id_, by(world)))
    assert await left(world, id_) == before
    boards = [draft for draft in await world.drafts(id_) if draft.kind == "board"]
    assert boards[-1].message.to_json()["ping"], "those who are to act are called again"
    seen = await world.queries.current(id_)
    assert not isinstance(seen, Refused)
    assert len(seen.match.to_act) == 1
    assert await acts(world) == ["pause", "resume"]
    await world.check(id_)


async def test_an_ended_match_keeps_its_secret_and_can_be_reopened(world: World) -> None:
    id_ = await begun(world, DAILY)
    moderation = world.service.moderation
    row = row_of(await moderation.end(id_, by(world)))
    assert (row.status, row.ended_by_moderator, row.set_aside) == ("aborted", True, True)
    log = [one.entry for one in await world.queries.log(id_)]
    assert log[-1].kind is Kind.RULING, "the secret isn't revealed"
    assert key(await world.play.resign(id_, ANN.id, request=world.new)) == "match.refuse.held_ended"
    assert key(await world.service.idle.go_on(id_, ANN.id)) == "match.refuse.held_ended"
    assert key(await moderation.end(id_, by(world))) == "match.refuse.held_already_end"
    assert key(await moderation.pause(id_, by(world))) == "match.refuse.held_already_end"
    assert (
        key(await moderation.remove(id_, by(world), await held(world, id_, 0))) == "match.refuse.held_ended"
    )
    world.clock.advance(timedelta(days=30))
    world.restart()
    row = row_of(await world.service.moderation.resume(id_, by(world)))
    assert (row.status, row.result) == ("live", None)
    assert await left(world, id_) == [DAY, DAY]
    assert await world.store.deadlines(id_)
    assert await acts(world) == ["end", "resume"]
    await world.check(id_)
    assert fold(one.entry for one in await world.queries.log(id_)).hosting.held == ""


async def test_a_match_that_is_over_cant_be_reopened(world: World) -> None:
    id_ = await begun(world, None)
    await world.play.resign(id_, ANN.id, request=world.new)
    assert key(await world.service.moderation.resume(id_, by(world))) == "match.refuse.reopen"
    assert key(await world.service.moderation.end(id_, by(world))) == "match.refuse.over"
    assert await acts(world) == []


async def test_a_result_that_a_moderator_decides_ends_a_match_for_good(world: World) -> None:
    id_ = await begun(world, DAILY, seats=3)
    moderation = world.service.moderation
    row_of(await moderation.pause(id_, by(world)))
    row_of(await moderation.remove(id_, by(world), await held(world, id_, 1)))
    gone = await moderation.award(id_, by(world), await held(world, id_, 1))
    assert key(gone) == "match.refuse.seat_out"
    assert key(await moderation.award(id_, by(world), SeatHeld(2, 4242))) == "match.refuse.seat_changed"
    assert key(await moderation.award(id_, by(world), SeatHeld(9, None))) == "match.refuse.seat_changed"
    row = row_of(await moderation.award(id_, by(world), await held(world, id_, 2)))
    assert (row.status, row.result) == ("over", {"how": "ruling", "ranks": [2, 2, 1]})
    board = (await world.drafts(id_))[-1]
    assert (board.kind, board.message.to_json()["reason"]) == ("board", "a quarrel")
    assert await world.store.deadlines(id_) == {}
    assert key(await moderation.draw(id_, by(world))) == "match.refuse.over"
    assert key(await moderation.award(id_, by(world), await held(world, id_, 0))) == "match.refuse.over"
    assert key(await moderation.resume(id_, by(world))) == "match.refuse.reopen"
    assert await acts(world) == ["pause", "remove", "win"]
    (act, *_) = await world.store.moderated(GUILD)
    assert (act.person, act.detail) == (row.seats[2].user, "")


async def test_the_log_keeps_the_level_of_a_computer_that_is_awarded_a_match(world: World) -> None:
    id_ = (await world.open_lobby(ANN)).id
    opened(await world.lobbies.add_computer(id_, ANN.id, request=world.new))
    played(await world.lobbies.start(id_, ANN.id, request=world.new))
    row = row_of(await world.service.moderation.award(id_, by(world), await held(world, id_, 1)))
    assert row.result == {"how": "ruling", "ranks": [2, 1]}
    (act,) = await world.store.moderated(GUILD)
    assert (act.action, act.person, act.detail) == ("win", None, row.seats[1].level)
    assert act.detail
    await world.check(id_)


async def test_a_match_that_was_ended_without_a_result_gets_one_once_it_is_reopened(world: World) -> None:
    id_ = await begun(world, None)
    moderation = world.service.moderation
    row_of(await moderation.end(id_, by(world)))
    assert key(await moderation.draw(id_, by(world))) == "match.refuse.held_ended"
    assert key(await moderation.award(id_, by(world), await held(world, id_, 0))) == "match.refuse.held_ended"
    row_of(await moderation.resume(id_, by(world)))
    row = row_of(await moderation.draw(id_, by(world)))
    assert (row.status, row.result) == ("over", {"how": "ruling", "ranks": [1, 1]})
    assert await acts(world) == ["end", "resume", "draw"]
    await world.check(id_)


async def test_a_match_that_was_set_aside_is_taken_up_by_a_moderator(world: World) -> None:
    await world.store.save_settings("guild", GUILD, {"idle": 14})
    id_ = await begun(world, None)
    await world.pass_time(days=15)
    await world.pass_time(days=8)
    assert row_of(await world.service.moderation.resume(id_, by(world))).status == "live"
    assert (await world.drafts(id_))[-1].message.to_json()["reason"] == "a quarrel"


async def test_an_idle_match_that_a_moderator_has_paused_isnt_asked_about(world: World) -> None:
    await world.store.save_settings("guild", GUILD, {"idle": 14})
    id_ = await begun(world, None)
    row_of(await world.service.moderation.pause(id_, by(world)))
    await world.sent()
    await world.pass_time(days=15)
    await world.pass_time(days=15)
    assert await world.drafts(id_) == []


async def test_more_time_counts_from_now_on_and_survives_a_takeback(world: World) -> None:
    id_ = await begun(world, DAILY)
    seat = await mover(world, id_)
    other = 1 - seat
    moderation = world.service.moderation
    world.clock.advance(timedelta(hours=20))
    row_of(await moderation.give_time(id_, by(world), await held(world, id_, seat), 3600))
    assert (await left(world, id_))[seat] == 5 * HOUR
    row_of(await moderation.give_time(id_, by(world), await held(world, id_, other), 7200))
    assert (await left(world, id_))[other] == DAY + 2 * HOUR
    world.restart()
    assert (await left(world, id_))[seat] == 5 * HOUR
    assert await due(world, id_, seat) == 5 * HOUR
    await shown(world, id_)
    people = {0: ANN, 1: BOB}
    row = await world.queries.row(id_)
    assert row is not None
    who = next(person for person in people.values() if world.queries.seat_of(row, person.id) == seat)
    await world.move(id_, who)
    undone = await world.service.undo.take_back(id_, who.id, request=world.new)
    assert isinstance(undone, Played), undone
    assert (await left(world, id_))[other] == DAY + 2 * HOUR
    await world.check(id_)


async def test_time_that_is_up_is_given_again(world: World) -> None:
    id_ = await begun(world, DAILY)
    seat = await mover(world, id_)
    world.clock.advance(30 * HOUR)
    await world.service.time_up.tick()
    assert (await face(world, id_)).late == (seat,)
    row_of(await world.service.moderation.give_time(id_, by(world), await held(world, id_, seat), 3600))
    now = await face(world, id_)
    assert (now.late, now.flagged & now.to_act, now.readings[seat].left) == ((), frozenset(), HOUR)
    assert await due(world, id_, seat) == HOUR


async def test_a_removed_seat_has_resigned(world: World) -> None:
    id_ = await begun(world, None, seats=3)
    row = row_of(await world.service.moderation.remove(id_, by(world), await held(world, id_, 1)))
    assert row.status == "live"
    log = await world.queries.log(id_)
    assert (log[-1].entry.kind, log[-1].entry.data, log[-1].user) == (Kind.RESIGN, "moderator", MOD)
    stale = SeatHeld(2, 4242)
    assert key(await world.service.moderation.remove(id_, by(world), stale)) == "match.refuse.seat_changed"
    again = await world.service.moderation.remove(id_, by(world), await held(world, id_, 1))
    assert key(again) == "match.refuse.gone"
    row = row_of(await world.service.moderation.remove(id_, by(world), await held(world, id_, 0)))
    assert row.status == "over"
    (act, _) = await world.store.moderated(GUILD)
    assert (act.person, act.match) == (row.seats[0].user, id_)
    await world.check(id_)


async def test_rulings_travel_with_the_record(world: World) -> None:
    id_ = await begun(world, DAILY)
    moderation = world.service.moderation
    await moderation.pause(id_, by(world))
    await moderation.resume(id_, by(world))
    await moderation.give_time(id_, by(world), await held(world, id_, 0), 60)
    await moderation.remove(id_, by(world), await held(world, id_, 0))
    entries = [one.entry for one in await world.queries.log(id_)]
    assert [entry for entry in read(export(entries)).entries if entry.seq] == entries[1:]


async def test_a_computer_takes_over_for_good(world: World) -> None:
    id_ = await begun(world, None)
    seat = await held(world, id_, 0)
    row = row_of(await world.service.moderation.computer(id_, by(world), seat, "easy"))
    assert row.seats[0].occupant == "computer"
    person = next(one for one in (ANN, BOB) if one.id == seat.user)
    back = await world.service.seats.come_back(id_, person, request=world.new)
    assert key(back) == "match.refuse.seat_none_kept"
    last = await held(world, id_, 1)
    assert (
        key(await world.service.moderation.computer(id_, by(world), last, "easy")) == "match.refuse.seat_last"
    )
    assert await acts(world) == ["computer"]


async def test_a_seat_is_offered_to_a_person_who_accepts(world: World) -> None:
    id_ = await begun(world, None)
    moderation = world.service.moderation
    seat = await held(world, id_, 0)
    row_of(await moderation.offer(id_, by(world), seat, CYD))
    assert (await world.drafts(id_))[-1].message.to_json()["reason"] == "a quarrel"
    assert key(await moderation.offer(id_, by(world), seat, CYD)) == "match.refuse.seat_asked"
    there = Person(seat.user or 0, "there")
    assert key(await moderation.offer(id_, by(world), seat, there)) == "match.refuse.seat_has"
    wrong = await world.service.seats.give(id_, 0, MOD, DAN, request=world.new)
    assert key(wrong) == "match.refuse.seat_given"
    given = await world.service.seats.give(id_, 0, MOD, CYD, request=world.new)
    assert not isinstance(given, Refused), given
    assert given.played.row.seats[0].user == CYD.id
    assert await acts(world) == ["offer"]


async def test_a_match_is_moved_with_its_board(world: World) -> None:
    id_ = await begun(world, DAILY)
    moderation, place = world.service.moderation, Place(GUILD, 4711)
    row = row_of(await moderation.move(id_, by(world), place))
    assert row.place == place
    assert [draft.kind for draft in (await world.drafts(id_))[-2:]] == ["board", "moved"]
    assert key(await moderation.move(id_, by(world), place)) == "match.refuse.moved_here"
    assert await acts(world) == ["move"]
    await world.service.channels.mark_unreachable(id_, "channel", ())
    row_of(await moderation.move(id_, by(world), Place(GUILD, 4712)))
    assert (await world.drafts(id_))[-1].kind == "board", "nobody reads where it was"


async def test_an_open_table_is_cleared(world: World) -> None:
    id_ = (await world.open_lobby(ANN, BOB)).id
    row = row_of(await world.service.moderation.clear(id_, by(world, moderator=BOB.id)))
    assert row.status == "closed"
    assert (await world.drafts(id_))[-1].message.to_json() == {"cleared": "a quarrel"}
    assert key(await world.service.moderation.clear(id_, by(world))) == "lobby.refuse.closed"
    assert await acts(world) == ["clear"]


FIRST = SeatHeld(0, ANN.id)
Act = Callable[[World, str, Ruling], Awaitable[MatchRow | Refused]]
ON_MATCHES: dict[str, Act] = {
    "pause": lambda world, id_, ruling: world.service.moderation.pause(id_, ruling),
    "end": lambda world, id_, ruling: world.service.moderation.end(id_, ruling),
    "draw": lambda world, id_, ruling: world.service.moderation.draw(id_, ruling),
    "win": lambda world, id_, ruling: world.service.moderation.award(id_, ruling, FIRST),
    "resume": lambda world, id_, ruling: world.service.moderation.resume(id_, ruling),
    "move": lambda world, id_, ruling: world.service.moderation.move(id_, ruling, Place(GUILD, 5)),
    "time": lambda world, id_, ruling: world.service.moderation.give_time(id_, ruling, FIRST, 60),
    "remove": lambda world, id_, ruling: world.service.moderation.remove(id_, ruling, FIRST),
    "computer": lambda world, id_, ruling: world.service.moderation.computer(id_, ruling, FIRST, "easy"),
    "offer": lambda world, id_, ruling: world.service.moderation.offer(id_, ruling, FIRST, DAN),
}


@pytest.mark.parametrize("name", ON_MATCHES)
async def test_moderators_act_in_their_server_and_not_where_they_play(world: World, name: str) -> None:
    id_ = await begun(world, DAILY)
    before = await world.queries.row(id_)
    abroad = await ON_MATCHES[name](world, id_, by(world, guild=901))
    assert key(abroad) == "match.refuse.unknown"
    seated = await ON_MATCHES[name](world, id_, by(world, moderator=ANN.id))
    assert key(seated) == "match.refuse.moderate_own"
    assert await world.queries.row(id_) == before
    assert await acts(world) == []


@pytest.mark.parametrize("name", ["pause", "end", "draw", "win", "move", "time", "remove", "computer"])
async def test_a_request_that_comes_twice_counts_once(world: World, name: str) -> None:
    id_ = await begun(world, DAILY, seats=3)
    row = await world.queries.row(id_)
    assert row is not None
    ruling = by(world)
    assert row.seats[0].user == ANN.id, "nobody draws lots here"
    row_of(await ON_MATCHES[name](world, id_, ruling))
    world.restart()
    row_of(await ON_MATCHES[name](world, id_, ruling))
    assert await acts(world) == [name]


# --- people -----------------------------------------------------------------------------------------------


async def test_someone_who_is_forbidden_to_play_gets_no_seat(world: World) -> None:
    moderation = world.service.moderation
    table = await world.open_lobby(ANN)
    id_ = await begun(world, None)
    assert await moderation.forbid(by(world, reason="spam"), CYD.id) is None
    twice = await moderation.forbid(by(world), CYD.id)
    assert twice is not None
    assert twice.why.key == "match.refuse.forbidden_already"
    joined = await world.lobbies.join(table.id, CYD, request=world.new)
    assert key(joined) == "match.refuse.forbidden"
    assert key(await world.lobbies.create(CYD, SERVER, "toy", request=world.new)) == "match.refuse.forbidden"
    invited = await world.lobbies.invite(table.id, ANN.id, (CYD,), request=world.new)
    assert key(invited) == "match.refuse.guest_forbidden"
    offered = await moderation.offer(id_, by(world), await held(world, id_, 0), CYD)
    assert key(offered) == "match.refuse.guest_forbidden"
    elsewhere = await world.lobbies.create(CYD, Place(901, 3), "toy", request=world.new)
    assert isinstance(elsewhere, Lobby)
    assert await moderation.lift(by(world), CYD.id) is None
    assert isinstance(await world.lobbies.join(table.id, CYD, request=world.new), Lobby)
    assert await acts(world) == ["forbid", "lift"]


async def test_someone_who_is_forbidden_to_play_leaves_the_lobbies_of_that_server(world: World) -> None:
    theirs = await world.open_lobby(CYD)
    seated = await world.open_lobby(ANN, CYD)
    hosted = await world.open_lobby(CYD, ANN)
    elsewhere = await world.open_lobby(CYD, place=Place(901, 3))
    assert await world.service.moderation.forbid(by(world, reason="spam"), CYD.id) is None
    queries = world.service.queries
    statuses = []
    for lobby in (theirs, seated, hosted, elsewhere):
        row = await queries.row(lobby.id)
        assert row is not None
        statuses.append((row.status, row.host, CYD.id in {seat.user for seat in row.seats}))
    assert statuses == [
        ("closed", CYD.id, False),
        ("lobby", ANN.id, False),
        ("lobby", ANN.id, False),
        ("lobby", CYD.id, True),
    ]


async def test_nobody_forbids_themselves_to_play(world: World) -> None:
    refused = await world.service.moderation.forbid(by(world), MOD)
    assert refused is not None
    assert refused.why.key == "match.refuse.forbid_self"


@pytest.mark.parametrize(("one", "two"), [(ANN, BOB), (BOB, ANN)], ids=["host blocks", "guest blocks"])
async def test_people_who_block_each_other_share_no_table(world: World, one: Person, two: Person) -> None:
    table = await world.open_lobby(ANN, seats=3, game="focus")
    over = await begun(world, None)
    await world.play.resign(over, ANN.id, request=world.new)
    going = (await world.match(ANN, CYD)).row.id
    await world.store.block(one.id, two.id, world.clock.now(), 10)
    assert key(await world.lobbies.join(table.id, BOB, request=world.new)) == "match.refuse.unavailable"
    invited = await world.lobbies.invite(table.id, ANN.id, (BOB,), request=world.new)
    assert key(invited) == "match.refuse.guest_unavailable"
    opened = await world.lobbies.create(ANN, SERVER, "toy", request=world.new, invited=(BOB,))
    assert key(opened) == "match.refuse.guest_unavailable"
    again = await world.rematches.open(over, ANN, request=world.new)
    assert key(again) == "match.refuse.guest_unavailable"
    row = await world.queries.row(going)
    assert row is not None
    seat = SeatHeld(*next((one.seat, one.user) for one in row.seats if one.user == CYD.id))
    offered = await world.service.moderation.offer(going, by(world), seat, BOB)
    assert key(offered) == "match.refuse.guest_unavailable"
    assert isinstance(await world.lobbies.join(table.id, CYD, request=world.new), Lobby)
    await world.store.unblock(one.id, two.id)
    assert isinstance(await world.lobbies.join(table.id, BOB, request=world.new), Lobby)
