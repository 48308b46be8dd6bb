"""Housekeeping: reminders and expiry, lost channels, mirrors, and tasks that fail alone."""

from __future__ import annotations

from datetime import timedelta

import pytest

from matches.outbox.messages import LobbyMessage, LobbyReminder
from matches.outbox_drafts import draft
from matches.results import Lobby
from matches.service import MatchService
from matches.store.rows import Place, Post, Watch
from tests.matches.world import ANN, BOB, CYD, SERVER, Interposed, World, refused


def statuses(done: tuple[object, ...]) -> list[str]:
    """The statuses of the lobbies that a tick has changed."""
    return [change.row.status for change in done if isinstance(change, Lobby)]


async def test_a_lobby_is_reminded_once_then_expires(world: World) -> None:
    row = await world.open_lobby(ANN)
    await world.sent()
    assert await world.pass_time(hours=19, minutes=59) == ()
    assert statuses(await world.pass_time(minutes=1)) == ["lobby"]
    assert await world.drafts(row.id) == [draft(LobbyReminder(), row.id)]
    await world.sent()
    assert await world.pass_time(hours=3, minutes=59) == ()
    assert statuses(await world.pass_time(minutes=1)) == ["expired"]
    assert await world.drafts(row.id) == [draft(LobbyMessage(), row.id)]
    assert await world.pass_time(days=9) == ()
    await world.check(row.id)


async def test_a_lobby_due_in_a_downtime_is_reminded_first(world: World) -> None:
    row = await world.open_lobby(ANN)
    world.restart()
    assert statuses(await world.pass_time(days=3)) == ["lobby"]
    after = await world.queries.row(row.id)
    assert after is not None
    assert (after.lobby.reminded, after.lobby.expires) == (True, world.clock.now() + timedelta(hours=4))
    assert statuses(await world.pass_time(hours=4)) == ["expired"]


async def test_who_joins_late_has_time_to_play(world: World) -> None:
    row = await world.open_lobby(ANN, seats=3)
    await world.pass_time(hours=20)
    world.clock.advance(hours=3)
    await world.lobbies.join(row.id, BOB, request="a")
    assert statuses(await world.pass_time(hours=2)) == []
    assert statuses(await world.pass_time(hours=2)) == ["expired"]


async def test_a_short_life_is_reminded_at_half_of_it(world: World) -> None:
    world.settings = {"lobby_life": timedelta(hours=2)}
    world.restart()
    await world.open_lobby(ANN)
    assert statuses(await world.pass_time(minutes=59)) == []
    assert statuses(await world.pass_time(minutes=1)) == ["lobby"]
    assert statuses(await world.pass_time(hours=1)) == ["expired"]


@pytest.mark.parametrize(
    "settings", [{"lobby_life": timedelta()}, {"remind_before": timedelta()}, {"cache": 0}]
)
async def test_settings_that_can_not_work_are_refused(world: World, settings: dict[str, object]) -> None:
    world.settings = settings
    with pytest.raises(ValueError, match=r"positive|at least one"):
        world.restart()


async def test_a_started_match_is_left_alone(world: World) -> None:
    await world.match(ANN, BOB)
    assert await world.pass_time(days=30) == ()


async def test_a_chore_that_fails_stops_no_other(world: World, caplog: pytest.LogCaptureFixture) -> None:
    bad, good = await world.open_lobby(ANN), await world.open_lobby(BOB)
    world.clock.advance(hours=20)

    async def broken() -> None:
        raise OSError("no space")

    service = MatchService(Interposed(world.store, broken), world.clock, world.entropy)
    assert [change.row.id for change in await service.housekeeping.tick()] == [good.id]
    assert f"housekeeping of match {bad.id} failed" in caplog.text
    assert [change.row.id for change in await service.housekeeping.tick()] == [bad.id]


