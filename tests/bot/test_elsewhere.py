"""Moves typed outside a match's own channel are answered there; courtesies aren't moves."""

from __future__ import annotations

import pytest

from tests.bot.acts import last_board
from tests.bot.stage import Stage, legal

pytestmark = pytest.mark.slow


async def against_a_computer(stage: Stage) -> str:
    """A match of Dominance that Ann plays against a computer in her direct messages, she to move."""
    await stage.ann.user.slash("play", game="dominance")
    (row,) = await stage.bot.context.store.by_status("lobby")
    service = stage.bot.context.service
    await service.lobbies.add_computer(row.id, stage.ann.id, request="computer", level="random")
    await service.lobbies.start(row.id, stage.ann.id, request="start")
    await stage.deliver(row.id)
    return row.id


async def test_a_move_by_direct_message_is_answered_with_a_link(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    mover, move = await stage.mover(match), legal(await stage.match(match))[0]
    (said,) = await stage.hears(mover.user.dm_channel, mover.send_dm(move))
    board = await last_board(stage, match)
    assert (await stage.match(match)).plays == 1
    assert said.content.startswith(f"Played in `{match}`.")
    assert move in said.content
    assert said.content.endswith(f"/{board.channel.id}/{board.id}")


async def test_a_move_by_a_mention_elsewhere_is_answered_with_a_link(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, move = await stage.mover(match), legal(await stage.match(match))[0]
    (said,) = await stage.hears(stage.gallery, mover.send(stage.gallery, f"{stage.mention} {move}"))
    board = await last_board(stage, match)
    assert said.content.startswith(f"Played in `{match}`.")
    assert said.content.endswith(f"/{thread.id}/{board.id}")
    mover, move = await stage.mover(match), legal(await stage.match(match))[0]
    (board,) = await stage.hears(thread, mover.send(thread, f"{stage.mention} {move}"))
    assert board.attachments, "in its own thread the board is the answer"


async def test_a_conversation_means_its_own_match_first(stage: Stage) -> None:
    elsewhere, _ = await stage.open(stage.ann, stage.ben)
    while await stage.mover(elsewhere) != stage.ann:
        ben = await stage.mover(elsewhere)
        await ben.send_dm(legal(await stage.match(elsewhere))[0])
    here = await against_a_computer(stage)
    while not (await stage.match(here)).to_act:
        await stage.later()
    before = (await stage.match(here)).plays
    await stage.ann.send_dm(legal(await stage.match(here))[0])
    assert (await stage.match(here)).plays > before
    only_there = legal(await stage.match(elsewhere))[0]
    (said,) = await stage.hears(stage.ann.user.dm_channel, stage.ann.send_dm(only_there))
    assert said.content.startswith(f"Played in `{elsewhere}`."), "only that game can read it"


@pytest.mark.parametrize("word", ["thanks", "Thank you!", "gg", "OK.", "well played :)"])
async def test_courtesies_are_no_moves(stage: Stage, word: str) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, board = await stage.mover(match), await last_board(stage, match)
    word = word.removesuffix(" :)")
    assert await stage.hears(mover.user.dm_channel, mover.send_dm(word)) == []
    assert await stage.hears(thread, mover.send(thread, f"{stage.mention} {word}")) == []
    assert await stage.hears(thread, mover.send(thread, word, reply_to=board)) == []
    assert (await stage.match(match)).plays == 0


@pytest.mark.parametrize("word", ["help", "Help!", "how does this work?"])
async def test_a_call_for_help_is_answered(stage: Stage, word: str) -> None:
    _, thread = await stage.open(stage.ann, stage.ben)
    (said,) = await stage.hears(stage.ann.user.dm_channel, stage.ann.send_dm(word))
    assert "It's your move" in said.content or "Others are to move" in said.content
    (said,) = await stage.hears(thread, stage.cleo.send(thread, f"{stage.mention} {word}"))
    assert "`/games`" in said.content
    assert len(said.content) < 300


async def test_who_greets_without_a_match_hears_how_to_begin(stage: Stage) -> None:
    (said,) = await stage.hears(stage.ann.user.dm_channel, stage.ann.send_dm("hi"))
    assert "`/play`" in said.content
