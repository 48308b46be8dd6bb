"""`/replay fork`: a table from a move of a finished match, in its thread, elsewhere, in direct messages."""

from __future__ import annotations

import pytest
from simcord.builders import ChannelHandle

from bot.messages.components import walk_components
from matches.store.rows import MatchRow
from tests.bot.stage import Stage, button_ids, legal, shown, text_of, words_of

pytestmark = pytest.mark.slow


async def finished(stage: Stage, moves: int = 3) -> tuple[str, ChannelHandle]:
    """A match of Ann and Ben that ended after some moves."""
    match, thread = await stage.open(stage.ann, stage.ben)
    for _ in range(moves):
        mover, move = await stage.mover(match), legal(await stage.match(match))[0]
        await mover.send(thread, f"{stage.mention} {move}")
    sure = shown(await stage.ann.slash(thread, "match resign"))
    await stage.ann.click(sure, label="Yes, I resign")
    return match, thread


async def lobby_of(stage: Stage) -> MatchRow:
    (row,) = await stage.bot.context.store.by_status("lobby")
    return row


async def test_a_fork_opens_a_table_with_the_position(stage: Stage) -> None:
    match, _ = await finished(stage)
    before = await stage.match(match)
    said = text_of(await stage.cleo.slash(stage.channel, "replay fork", match=match, move=2))
    row = await lobby_of(stage)
    assert row.id in said
    assert "rated" not in said, "nothing is"
    lobby = await stage.lobby(row.id)
    assert f"From move 2 of `{match}`" in words_of(lobby)
    assert len(lobby.attachments) == 1
    await stage.dan.click(lobby, label="Join")
    await stage.cleo.click(await stage.lobby(row.id), label="Start")
    now = await stage.match(row.id)
    assert now.hosting.origin is not None
    assert now.hosting.origin.move == 2
    (board,) = await stage.boards(row.id)
    assert f"continues from move 2 of `{match}`" in words_of(board)
    mover, move = await stage.mover(row.id), legal(now)[0]
    await mover.send(stage.home(await stage.row(row.id)), f"{stage.mention} {move}")
    assert (await stage.match(row.id)).plays == 1
    assert await stage.match(match) == before
    await stage.restart()
    assert (await stage.match(row.id)).plays == 1


async def test_in_its_own_thread_the_table_opens_beside_it(stage: Stage) -> None:
    match, thread = await finished(stage)
    await stage.ann.slash(thread, "replay fork", friend=stage.ben.user)
    row = await lobby_of(stage)
    assert row.provenance.origin is not None
    assert (row.provenance.origin.match, row.provenance.origin.move) == (match, 3)
    assert row.place.channel == stage.channel.id
    assert [seat.occupant for seat in row.seats] == ["person", "invited"]


async def test_seats_and_options_are_not_offered(stage: Stage) -> None:
    match, _ = await finished(stage)
    await stage.ann.slash(stage.channel, "replay fork", match=match)
    panel = shown(await stage.ann.click(await stage.lobby((await lobby_of(stage)).id), label="Options"))
    assert f"Seats and options are those of `{match}`" in words_of(panel)
    menus = [getattr(child, "custom_id", "") for child in walk_components(panel.components)]
    assert not any("doms:seats:" in str(each) for each in menus)
    assert not any("doms:option:" in str(each) for each in menus)
    # A panel from before, or one that someone has made up.
    row = await lobby_of(stage)
    await stage.press_id(stage.ann, panel, f"domb:more:{row.id}:-1:0")
    assert (await stage.row(row.id)).options == row.options


async def test_in_direct_messages_it_is_played_against_a_computer(stage: Stage) -> None:
    match, _ = await finished(stage)
    await stage.ann.user.slash("replay fork", match=match, move=1)
    row = await lobby_of(stage)
    assert row.place.guild is None
    service = stage.bot.context.service
    await service.lobbies.add_computer(row.id, stage.ann.id, request="computer", level="beginner")
    await service.lobbies.start(row.id, stage.ann.id, request="start")
    await stage.deliver(row.id)
    assert (await stage.match(row.id)).hosting.origin is not None


async def test_what_cannot_be_continued_is_said(stage: Stage) -> None:
    match, _ = await finished(stage)
    live, _ = await stage.open(stage.ann, stage.ben)
    assert "still being played" in text_of(await stage.ann.slash(stage.channel, "replay fork", match=live))
    far = text_of(await stage.ann.slash(stage.channel, "replay fork", match=match, move=9))
    assert "move 0 to move 3" in far
    assert await stage.bot.context.store.by_status("lobby") == ()


async def test_a_study_is_played_alone_in_direct_messages(stage: Stage) -> None:
    match, _ = await finished(stage)
    said = text_of(await stage.cleo.slash(stage.channel, "replay fork", match=match, move=1, study=True))
    (row,) = await stage.bot.context.store.by_status("live")
    assert f"Your study `{row.id}` has begun" in said
    boards = await stage.boards_in(stage.cleo.user.dm_channel, row.id)
    assert len(boards) == 1
    assert f"<@{stage.cleo.id}>" not in words_of(boards[0])
    assert "you play all sides" in words_of(boards[0])
    for _ in range(3):
        await stage.cleo.send_dm(legal(await stage.match(row.id))[0])
    assert (await stage.match(row.id)).plays == 3
    await stage.restart()
    for plays in (2, 1):
        sure = shown(await stage.cleo.user.slash("match undo"))
        await stage.cleo.user.click(sure, label="Take it back")
        assert (await stage.match(row.id)).plays == plays
    listed = text_of(await stage.cleo.slash(stage.channel, "matches mine"))
    assert "Study of" in listed
    assert "There is no match" in text_of(await stage.dan.slash(stage.channel, "ask board", match=row.id))
    sure = shown(await stage.cleo.user.slash("match resign"))
    await stage.cleo.user.click(sure, label="Yes, I resign")
    last = (await stage.boards_in(stage.cleo.user.dm_channel, row.id))[-1]
    assert not any(":rematch:" in each for each in button_ids(last))
    assert any(":replay:" in each for each in button_ids(last))


async def test_a_study_is_for_one(stage: Stage) -> None:
    match, _ = await finished(stage)
    said = text_of(
        await stage.cleo.slash(stage.channel, "replay fork", match=match, study=True, friend=stage.dan.user)
    )
    assert "for you alone" in said
    assert await stage.bot.context.store.by_status("live") == ()
