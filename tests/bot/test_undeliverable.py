"""Messages that can't be delivered as they are: sent another way, logged and counted."""

from __future__ import annotations

import logging
from typing import Any

import pytest

import render
from matches.outbox.lanes import until_dms_open
from matches.outbox.messages import BoardMessage
from matches.outbox_drafts import draft
from tests.bot.acts import last_board, move_by
from tests.bot.stage import Stage, legal
from tests.bot.test_forks import finished

pytestmark = pytest.mark.slow


async def moved(stage: Stage, match: str) -> None:
    """A move by `/move`, typed outside the match's thread."""
    mover = await stage.mover(match)
    await mover.slash(stage.channel, "move", move=legal(await stage.match(match))[0], match=match)


def broken(*_args: Any, **_kwargs: Any) -> bytes:
    raise OSError("cannot open resource")  # as the library says of a font


async def test_a_picture_that_can_not_be_drawn_is_sent_as_text(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(render, "draw", broken)
    match, thread = await stage.open(stage.ann, stage.ben)
    await move_by(stage, "slash", match, thread, await stage.mover(match), legal(await stage.match(match))[0])
    board = await last_board(stage, match)
    assert "```" in board.content
    assert not board.attachments
    assert (await stage.lobby(match)).content
    assert not await stage.bot.context.store.outbox_pending()
    counts = stage.bot.context.operation.counters.snapshot()
    assert counts["messages: fallback (board, picture)"] == 2
    assert counts["messages: fallback (lobby, picture)"] >= 1
    monkeypatch.undo()
    await move_by(stage, "slash", match, thread, await stage.mover(match), legal(await stage.match(match))[0])
    assert (await last_board(stage, match)).attachments


@pytest.mark.parametrize(
    ("failure", "event"),
    [
        ({"status": 400, "code": 50035, "times": 1}, "fallback"),
        ({"status": 400, "code": 50035, "times": 2}, "dropped"),
        ({"status": 403, "code": 50013, "times": 1}, "long wait"),
        ({"status": 404, "code": 10003, "times": 1}, "parked"),
    ],
)
async def test_what_becomes_of_a_message_is_logged_and_counted(
    stage: Stage, caplog: pytest.LogCaptureFixture, failure: dict[str, Any], event: str
) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    stage.env.inject_error("POST", f"/channels/{thread.id}/messages", **failure)
    with caplog.at_level(logging.WARNING, "bot.outbound"):
        await moved(stage, match)
    code = str(failure["code"])
    noted = [one for one in caplog.records if event in one.getMessage()]
    assert [(one.match, one.kind, one.code) for one in noted] == [(match, "board", code)]  # type: ignore[attr-defined]  # extra
    assert stage.bot.context.operation.counters.snapshot()[f"messages: {event} (board, {code})"] == 1
    secret = (await stage.row(match)).secret
    assert not any(secret in str(vars(one)) for one in caplog.records)


async def test_a_board_that_fails_for_a_week_is_parked_and_comes_back(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    path = f"/channels/{thread.id}/messages"
    stage.env.inject_error("POST", path, status=503, times=None)
    await moved(stage, match)
    store = stage.bot.context.store
    (row,) = await store.outbox_pending(match)
    for _ in range(60):
        await store.outbox_retry(row.id, stage.bot.context.clock.now(), "503")
    await stage.later(hours=169)
    assert not [one for one in await store_of(stage).outbox_pending() if one.draft.kind == "board"]
    assert await store_of(stage).outbox_awaited(match) == {match}
    assert (await stage.row(match)).unreachable == "failed"
    stage.env.backend.faults.clear()
    await moved(stage, match)
    await stage.later()
    assert len(await stage.boards(match)) == 2, "only the newest is posted"
    assert not (await stage.row(match)).unreachable
    assert not await store_of(stage).outbox_awaited()


def store_of(stage: Stage) -> Any:
    """The store of the bot that runs now."""
    return stage.bot.context.store


async def test_what_waits_for_a_person_comes_when_they_write_after_a_restart(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    store, now = stage.bot.context.store, stage.bot.context.clock.now()
    await store.outbox_add(draft(BoardMessage(0, (await stage.row(match)).version, again=True), match), now)
    (row,) = await store.outbox_pending(match)
    await store.outbox_park(row.id, until_dms_open(stage.ann.id), "person")
    await stage.ann.send_dm("hello")
    assert await store.outbox_awaited(), "nobody knows of it yet"
    await stage.restart()
    await stage.ben.send_dm("hello")
    assert await store_of(stage).outbox_awaited()
    await stage.ann.send_dm("hello")
    assert not await store_of(stage).outbox_awaited()
    assert len(await stage.boards(match)) == 2


async def test_a_board_for_nobody_in_particular_in_direct_messages_is_about_the_host(stage: Stage) -> None:
    """It is tried again: only a person's own refusal says that they can't be reached."""
    match, _ = await finished(stage)
    await stage.ann.slash(stage.channel, "replay fork", match=match, study=True)
    store, now = stage.bot.context.store, stage.bot.context.clock.now()
    (study,) = await store.by_status("live")
    assert study.place.guild is None
    path = f"/channels/{study.place.home}/messages"
    stage.env.inject_error("POST", path, status=404, code=10003, times=1)
    await store.outbox_add(draft(BoardMessage(0, study.version, again=True), study.id), now)
    await stage.later(seconds=20)
    assert stage.env.backend.faults == []
    assert len(await stage.boards_in(stage.ann.user.dm_channel, study.id)) == 2
    assert not await store.outbox_awaited(study.id)
    assert not (await stage.row(study.id)).unreachable
