"""Pings when things fail: killed in between, undelivered, in a backlog. Each comes once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

import pytest

from matches.results import Played
from storage import SqliteStore
from tests.bot.acts import last_board
from tests.bot.ping_acts import (
    calling,
    calls_made,
    direct,
    moves,
    night,
    pair,
    wants,
)
from tests.bot.stage import Stage, legal, shown
from tests.fakes import CountingStore

pytestmark = pytest.mark.slow


async def test_who_takes_no_direct_messages_is_pinged_in_the_thread(stage: Stage) -> None:
    match, thread, one, _ = await pair(stage, where="dm")
    posts = f"/channels/{one.user.dm_channel.id}/messages"
    stage.env.inject_error("POST", posts, status=403, code=50007, message="Cannot send", times=None)
    await moves(stage, match)
    await stage.later(seconds=4)
    (ping,) = calling(thread, one)
    assert "you don't accept direct messages" in ping.content
    assert ping.raw_mentions == [one.id]
    await moves(stage, match)
    assert calling(thread, one) == []
    assert not await stage.bot.context.store.outbox_pending()


@pytest.mark.parametrize("code", [40003, 20026, 50001, 50009, 123_456])
async def test_what_passes_does_not_say_that_a_person_takes_none(stage: Stage, code: int) -> None:
    match, thread, one, _ = await pair(stage, where="dm")
    posts = f"/channels/{one.user.dm_channel.id}/messages"
    stage.env.inject_error("POST", posts, status=403, code=code, message="as planted", times=2)
    await moves(stage, match)
    assert direct(one) == []
    for _ in range(3):
        await stage.later(seconds=64)
    assert len(direct(one)) == 1
    assert calling(thread, one) == []
    assert not await stage.bot.context.store.outbox_pending()


async def test_a_withdrawal_waits_for_an_archived_thread_to_be_woken(stage: Stage) -> None:
    match, thread, one, _ = await pair(stage)
    await moves(stage, match)
    assert len(calling(thread, one)) == 1
    board = f"/channels/{thread.id}/messages/{calling(thread, one)[0].id}"
    stage.env.inject_error("PATCH", board, status=400, code=50083, message="Thread is archived", times=1)
    await moves(stage, match)
    await stage.later(seconds=61)
    assert calling(thread, one) == []
    assert not await stage.bot.context.store.outbox_pending()
    await moves(stage, match)
    board = f"/channels/{thread.id}/messages/{calling(thread, one)[0].id}"
    stage.env.inject_error("PATCH", board, status=400, code=50083, message="Thread is archived", times=None)
    await moves(stage, match)
    for _ in range(3):
        await stage.later(seconds=61)
    assert len(calling(thread, one)) == 1, "a locked thread takes no edit"
    assert not await stage.bot.context.store.outbox_pending()


async def test_killed_between_ping_and_record_it_is_found_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, thread, one, _ = await pair(stage, quiet=night(stage))
    await moves(stage, match)

    async def dies(*args: Any) -> None:
        raise OSError("the process was killed here")

    monkeypatch.setattr(SqliteStore, "outbox_sent", dies)
    await stage.later(hours=2.5)
    assert len(calling(thread, one)) == 1
    pending = await stage.bot.context.store.outbox_pending()
    assert [row.draft.kind for row in pending] == ["ping"]
    monkeypatch.undo()
    await stage.restart()
    await stage.later(seconds=31)
    assert len(calling(thread, one)) == 1
    assert not await stage.bot.context.store.outbox_pending()
    await moves(stage, match)
    assert calling(thread, one) == [], "it is known, so it is withdrawn"
    assert calls_made(stage, one) == 1


async def test_killed_between_digest_and_record_it_is_found_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    for hours in (2, 4):  # the second is not taken for the first
        now = stage.bot.context.clock.now() + timedelta(hours=hours)
        at = now.time().replace(second=0, microsecond=0)
        match, _, one, _ = await pair(stage, style="digest", digests=(at,))
        await moves(stage, match)

        async def dies(*args: Any) -> None:
            raise OSError("the process was killed here")

        before = len(direct(one))
        monkeypatch.setattr(SqliteStore, "outbox_sent", dies)
        await stage.later(hours=hours + 0.5)
        assert len(direct(one)) == before + 1
        monkeypatch.undo()
        await stage.restart()
        await stage.later(seconds=31)
        assert len(direct(one)) == before + 1
        assert f"`{match}`" in direct(one)[-1].content
        assert not await stage.bot.context.store.outbox_pending()
        await stage.ann.click(
            shown(await stage.ann.slash(stage.channel, "match resign", match=match)), label="Yes, I resign"
        )


async def test_a_digest_that_can_not_be_delivered_comes_as_pings(stage: Stage) -> None:
    now = stage.bot.context.clock.now()
    at = (now + timedelta(hours=1)).time().replace(second=0, microsecond=0)
    first, thread, one, _ = await pair(stage, style="digest", digests=(at,))
    await moves(stage, first)
    rival = next(person for person in (stage.ann, stage.ben) if person is not one)
    second, other_thread = await stage.open(one, rival)
    await rival.click(shown(await rival.slash(other_thread, "match resign")), label="Yes, I resign")
    posts = f"/channels/{one.user.dm_channel.id}/messages"
    stage.env.inject_error("POST", posts, status=403, code=50007, message="Cannot send", times=None)
    await stage.later(hours=1.5)
    await stage.later(seconds=61)
    (ping,) = calling(thread, one)
    assert f"Still your move in `{first}`" in ping.content
    (result,) = calling(other_thread, one)
    assert f"`{second}` is over" in result.content
    assert direct(one) == []
    await stage.later(hours=24)
    assert len(calling(thread, one)) == len(calling(other_thread, one)) == 1


async def test_killed_between_board_and_record_nobody_is_called_twice(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    store = stage.bot.context.store

    async def dies(*args: Any) -> None:
        raise OSError("the process was killed here")

    monkeypatch.setattr(store, "outbox_sent", dies)
    _, other = await moves(stage, match)
    assert calls_made(stage, other) == 1
    monkeypatch.undo()
    await wants(stage, other, style="none")  # too late: the board mentions them
    await stage.later(hours=1)
    assert calls_made(stage, other) == 1
    assert len(calling(thread, other)) == 1
    await moves(stage, match)
    assert calling(thread, other) == []


async def test_a_backlog_is_one_ping(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    stage.env.inject_error("POST", f"/channels/{thread.id}/messages", status=503, times=3)
    people = []
    for _ in range(3):
        mover = await stage.mover(match)
        await mover.slash(stage.channel, "move", move=legal(await stage.match(match))[0], match=match)
        people.append(await stage.mover(match))
    await stage.later(seconds=30)
    last = people[-1]
    before = {person.id: calls_made(stage, person) for person in people}
    assert len(calling(thread, last)) == 1
    assert [m.id for m in calling(thread, last)] == [(await last_board(stage, match)).id]
    assert before[last.id] <= 1 + people[:-1].count(last)


async def test_a_board_that_an_earlier_version_has_queued_calls_whom_it_says(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, other = await stage.mover(match), await stage.waiting(match)
    before = calls_made(stage, other)
    played = await stage.bot.context.service.play.submit(
        match, mover.id, legal(await stage.match(match))[0], request="silent"
    )
    assert isinstance(played, Played)
    counting = cast("CountingStore", stage.bot.context.store)
    database = cast("SqliteStore", counting._store)._database
    for table in ("pings", "ping_posts"):  # as for a match that hasn't changed since the update
        await database.execute(f"DELETE FROM {table}")
    await stage.later(seconds=3)
    assert (await last_board(stage, match)).raw_mentions == [other.id]
    assert calls_made(stage, other) == before + 1
    await moves(stage, match)
    assert [m.id for m in calling(thread, mover)] != []
