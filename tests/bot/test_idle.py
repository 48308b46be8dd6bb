"""A match that nobody moves in, on the stage: one question, then it rests until someone takes it up."""

from __future__ import annotations

import discord
import pytest
from simcord.builders import ChannelHandle

from tests.bot.acts import last_board, move_by, rows_of
from tests.bot.stage import Stage, legal, text_of

pytestmark = pytest.mark.slow


DAY = 24


async def asked(stage: Stage) -> tuple[str, ChannelHandle]:
    """A match whose people were asked whether to go on."""
    stage.env.backend.guilds[stage.guild.id].owner_id = stage.ann.id
    said = text_of(await stage.ann.slash(stage.channel, "server settings", idle=14))
    assert "Days without a move until players are asked: `14`" in said
    match, thread = await stage.open(stage.ann, stage.ben)
    await stage.later(hours=14 * DAY + 1)
    return match, thread


def the_question(thread: ChannelHandle) -> discord.Message:
    """The only question; a reminder of the turn may have come beside it, as the bot was down all the time."""
    (found,) = [message for message in thread.history() if "Nobody has moved" in message.content]
    return found


async def test_it_is_off_unless_the_server_wants_it(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    await stage.later(hours=400 * DAY)
    assert "Nobody has moved" not in thread.history()[-1].content
    assert (await stage.row(match)).status == "live"


async def test_the_question_is_asked_once(stage: Stage) -> None:
    match, thread = await asked(stage)
    question = the_question(thread)
    assert question.content.startswith(f"Nobody has moved in `{match}` since <t:")
    assert sorted(question.raw_mentions) == sorted([stage.ann.id, stage.ben.id])
    assert rows_of(question) == [["Go on", "Set aside"]]
    await stage.restart()
    await stage.later(seconds=120)
    assert len([m for m in thread.history() if "Nobody has moved" in m.content]) == 1
    told = text_of(await stage.eve.click(question, label="Go on"))
    assert told == "You're not playing in this match, but you're welcome to watch."
    await stage.press_all((stage.ann, question, "idle_on"), (stage.ben, question, "idle_on"))
    (answer,) = [message for message in thread.history() if "would like to go on" in message.content]
    assert not answer.components
    await stage.later(hours=8 * DAY)
    assert (await stage.row(match)).status == "live"


async def test_nobody_answers_and_a_button_takes_it_up(stage: Stage) -> None:
    match, thread = await asked(stage)
    old = the_question(thread)
    await stage.later(hours=7 * DAY + 1)
    row = await stage.row(match)
    assert row.set_aside
    notice = thread.history()[-1]
    assert notice.content.startswith(f"`{match}` has been set aside without a result")
    secret = text_of(await stage.press_id(stage.ann, notice, f"domb:sealed:{match}:-1"))
    assert row.secret not in secret, "the match may go on"
    assert match not in text_of(await stage.ann.slash(thread, "matches mine"))
    await stage.press_all((stage.ann, notice, "idle_up"), (stage.ben, notice, "idle_up"))
    assert (await stage.row(match)).status == "live"
    boards = await stage.boards(match)
    assert len(boards) == 2, "one more"
    mover = await stage.mover(match)
    assert boards[-1].raw_mentions == [], "there was a ping for this turn already"
    await move_by(stage, "reply", match, thread, mover, legal(await stage.match(match))[0])
    assert (await stage.match(match)).plays == 1
    late = text_of(await stage.press_id(stage.ann, old, f"domb:idle_off:{match}:1"))
    assert late == "Someone has moved since that question, so the match goes on."


async def test_a_move_takes_it_up(stage: Stage) -> None:
    match, thread = await asked(stage)
    await stage.ann.click(the_question(thread), label="Set aside")
    assert (await stage.row(match)).set_aside
    mover = await stage.mover(match)
    move = legal(await stage.match(match))[0]
    await mover.send(thread, move, reply_to=await last_board(stage, match))
    assert (await stage.row(match)).status == "live"
    assert (await stage.match(match)).plays == 1


async def test_after_the_end_the_buttons_say_so(stage: Stage) -> None:
    match, thread = await asked(stage)
    question = the_question(thread)
    await stage.bot.context.service.play.resign(match, stage.ann.id, request="end")
    for label in ("Go on", "Set aside"):
        assert text_of(await stage.ann.click(question, label=label)) == "This match is over."
