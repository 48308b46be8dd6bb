"""Seats change hands: once each, with what they know, and everything else goes on working."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from games.engine.match import Kind
from matches.clocks.control import per_move
from matches.play.undo import Takeback
from matches.results import Person, Refused
from matches.seats import VANISHED, Rights, SeatChange
from matches.store.rows import MatchRow, SeatHolder
from matches.store.seats import SeatOffer
from tests.matches.clock_acts import DAILY, PEOPLE, begun, mover
from tests.matches.test_undo import mover_of
from tests.matches.world import ANN, BOB, CYD, DAN, DIRECT, World, opened, played, refused

EVE = Person(5, "Eve")
PLAYER, MODERATOR = Rights(), Rights(moderator=True)


def changed(answer: SeatChange | Refused) -> SeatChange:
    assert isinstance(answer, SeatChange), answer
    return answer


async def row_of(world: World, match_id: str) -> MatchRow:
    row = await world.queries.row(match_id)
    assert row is not None
    return row


async def seat_of(world: World, match_id: str, who: Person) -> int:
    seat = world.queries.seat_of(await row_of(world, match_id), who.id)
    assert seat is not None
    return seat


async def offered(
    world: World, match_id: str, seat: int, by: Person, to: Person | None = None, *, own: bool = True
) -> int:
    """Offer a seat, and return the entry after which that was."""
    row = await row_of(world, match_id)
    offer = SeatOffer(match_id, seat, by.id, row.version, None if to is None else to.id, own)
    await world.service.seats.offer(row, offer)
    return row.version


async def give(
    world: World, match_id: str, giver: Person, to: Person, request: str = ""
) -> SeatChange | Refused:
    seat = await seat_of(world, match_id, giver)
    await offered(world, match_id, seat, giver, to)
    return await world.service.seats.give(match_id, seat, giver.id, to, request=request or world.new)


async def fill(world: World, match_id: str, who: Person, *, rights: Rights = PLAYER) -> SeatChange | Refused:
    seat = await seat_of(world, match_id, who)
    level = world.service.levels.names((await row_of(world, match_id)).game)[0]
    return await world.service.seats.fill_in(
        match_id, seat, level, by=who.id, request=world.new, rights=rights
    )


async def go_on(world: World, match_id: str, moves: int = 4) -> None:
    """Whoever holds the seats moves."""
    for _ in range(moves):
        await world.computers.run(match_id)
        seen = await world.queries.current(match_id)
        assert not isinstance(seen, Refused)
        if seen.match.ending:
            return
        user = seen.row.seats[min(seen.match.to_act)].user
        assert user is not None
        text = (await world.queries.legal(match_id, user))[0]
        played(await world.play.submit(match_id, user, text, request=world.new))


@pytest.mark.parametrize("game", ["toy", "focus", "dominion", "two_domains"])
async def test_a_seat_is_given_and_the_match_goes_on(world: World, game: str) -> None:
    id_ = (await world.match(ANN, BOB, game=game)).row.id
    seat = await seat_of(world, id_, ANN)
    await world.sent()
    done = changed(await give(world, id_, ANN, CYD, "give"))
    assert (done.back, done.played.row.seats[seat].name) == (None, "Cyd")
    assert [fact.msg.key for fact in done.played.facts] == ["match.fact.substitute_person"]
    assert [draft.kind for draft in await world.drafts(id_)] == ["notice", "board"]
    again = changed(await world.service.seats.give(id_, seat, ANN.id, CYD, request="give"))
    assert (again.played.repeated, again.played.first) == (True, done.played.first)
    left = await world.play.resign(id_, ANN.id, request=world.new)
    assert refused(left) == "match.refuse.not_yours"
    assert [seen.row.id for seen in await world.queries.mine(CYD.id)] == [id_]
    assert id_ not in [seen.row.id for seen in await world.queries.mine(ANN.id) if seen.row.host != ANN.id]
    await go_on(world, id_)
    first, then = await world.store.holders(id_)
    assert (first.user, first.since, then.user, then.since) == (ANN.id, 0, CYD.id, done.played.first)
    assert then.why == "gift"


async def test_what_the_new_person_sees_is_their_seats_view(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="toy")).row.id
    before = await world.queries.legal(id_, ANN.id)
    changed(await give(world, id_, ANN, CYD))
    assert await world.queries.legal(id_, CYD.id) == before, "the cards go with the seat"
    assert await world.queries.legal(id_, ANN.id) == ()


async def test_nobody_gets_two_seats(world: World) -> None:
    id_ = (await world.match(ANN, BOB, CYD, game="focus")).row.id
    assert refused(await give(world, id_, ANN, BOB)) == "match.refuse.seat_has"
    changed(await give(world, id_, ANN, DAN))
    assert refused(await give(world, id_, BOB, ANN)) == "match.refuse.seat_had"
    changed(await give(world, id_, DAN, ANN))
    seat = await seat_of(world, id_, BOB)
    late = await world.service.seats.give(id_, seat, ANN.id, EVE, request=world.new)
    assert refused(late) == "match.refuse.seat_given", "it was never hers"


async def test_who_has_left_the_match_has_no_seat_to_give(world: World) -> None:
    id_ = (await world.match(ANN, BOB, CYD, game="focus")).row.id
    played(await world.play.resign(id_, ANN.id, request=world.new))
    assert refused(await give(world, id_, ANN, DAN)) == "match.refuse.seat_gone"
    played(await world.play.resign(id_, BOB.id, request=world.new))
    assert refused(await give(world, id_, CYD, DAN)) == "match.refuse.over"
    unknown = await world.service.seats.give("F-NONE22", 0, 1, DAN, request=world.new)
    assert refused(unknown) == "match.refuse.unknown"


async def test_an_offered_seat_is_taken_once(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="focus")).row.id
    seat = await seat_of(world, id_, ANN)
    entry = await offered(world, id_, seat, ANN)

    async def take(who: Person, request: str) -> SeatChange | Refused:
        return await world.service.seats.take(id_, seat, who, request=request, offered=entry)

    answers = await asyncio.gather(take(CYD, "cyd"), take(DAN, "dan"))
    won = [answer for answer in answers if isinstance(answer, SeatChange)]
    assert len(won) == 1
    lost = next(answer for answer in answers if isinstance(answer, Refused))
    assert refused(lost) == "match.refuse.seat_taken"
    assert refused(await take(EVE, "eve")) == "match.refuse.seat_taken"
    world.restart()
    assert changed(await take(CYD if won[0] is answers[0] else DAN, "cyd" if won[0] is answers[0] else "dan"))


async def test_what_isnt_offered_any_longer_changes_no_hands(world: World) -> None:
    id_ = (await world.match(ANN, BOB, CYD, game="focus", clock=per_move(timedelta(days=1)))).row.id
    seats, seat = world.service.seats, await seat_of(world, id_, ANN)
    entry = await offered(world, id_, seat, ANN)
    await offered(world, id_, seat, ANN, DAN)
    assert await seats.close_offer(id_, seat, None) is None
    assert refused(await seats.close_offer(id_, seat, None)) == "match.refuse.seat_offer"
    taken = await seats.take(id_, seat, EVE, request="late", offered=entry)
    assert refused(taken) == "match.refuse.seat_offer"
    world.restart()
    closing, giving = (
        world.service.seats.close_offer(id_, seat, DAN.id),
        world.service.seats.give(id_, seat, ANN.id, DAN, request="give"),
    )
    assert (await asyncio.gather(closing, giving))[0] is None, "who is first wins"
    assert (await row_of(world, id_)).seats[seat].user == ANN.id
    changed(await give(world, id_, ANN, DAN))
    late = await world.service.seats.close_offer(id_, seat, DAN.id)
    assert refused(late) == "match.refuse.seat_offer", "it was taken"


async def test_what_the_clock_does_in_a_seat_doesnt_end_its_offer(world: World) -> None:
    id_ = await begun(world, DAILY)
    late = await mover(world, id_)
    entry = await offered(world, id_, late, PEOPLE[1 - late], own=False)
    world.clock.advance(timedelta(days=1))
    (told,) = await world.service.time_up.tick()
    assert told.match.log[-1].kind is Kind.FLAG
    changed(await world.service.seats.take(id_, late, CYD, request="t", offered=entry))


async def test_a_vanished_persons_seat_is_offered_and_their_move_ends_that(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="focus")).row.id
    mover, other = await mover_of(world, id_)
    row = await row_of(world, id_)
    seat = world.queries.seat_of(row, mover)
    assert seat is not None

    async def why_not(who: int, rights: Rights = PLAYER) -> str:
        seen = await world.queries.current(id_)
        assert not isinstance(seen, Refused)
        found = world.service.seats.why_not_offer(seen.row, seen.match, seat, who, rights)
        return "" if found is None else found.key

    assert await why_not(other) == "match.refuse.seat_present"
    assert await why_not(other, Rights(left=True)) == ""
    assert await why_not(77) == "match.refuse.not_yours"
    assert await why_not(77, MODERATOR) == ""
    assert await why_not(mover) == ""
    world.clock.advance(VANISHED - timedelta(milliseconds=1))
    assert await why_not(other) == "match.refuse.seat_present"
    world.clock.advance(timedelta(milliseconds=1))
    assert await why_not(other) == ""
    entry = await offered(world, id_, seat, BOB, own=False)
    text = (await world.queries.legal(id_, mover))[0]
    played(await world.play.submit(id_, mover, text, request=world.new))
    late = await world.service.seats.take(id_, seat, CYD, request="c", offered=entry)
    assert refused(late) == "match.refuse.seat_here"
    await offered(world, id_, seat, ANN if mover == ANN.id else BOB)
    fine = await world.service.seats.take(id_, seat, CYD, request="d", offered=entry)
    assert changed(fine).played.row.seats[seat].user == CYD.id


@pytest.mark.parametrize("game", ["focus", "two_domains", "domination"])
async def test_a_computer_fills_in_until_its_person_comes_back(world: World, game: str) -> None:
    id_ = (await world.match(ANN, BOB, game=game)).row.id
    seat = await seat_of(world, id_, ANN)
    done = changed(await fill(world, id_, ANN))
    assert done.back == ANN.id
    assert [fact.msg.key for fact in done.played.facts] == ["match.fact.substitute_computer"]
    await go_on(world, id_, 2)
    assert (await row_of(world, id_)).seats[seat].occupant == "computer"
    stranger = await world.service.seats.come_back(id_, CYD, request=world.new)
    assert refused(stranger) == "match.refuse.seat_none_kept"
    world.restart()
    back = changed(await world.service.seats.come_back(id_, ANN, request="back"))
    assert (back.back, back.played.row.seats[seat].user) == (None, ANN.id)
    assert changed(await world.service.seats.come_back(id_, ANN, request="back")).played.repeated
    assert (
        refused(await world.service.seats.come_back(id_, ANN, request="b")) == "match.refuse.seat_none_kept"
    )
    await go_on(world, id_, 2)
    assert [one.why for one in await world.store.holders(id_)] == ["", "computer", "back"]


async def test_someone_else_takes_over_from_the_computer(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="focus")).row.id
    seat = await seat_of(world, id_, ANN)
    changed(await fill(world, id_, ANN))
    version = await offered(world, id_, seat, BOB, own=False)
    await go_on(world, id_, 2)
    done = changed(await world.service.seats.take(id_, seat, CYD, request="t", offered=version))
    assert done.played.row.seats[seat].user == CYD.id
    assert (
        refused(await world.service.seats.come_back(id_, ANN, request="x")) == "match.refuse.seat_none_kept"
    )


async def test_without_the_right_to_return_nobody_comes_back(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="focus")).row.id
    seat = await seat_of(world, id_, ANN)
    done = await world.service.seats.replace(id_, seat, "random", request="time", why="time", returns=False)
    assert changed(done).back is None
    assert (
        refused(await world.service.seats.come_back(id_, ANN, request="x")) == "match.refuse.seat_none_kept"
    )


async def test_who_may_leave_a_seat_to_a_computer(world: World) -> None:
    id_ = (await world.match(ANN, BOB, CYD, game="focus")).row.id
    seat = await seat_of(world, id_, BOB)

    async def fill_as(who: int, rights: Rights = PLAYER, level: str = "random") -> SeatChange | Refused:
        return await world.service.seats.fill_in(id_, seat, level, by=who, request=world.new, rights=rights)

    assert refused(await fill_as(CYD.id)) == "match.refuse.seat_fill"
    assert refused(await fill_as(ANN.id)) == "match.refuse.seat_present", "the host, at once"
    assert refused(await fill_as(77, MODERATOR, "godlike")) == "lobby.refuse.level"
    changed(await fill_as(77, MODERATOR))
    assert refused(await fill_as(77, MODERATOR)) == "match.refuse.seat_computer"
    changed(await fill(world, id_, CYD))
    assert refused(await fill(world, id_, ANN)) == "match.refuse.seat_last"


@pytest.mark.parametrize("how", ["give", "fill", "back"])
async def test_who_is_called_to_move(world: World, how: str) -> None:
    id_ = (await world.match(ANN, BOB, game="focus")).row.id
    mover, other = await mover_of(world, id_)
    leaver = ANN if other == ANN.id else BOB
    if how == "give":
        changed(await give(world, id_, leaver, CYD))
    else:
        changed(await fill(world, id_, leaver))
    if how == "back":
        changed(await world.service.seats.come_back(id_, leaver, request="back"))
    await world.sent()
    text = (await world.queries.legal(id_, mover))[0]
    played(await world.play.submit(id_, mover, text, request="move"))
    await world.computers.run(id_)
    called = [draft.message.to_json()["ping"] for draft in await world.drafts(id_)]
    assert called[-1] == [{"give": CYD.id, "fill": mover, "back": leaver.id}[how]]


@pytest.mark.parametrize("how", ["give", "fill", "back"])
async def test_undo_draw_resign_and_rematch_go_on(world: World, how: str) -> None:
    id_ = (await world.match(ANN, BOB, game="focus")).row.id
    mover, other = await mover_of(world, id_)
    text = (await world.queries.legal(id_, mover))[0]
    played(await world.play.submit(id_, mover, text, request="first"))
    leaver = ANN if mover == ANN.id else BOB
    heir: Person | None = CYD if how == "give" else leaver if how == "back" else None
    if how == "give":
        changed(await give(world, id_, leaver, CYD))
    else:
        changed(await fill(world, id_, leaver))
    if how == "back":
        changed(await world.service.seats.come_back(id_, leaver, request="back"))
    if heir is not None:
        nothing = await world.service.undo.offer(id_, heir.id)
        assert refused(nothing) == "match.refuse.takeback", "that move was made by someone else before"
    text = (await world.queries.legal(id_, other))[0]
    played(await world.play.submit(id_, other, text, request="second"))
    seat = (await row_of(world, id_)).seats
    offered = await world.service.undo.offer(id_, other)
    assert isinstance(offered, Takeback)
    played(await world.service.undo.take_back(id_, other, request="undo"))
    assert (await row_of(world, id_)).seats == seat, "a takeback changes no holder"
    played(await world.play.offer_draw(id_, other, request="draw"))
    if heir is not None:
        played(await world.play.decline_draw(id_, heir.id, request="no"))
        over = played(await world.play.resign(id_, heir.id, request="resign"))
    else:
        await world.computers.run(id_)
        over = played(await world.play.resign(id_, other, request="resign"))
    assert over.match.ending is not None
    again = opened(await world.rematches.open(id_, ANN if other == ANN.id else BOB, request="again"))
    assert {one.user for one in again.row.seats} == {one.user for one in seat}
    await world.check(id_)


async def test_a_takeback_across_a_change_keeps_the_holder(world: World) -> None:
    id_ = (await world.match(ANN, BOB, CYD, game="focus")).row.id
    first, _ = await mover_of(world, id_)
    text = (await world.queries.legal(id_, first))[0]
    played(await world.play.submit(id_, first, text, request="first"))
    second, _ = await mover_of(world, id_)
    leaver = next(who for who in (ANN, BOB, CYD) if who.id == second)
    third = next(who for who in (ANN, BOB, CYD) if who.id not in (first, second))
    changed(await give(world, id_, leaver, DAN))
    text = (await world.queries.legal(id_, DAN.id))[0]
    played(await world.play.submit(id_, DAN.id, text, request="second"))
    asked = played(await world.service.undo.take_back(id_, first, request="ask")).match.seq
    played(await world.service.undo.agree(id_, DAN.id, request="yes", asked=asked))
    back = played(await world.service.undo.agree(id_, third.id, request="yes too", asked=asked))
    assert back.match.plays == 0
    assert DAN.id in {one.user for one in back.row.seats}
    await world.check(id_)


async def test_in_direct_messages_who_leaves_gets_a_last_board(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="focus", place=DIRECT)).row.id
    await world.sent()
    changed(await fill(world, id_, BOB))
    sent = await world.drafts(id_)
    assert sorted((draft.kind, draft.user) for draft in sent) == [("board", ANN.id), ("board", BOB.id)]
    changed(await world.service.seats.come_back(id_, BOB, request="back"))
    await world.sent()
    changed(await give(world, id_, BOB, CYD))
    assert {draft.user for draft in await world.drafts(id_)} == {ANN.id, BOB.id, CYD.id}


async def test_holders_are_those_of_each_seat_in_order(world: World) -> None:
    id_ = (await world.match(ANN, BOB, CYD, game="focus")).row.id
    seat, other = await seat_of(world, id_, BOB), await seat_of(world, id_, ANN)
    changed(await give(world, id_, BOB, DAN))
    changed(await fill(world, id_, DAN))
    changed(await fill(world, id_, ANN))
    held: tuple[SeatHolder, ...] = await world.store.holders(id_)
    names = {at: [one.name or one.level for one in held if one.seat == at] for at in (seat, other)}
    assert names == {seat: ["Bob", "Dan", "beginner"], other: ["Ann", "beginner"]}


async def test_since_you_left_is_told_from_ones_own_move(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="focus")).row.id
    await go_on(world, id_, 3)
    moves = {who.id: 0 for who in (ANN, BOB)}
    for one in await world.queries.log(id_):
        if one.user in moves and one.entry.kind is Kind.PLAY:
            moves[one.user] = one.entry.seq
    changed(await fill(world, id_, ANN))
    await go_on(world, id_, 2)
    changed(await world.service.seats.come_back(id_, ANN, request="back"))
    told = await world.service.since.absence(await row_of(world, id_), ANN.id)
    assert (told.first, told.own) == (moves[ANN.id] + 1, True), "the computer's moves are news to her"
    version = (await row_of(world, id_)).version
    changed(await give(world, id_, ANN, CYD))
    told = await world.service.since.absence(await row_of(world, id_), CYD.id)
    assert moves[ANN.id] < told.first <= version, "what came after the seat's last move"
