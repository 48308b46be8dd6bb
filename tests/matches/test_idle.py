"""Matches that nobody moves in: asked once, set aside without a result, taken up again."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from games.engine.match import Kind
from matches.absence.idle import PATIENCE
from matches.outbox.queue import Draft
from matches.results import Refused
from matches.store.rows import MatchRow
from tests.matches.clock_acts import begun, ends
from tests.matches.test_undo import mover_of
from tests.matches.world import ANN, BOB, DIRECT, SERVER, World, played, refused

DAYS = 30


async def idle_world(world: World) -> str:
    """A live match in a server that sets matches aside, with nothing left to send."""
    assert SERVER.guild is not None
    await world.store.save_settings("guild", SERVER.guild, {"idle": DAYS})
    id_ = (await world.match(ANN, BOB, game="focus")).row.id
    await world.sent()
    return id_


async def row_of(world: World, match_id: str) -> MatchRow:
    row = await world.queries.row(match_id)
    assert row is not None
    return row


def taken(answer: MatchRow | Refused) -> MatchRow:
    assert isinstance(answer, MatchRow), answer
    return answer


def kinds(drafts: list[Draft]) -> list[str]:
    return [next(iter(draft.message.to_json())) for draft in drafts]


async def test_it_is_asked_once_and_then_set_aside(world: World) -> None:
    id_ = await idle_world(world)
    await world.pass_time(days=DAYS - 1)
    assert await world.drafts(id_) == []
    await world.pass_time(days=1)
    assert kinds(await world.drafts(id_)) == ["idle"]
    for _ in range(3):
        world.restart()
        await world.pass_time(days=2)
    assert kinds(await world.drafts(id_)) == ["idle"], "once"
    await world.pass_time(days=1)
    row = await row_of(world, id_)
    assert (row.status, row.set_aside, row.version) == ("aborted", True, 1)
    assert kinds(await world.drafts(id_)) == ["idle", "set_aside"]
    await world.pass_time(days=900)
    assert kinds(await world.drafts(id_)) == ["idle", "set_aside"]
    assert await world.queries.mine(ANN.id) == ()


async def test_default_is_off_and_direct_messages_are_left_alone(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="focus")).row.id
    direct = (await world.match(ANN, BOB, game="focus", place=DIRECT)).row.id
    await world.sent()
    await world.pass_time(days=900)
    for one in (id_, direct):
        assert await world.drafts(one) == []
        assert (await row_of(world, one)).status == "live"


async def test_who_wants_to_go_on_is_asked_again_much_later(world: World) -> None:
    id_ = await idle_world(world)
    await world.pass_time(days=DAYS)
    version = (await row_of(world, id_)).version
    assert taken(await world.service.idle.go_on(id_, ANN.id, version=version)).status == "live"
    assert taken(await world.service.idle.go_on(id_, BOB.id, version=version)).status == "live"
    await world.pass_time(days=DAYS - 1)
    assert len(await world.drafts(id_)) == 1
    await world.pass_time(days=1)
    assert kinds(await world.drafts(id_)) == ["idle", "idle"]


async def test_a_move_answers_the_question(world: World) -> None:
    id_ = await idle_world(world)
    await world.pass_time(days=DAYS)
    version = (await row_of(world, id_)).version
    mover, _ = await mover_of(world, id_)
    text = (await world.queries.legal(id_, mover))[0]
    played(await world.play.submit(id_, mover, text, request="move"))
    await world.pass_time(seconds=PATIENCE.total_seconds())
    assert (await row_of(world, id_)).status == "live"
    late = await world.service.idle.set_aside(id_, ANN.id, version=version)
    assert refused(late) == "match.refuse.idle_moved"


@pytest.mark.parametrize("how", ["move", "button"])
async def test_it_is_taken_up_again(world: World, how: str) -> None:
    id_ = await idle_world(world)
    await world.pass_time(days=DAYS)
    version = (await row_of(world, id_)).version
    assert taken(await world.service.idle.set_aside(id_, BOB.id, version=version)).set_aside
    assert taken(await world.service.idle.set_aside(id_, ANN.id, version=version)).set_aside, "twice is once"
    await world.sent()
    world.restart()
    mover, _ = await mover_of(world, id_)
    text = (await world.queries.legal(id_, mover))[0]
    if how == "button":
        answers = await asyncio.gather(
            *(world.service.idle.go_on(id_, who.id, version=version) for who in (ANN, BOB))
        )
        assert [taken(answer).status for answer in answers] == ["live", "live"]
        (board,) = await world.drafts(id_)
        assert board.message.to_json() == {"first": version, "last": version, "ping": [mover]} | {
            "first": board.message.to_json()["first"]
        }
    played(await world.play.submit(id_, mover, text, request="move"))
    row = await row_of(world, id_)
    assert (row.status, row.result) == ("live", None)
    await world.check(id_)
    await world.pass_time(days=DAYS - 1)
    assert (await row_of(world, id_)).status == "live", "its time counts anew"


async def test_only_its_people_answer(world: World) -> None:
    id_ = await idle_world(world)
    await world.pass_time(days=DAYS)
    for act in (world.service.idle.go_on, world.service.idle.set_aside):
        assert refused(await act(id_, 77, version=1)) == "match.refuse.not_yours"
        assert refused(await act("F-NONE22", ANN.id, version=1)) == "match.refuse.unknown"
    played(await world.play.resign(id_, ANN.id, request="resign"))
    for act in (world.service.idle.go_on, world.service.idle.set_aside):
        assert refused(await act(id_, ANN.id, version=1)) == "match.refuse.over"


async def test_two_ticks_at_once_ask_once(world: World) -> None:
    id_ = await idle_world(world)
    world.clock.advance(timedelta(days=DAYS))
    await asyncio.gather(*(world.service.housekeeping.tick() for _ in range(3)))
    assert kinds(await world.drafts(id_)) == ["idle"]


async def test_a_clock_that_is_set_aside_waits_until_the_match_goes_on(world: World) -> None:
    id_ = await begun(world, ends("automatic", "default"))
    row = await row_of(world, id_)
    await world.service.idle.set_aside(id_, ANN.id, version=row.version)
    world.clock.advance(timedelta(days=9))
    assert await world.service.time_up.tick() == ()
    assert (await row_of(world, id_)).status == "aborted"
    assert not isinstance(await world.service.idle.go_on(id_, ANN.id, version=row.version), Refused)
    (told,) = await world.service.time_up.tick()
    assert told.match.log[-1].kind is Kind.DEFAULT


async def test_what_is_set_aside_keeps_its_seats_and_can_end(world: World) -> None:
    id_ = await idle_world(world)
    await world.pass_time(days=DAYS)
    await world.pass_time(seconds=PATIENCE.total_seconds())
    over = played(await world.play.resign(id_, ANN.id, request="resign"))
    assert over.row.status == "over"
    await world.check(id_)