async def test_thread_and_lobby_message_are_kept(world: World) -> None:
    row = (await world.match(ANN, BOB)).row
    await world.sent()
    after = await world.channels.record(row.id, thread=77)
    after = await world.channels.record(row.id, lobby_message=5)
    assert (after.place.home, after.lobby.message, after.version) == (77, 5, row.version)
    assert await world.channels.record(row.id, thread=77) == after
    assert await world.store.match(row.id) == after
    assert await world.drafts(row.id) == []
    assert [found.id for found in await world.queries.live_in(77)] == [row.id]
    assert await world.queries.live_in(10) == ()
    await world.move(row.id, ANN)
    with pytest.raises(LookupError):
        await world.channels.record("W-ZZZ", thread=1)


async def test_a_channel_that_is_lost_and_found(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    for waiting in await world.store.outbox_pending(id_):
        await world.store.outbox_park(waiting.id, id_, "forbidden")
    assert (await world.channels.mark_unreachable(id_, "forbidden")).unreachable == "forbidden"
    assert await world.drafts(id_) == []
    assert (await world.channels.mark_reachable(id_)).unreachable == ""
    assert "board" in [draft.kind for draft in await world.drafts(id_)]


async def test_notes_wait_for_a_quicker_change(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    store = Interposed(world.store, lambda: world.move(id_, ANN))
    after = await MatchService(store, world.clock, world.entropy).channels.record(id_, thread=77)
    assert (after.version, after.place.thread) == (2, 77)
    await world.check(id_)


async def test_watching_is_for_matches_that_are_on_elsewhere_and_once(world: World) -> None:
    id_, service = (await world.match(ANN, BOB)).row.id, world.service
    lobby = (await world.open_lobby(ANN)).id
    assert refused(await service.channels.watch("W-ZZZ", 50, 3)) == "match.refuse.unknown"
    assert refused(await service.channels.watch(lobby, 50, 3)) == "match.refuse.not_started"
    assert refused(await service.channels.watch(id_, SERVER.channel, 3)) == "match.refuse.watch_home"
    assert await service.channels.watch(id_, 50, CYD.id) == Watch(id_, 50, CYD.id)
    await world.store.watch(Watch(id_, 50, CYD.id, message=9))
    assert refused(await service.channels.watch(id_, 50, 3)) == "match.refuse.watched"
    assert await world.store.watches(id_) == (Watch(id_, 50, CYD.id, 9),)
    for channel in range(51, 60):
        assert isinstance(await service.channels.watch(id_, channel, 3), Watch)
    assert refused(await service.channels.watch(id_, 60, 3)) == "match.refuse.mirrors"
    assert await service.channels.unwatch(id_, 50)
    assert not await service.channels.unwatch(id_, 50)
    await service.play.resign(id_, 1, request="a")
    assert refused(await service.channels.watch(id_, 60, 3)) == "match.refuse.over"


async def test_posts_are_the_stores_and_stay_with_the_match(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    board = next(row for row in await world.store.outbox_pending(id_) if row.draft.kind == "board")
    post = Post(message=700, channel=10, match=id_, kind="board", seq=board.draft.message.to_json()["last"])
    await world.store.outbox_sent(board.id, post)
    world.restart()
    assert await world.store.find_post(700) == post
    match, facts = await world.queries.facts(id_, 0, 1)
    assert (match.seq, len(facts)) == (1, 3)


async def test_a_match_without_a_channel_goes_on_in_another(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    for waiting in await world.store.outbox_pending(id_):
        await world.store.outbox_park(waiting.id, id_, "unknown channel")
    await world.channels.mark_unreachable(id_, "unknown channel")
    moved = await world.channels.move(id_, Place(900, 44))
    assert (moved.place, moved.unreachable) == (Place(900, 44), "")
    assert [row.id for row in await world.queries.live_in(44)] == [id_]
    assert [draft.kind for draft in await world.drafts(id_)][-1] == "board"
    with pytest.raises(LookupError):
        await world.channels.move("W-ZZZ", Place(900, 44))
