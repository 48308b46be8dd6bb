"""What servers do to a match: boards and threads deleted, rights taken away, players who leave."""

from __future__ import annotations

import pytest

from bot.platform.permissions import INVITE
from tests.bot.acts import last_board, move_by
from tests.bot.stage import Stage, allow, legal, text_of, withhold

pytestmark = pytest.mark.slow


async def test_a_deleted_board_comes_back_once(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    await move_by(stage, "slash", match, thread, await stage.mover(match), legal(await stage.match(match))[0])
    old, present = await stage.boards(match)
    await stage.remove(old)
    assert len(await stage.boards(match)) == 1, "an old one is not missed"
    await stage.remove(present)
    (again,) = await stage.boards(match)
    assert "The board was deleted; here it is again." in again.content
    mover = await stage.mover(match)
    await mover.send(thread, legal(await stage.match(match))[0], reply_to=again)
    assert (await stage.match(match)).plays == 2
    for _ in range(3):
        for board in await stage.boards(match):
            await stage.remove(board)
    assert not await stage.boards(match), "whoever deletes it again means it"
    text = legal(await stage.match(match))[0]
    await move_by(stage, "mention", match, thread, await stage.mover(match), text)
    assert len(await stage.boards(match)) == 1


async def test_a_deleted_lobby_comes_back_once(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False)
    first = await stage.lobby(match)
    await stage.remove(first)
    again = await stage.lobby(match)
    assert again.id != first.id
    await stage.ben.click(again, label="Join")
    await stage.ann.click(await stage.lobby(match), label="Start")
    assert (await stage.row(match)).place.thread == again.id
    assert len(await stage.boards(match)) == 1

    other, _ = await stage.open(stage.cleo, start=False)
    for _ in range(2):
        await stage.remove(await stage.lobby(other))
    shown_ids = {m.id for m in stage.channel.history()}
    assert (await stage.row(other)).lobby.message not in shown_ids, "whoever deletes it again means it"


async def test_a_deleted_thread_and_continue(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    await stage.cleo.slash(stage.gallery, "matches watch here", match=match)
    stage.env.backend.delete_channel(thread.id)
    await stage.env.settle()
    for person in (stage.ann, stage.ben):
        (told,) = [m.content for m in person.user.dm_channel.history() if m.author.bot]
        assert f"The channel of match `{match}` was deleted. Nothing is lost" in told
        assert f"/match continue match:{match}" in told
    await stage.restart()
    mover = await stage.mover(match)
    text = legal(await stage.match(match))[0]
    await mover.send_dm(f"{match} {text}")
    assert (await stage.match(match)).plays == 1, "a move can be made all the same"
    assert len([m for m in mover.user.dm_channel.history() if "was deleted" in m.content]) == 1
    said = text_of(await stage.cleo.slash(stage.channel, "match continue", match=match))
    assert "welcome to watch" in said
    said = text_of(await stage.ben.slash(stage.channel, "match continue", match=match))
    assert said == f"Match `{match}` goes on here."
    boards = await stage.boards(match)
    assert [m.channel.id for m in boards] == [stage.channel.id]
    assert text in boards[0].content
    for route in ("reply", "mention", "menu"):
        text = legal(await stage.match(match))[0]
        await move_by(stage, route, match, stage.channel, await stage.mover(match), text)
    assert (await stage.match(match)).plays == 4
    said = text_of(await stage.ben.slash(stage.gallery, "match continue", match=match))
    assert said == f"Match `{match}` is played in {stage.channel.mention}. It doesn't need another channel."


async def test_a_board_that_moved_to_another_channel_comes_back_there(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    stage.env.backend.delete_channel(thread.id)
    await stage.env.settle()
    await stage.ben.slash(stage.channel, "match continue", match=match)
    (board,) = await stage.boards(match)
    await stage.remove(board)
    (again,) = await stage.boards(match)
    assert "The board was deleted; here it is again." in again.content
    await stage.remove(again)
    assert not await stage.boards(match)


async def test_continue_without_a_move_shows_the_board(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    stage.env.backend.delete_channel(thread.id)
    await stage.env.settle()
    await stage.ann.slash(stage.channel, "match continue", match=match)
    (board,) = await stage.boards(match)
    assert "to move" in board.content


@pytest.mark.slow
async def test_a_lost_right_and_its_return(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    first = await stage.mover(match)
    withhold(stage, "send_messages_in_threads")
    text = legal(await stage.match(match))[0]
    said = text_of(await first.slash(stage.channel, "move", move=text, match=match))
    assert "Played" in said
    assert len(await stage.boards(match)) == 1
    owner = stage.guild.owner
    people = {stage.ann.user, stage.ben.user, owner}
    await stage.later(seconds=62)
    for person in people:
        told = [m.content for m in person.dm_channel.history() if m.author.bot]
        assert len(told) == 1, "said once"
        assert f"I can't post in {thread.mention}" in told[0]
        assert "send messages (in threads too)" in told[0]
        assert "continues on its own" in told[0]
    allow(stage.env, stage.guild, INVITE)
    await stage.later(seconds=62)
    assert len(await stage.boards(match)) == 2
    assert not (await stage.row(match)).unreachable
    assert not await stage.bot.context.store.outbox_pending()


@pytest.mark.slow
async def test_a_locked_thread(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    posts = f"/channels/{thread.id}/messages"
    stage.env.inject_error("POST", posts, status=400, code=50083, message="Thread is archived", times=1)
    mover = await stage.mover(match)
    await mover.slash(stage.channel, "move", move=legal(await stage.match(match))[0], match=match)
    told = [m.content for m in stage.ben.user.dm_channel.history() if m.author.bot]
    assert len(told) == 1
    assert f"The thread {thread.mention} of match `{match}` is locked" in told[0]
    assert len(await stage.boards(match)) == 1
    await stage.later(seconds=62)
    assert len(await stage.boards(match)) == 2
    assert not (await stage.row(match)).unreachable


async def test_a_player_who_left(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    if await stage.mover(match) != stage.ann:
        await move_by(stage, "slash", match, thread, stage.ben, legal(await stage.match(match))[0])
    stage.guild.remove_member(stage.ben)
    await stage.later(hours=7)
    await move_by(stage, "slash", match, thread, stage.ann, legal(await stage.match(match))[0])
    board = await last_board(stage, match)
    assert "Ben) has left this server. The match waits" in board.content
    await stage.ben.user.send_dm(f"{match} {legal(await stage.match(match))[0]}")
    assert await stage.mover(match) == stage.ann, "who left may still play by direct message"
    assert "has left" not in (await last_board(stage, match)).content


async def test_an_answer_that_may_not_be_written(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    mover = await stage.mover(match)
    home = mover.user.dm_channel
    stage.env.inject_error("POST", f"/channels/{home.id}/messages", status=403, code=50007)
    assert not await stage.hears(home, mover.send_dm(f"{match} z9-z8"))
    (said,) = await stage.hears(home, mover.send_dm(f"{match} z9-z8"))
    assert "no space" in said.content
    assert (await stage.match(match)).plays == 0


async def test_direct_messages_that_are_closed(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    for person in (stage.ann, stage.ben):
        posts = f"/channels/{person.user.dm_channel.id}/messages"
        stage.env.inject_error("POST", posts, status=403, code=50007, message="Cannot send", times=None)
    stage.env.backend.delete_channel(thread.id)
    await stage.env.settle()
    assert not await stage.bot.context.store.outbox_pending()
    assert (await stage.row(match)).unreachable == "channel"
