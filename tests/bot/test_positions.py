"""`/replay position`: a position as text becomes a picture and a text board, for one or for all."""

from __future__ import annotations

import json
from typing import cast

import discord
import pytest

from bot.actions.records import positions as module
from games.engine import registry
from games.engine.message import Msg, msg
from games.engine.portable import position_text
from tests.bot.stage import Stage, button_ids, shown, text_of, withhold
from tests.bot.test_forks import finished
from tests.bot.test_maps import Sent
from tests.bot.test_replays import short_match
from tests.laws.courses import Case, course

pytestmark = pytest.mark.slow


def text_in(key: str) -> str:
    """A position in the middle of a match."""
    game = registry.get(key)
    options = {"cap": 10} if key == "domination" else {}
    case = Case(key, game.seats[0], tuple((dict(game.setup(game.seats[0]).options) | options).items()))
    some = list(course(case, "random").some(3))
    return position_text(some[1].match)


@pytest.mark.parametrize("key", [game.key for game in registry.all_games()])
async def test_every_game_is_shown_as_picture_and_text(stage: Stage, key: str) -> None:
    file = ("any.json", text_in(key).encode())
    answer = shown(await stage.ann.slash(stage.channel, "replay position", file=file))
    title = stage.bot.context.readers.default.say(msg(f"{key}.title"))
    assert title in answer.content
    names = [each.filename for each in answer.attachments]
    assert names[0] == f"{key}.png"
    assert names[-1] == module.FILE
    assert "```" in answer.content or "board.txt" in names
    assert all(each.description for each in answer.attachments)


async def test_a_bare_position_needs_its_game(stage: Stage) -> None:
    match = short_match()
    bare = json.dumps(match.game.dump(match.state))
    answer = shown(await stage.ann.slash(stage.channel, "replay position", text=bare, game="focus"))
    assert answer.attachments
    assert "no such game" in text_of(await stage.ann.slash(stage.channel, "replay position", text=bare))


async def test_its_button_shows_it_to_everyone_even_after_a_restart(stage: Stage) -> None:
    match, _ = await finished(stage)
    file = shown(
        await stage.ann.slash(stage.channel, "replay record", match=match, format="position")
    ).attachments[0]
    answer = shown(
        await stage.ann.slash(
            stage.channel, "replay position", file=("p.json", await file.read()), game="focus"
        )
    )
    before = len(stage.channel.history())
    await stage.restart()
    await stage.ann.click(answer, label="Show here")
    (public,) = stage.channel.history()[before:]
    assert public.attachments[0].filename == "focus.png"
    assert f"<@{stage.ann.id}>" in public.content


async def test_who_cannot_write_cannot_show_it(stage: Stage) -> None:
    answer = shown(await stage.ann.slash(stage.channel, "replay position", text=position_text(short_match())))
    withhold(stage, "send_messages")
    before = len(stage.channel.history())
    await stage.ann.click(answer, label="Show here")
    assert len(stage.channel.history()) == before


async def test_in_direct_messages_there_is_nobody_to_show_it_to(stage: Stage) -> None:
    answer = shown(await stage.ann.user.slash("replay position", text=position_text(short_match())))
    assert button_ids(answer) == []


async def test_a_message_without_the_position_says_so(stage: Stage) -> None:
    answer = shown(await stage.ann.slash(stage.channel, "replay position", text=position_text(short_match())))
    other = await stage.ben.send(stage.channel, "hello")
    assert button_ids(answer) == ["domb:position_show:-:0"]
    said = text_of(await stage.press_id(stage.ann, other, "domb:position_show:-:0"))
    assert "no longer attached" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Give me a position"),
        ("x", "line 1, column 1"),
        ('{"game": "focus", "position": {"seats": 9}}', "seats"),
        ('{"game": "focus", "position": {"`@everyone`": 1}}', "isn't a position"),
    ],
)
async def test_what_is_wrong_is_said(stage: Stage, text: str, said: str) -> None:
    answer = text_of(await stage.ann.slash(stage.channel, "replay position", text=text))
    assert said in answer
    assert answer.count("`") % 2 == 0


@pytest.mark.parametrize(
    ("size", "key"), [(400_001, "bot.position.large"), (400_000, "bot.import.unfetched")]
)
async def test_the_size_is_looked_at_before_anything_is_fetched(size: int, key: str) -> None:
    found = await module._fetch(cast("discord.Attachment", Sent("p.json", size)))
    assert isinstance(found, Msg)
    assert found.key == key
