"""Moves are taken back on the stage: asked in private, said in public, once."""

from __future__ import annotations

import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from tests.bot.acts import last_board, move_by
from tests.bot.stage import Stage, legal, shown, text_of

pytestmark = pytest.mark.slow


async def moved(stage: Stage) -> tuple[str, ChannelHandle, MemberActor, str]:
    """A match in which one move was made: its id, its thread, who moved and what."""
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, text = await stage.mover(match), legal(await stage.match(match))[0]
    await move_by(stage, "reply", match, thread, mover, text)
    return match, thread, mover, text


async def test_a_move_is_taken_back_by_button(stage: Stage) -> None:
    match, thread, mover, text = await moved(stage)
    question = shown(await mover.click(await last_board(stage, match), label="Undo"))
    assert question.flags.ephemeral
    assert question.content == f"Take back `{text}` in `{match}`?"
    boards = len(await stage.boards(match))
    done = await mover.click(question, label="Take it back")
    assert text_of(done) == f"You have taken it back. It's your move again in `{match}`."
    board = await last_board(stage, match)
    assert len(await stage.boards(match)) == boards + 1
    assert f"takes back {text}\n" in board.content
    assert "sealed" not in board.content, "said on the first board"
    assert await stage.mover(match) is mover
    assert mover.id not in board.raw_mentions, "who has asked for it isn't called"
    fresh = legal(await stage.match(match))[1]
    await move_by(stage, "reply", match, thread, mover, fresh)
    assert await stage.mover(match) is not mover


async def test_by_command_and_after_a_restart(stage: Stage) -> None:
    match, thread, mover, text = await moved(stage)
    question = shown(await mover.slash(thread, "match undo"))
    assert text in question.content
    await stage.restart()
    await mover.click(question, label="Take it back")
    assert await stage.mover(match) is mover
    again = text_of(await stage.press_id(mover, question, f"domb:undo_yes:{match}:1"))
    assert again == "There is nothing to take back."
    assert text_of(await mover.slash(thread, "match undo")) == "There is nothing to take back."


async def test_two_presses_count_once(stage: Stage) -> None:
    _, thread, mover, _ = await moved(stage)
    question = shown(await mover.slash(thread, "match undo"))
    await stage.press_all((mover, question, "undo_yes"), (mover, question, "undo_yes"))
    assert len([m for m in thread.history() if "takes back" in m.content]) == 1


async def test_who_waits_too_long_asks_the_others(stage: Stage) -> None:
    match, thread, mover, text = await moved(stage)
    question = shown(await mover.slash(thread, "match undo"))
    other = await stage.mover(match)
    assert text_of(await other.slash(thread, "match undo")) == "There is nothing to take back."
    answer = legal(await stage.match(match))[0]
    await move_by(stage, "slash", match, thread, other, answer)
    assert "moved on" in text_of(await mover.click(question, label="Take it back"))
    asking = shown(await mover.click(await last_board(stage, match), label="Undo"))
    assert asking.content.startswith(
        f"Take back `{text}` and `{answer}` in `{match}`? Something has come of it"
    )
    assert f"({'Ann' if other is stage.ann else 'Ben'}) must agree" in asking.content
    done = text_of(await mover.click(asking, label="Ask them"))
    assert done == f"You have asked to take it back in `{match}`. The match goes on until everyone agrees."
    notice = thread.history()[-1]
    assert f"would like to take back {text} and {answer}" in notice.content
    assert notice.raw_mentions == [other.id]
    stranger = text_of(await stage.dan.click(notice, label="Agree"))
    assert stranger == "You're not playing in this match, but you're welcome to watch."
    await other.click(notice, label="Agree")
    board = await last_board(stage, match)
    assert f"takes back {text} and {answer}" in board.content
    assert board.raw_mentions == [], "both know"
    assert "asking to take a move back" in text_of(await other.click(notice, label="Agree"))
    told = text_of(await stage.dan.click(board, label="Undo"))
    assert told == "You're not playing in this match, but you're welcome to watch."


async def test_others_may_decline(stage: Stage) -> None:
    match, thread, mover, _ = await moved(stage)
    other = await stage.mover(match)
    await move_by(stage, "slash", match, thread, other, legal(await stage.match(match))[0])
    await mover.click(shown(await mover.slash(thread, "match undo")), label="Ask them")
    await stage.restart()
    await other.click(thread.history()[-1], label="Decline")
    assert "declines: nothing is taken back" in thread.history()[-1].content
    assert (await stage.match(match)).plays == 2


async def test_a_match_in_direct_messages(stage: Stage) -> None:
    match, _, mover, text = await moved(stage)
    question = shown(await mover.user.slash("match undo", match=match))
    assert text in question.content
    await mover.user.click(question, label="Take it back")
    assert f"takes back {text}\n" in (await last_board(stage, match)).content
