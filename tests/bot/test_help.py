"""Help: three sentences for the moment, a short page for each topic, found by the words that people use."""

from __future__ import annotations

import discord
import pytest

from bot.actions.help_panel import TOPICS, find_topic
from games.engine.message import msg
from tests.bot.acts import last_board
from tests.bot.lobby_acts import labels
from tests.bot.stage import Stage, shown, text_of, words_of
from tests.bot.test_match_panel import MAX_FIRST
from tests.bot.test_places import manager

pytestmark = pytest.mark.slow


async def helped(stage: Stage, who: str, where: object = None, **about: str) -> discord.Message:
    """Return what a person is shown who asks for help."""
    answer = shown(await getattr(stage, who).slash(where or stage.channel, "help", **about))
    assert answer.flags.ephemeral
    assert len(words_of(answer)) <= MAX_FIRST
    return answer


async def test_what_is_said_first_fits_the_moment(stage: Stage) -> None:
    assert "**Play** opens a lobby" in words_of(await helped(stage, "ann"))
    match, _ = await stage.open(stage.ann, start=False)
    assert f"Lobby `{match}` is open here" in words_of(await helped(stage, "ben"))
    await stage.ben.click(await stage.lobby(match), label="Join")
    await stage.ann.click(await stage.lobby(match), label="Start")
    thread = stage.home(await stage.row(match))
    mover, waiting = await stage.mover(match), await stage.waiting(match)
    (turn,) = (await helped(stage, mover.name, thread),)
    assert words_of(turn).startswith(f"It's your move in `{match}`")
    assert labels(turn) == {"Moves", "More"}
    assert f"Others are to move in `{match}`" in words_of(await helped(stage, waiting.name, thread))
    assert f"You're watching `{match}`" in words_of(await helped(stage, "cleo", thread))
    await stage.ann.click(shown(await stage.ann.slash(thread, "match resign")), label="Yes, I resign")
    assert f"`{match}` is over" in words_of(await helped(stage, "ann", thread))


async def test_who_manages_the_server_hears_of_its_settings(stage: Stage) -> None:
    manager(stage)
    assert "`/server settings`" in words_of(await helped(stage, "ann"))


async def test_every_topic_is_a_page_of_the_menu(stage: Stage) -> None:
    panel = await helped(stage, "ann")
    say = stage.bot.context.readers.default.say
    for topic in TOPICS:
        page = text_of(await stage.ann.select(panel, [topic]))
        assert page.startswith(f"**{say(msg(f'help.topic.{topic}'))}**")
        assert len(page) <= MAX_FIRST


ASKED = {
    "undo": "undo",
    "/match undo": "undo",
    "how do I take back a move?": "undo",
    "I made a mistake": "undo",
    "Notifications": "pings",
    "my time zone": "pings",
    "the clock": "clock",
    "vacation": "clock",
    "my opponent left": "seats",
    "are the dice fair?": "after",
    "which permissions": "server",
    "how to play against the computer": "start",
    "typing": "move",
    "screen reader": "look",
    "spectate": "watch",
    "delete my data": "account",
    "server": "server",
    "xyzzy": None,
}
"""What people ask for, and the topic that answers it."""


async def test_topics_are_found_by_the_words_that_people_use(stage: Stage) -> None:
    say = stage.bot.context.readers.default.say
    found, missing = {}, []
    for asked, topic in ASKED.items():
        await stage.env.advance_time(5)
        found[asked] = find_topic(asked, stage.bot.context.readers.default)
        title = say(msg(f"help.topic.{topic}")) if topic else "**Play** opens"
        if title not in words_of(await helped(stage, "ann", about=asked)):
            missing.append(asked)
    assert found == ASKED
    assert missing == []


async def test_a_mention_is_answered_briefly_and_the_rest_in_private(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    (said,) = await stage.hears(thread, stage.ann.send(thread, f"{stage.mention} help"))
    assert len(words_of(said)) < 300
    panel = shown(await stage.cleo.click(said, label="Help"))
    assert panel.flags.ephemeral
    assert f"You're watching `{match}`" in words_of(panel)
    assert (await last_board(stage, match)).id != said.id
