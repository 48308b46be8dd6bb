"""`/matches import`: a file becomes a match of its owner to look at and continue, or its fault is named."""

from __future__ import annotations

from typing import Any, cast

import discord
import pytest

from bot.actions.records import imports as module
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.match import begin, play
from games.engine.message import Msg
from games.engine.record import export
from matches.store.rows import MatchRow
from tests.bot.stage import Stage, button_ids, shown, text_of
from tests.bot.test_forks import finished
from tests.bot.test_maps import Sent

pytestmark = pytest.mark.slow


def elsewhere(moves: int = 4, name: str = "Ada", key: str = "dominance", nth: int = 0) -> bytes:
    """The record of a match that somebody has begun on another host, the `nth` action chosen each time."""
    game = registry.get(key)
    sealed = Sealed(b"e" * 32, "D-ELSEWH", "1:2")
    match = begin(game, game.setup(2), sealed).match
    for _ in range(moves):
        (seat,) = match.to_act
        actions = list(game.actions(game.view(match.state, seat), seat))
        change = play(match, seat, actions[nth], sealed)
        assert not isinstance(change, Msg)
        match = change.match
    return export(match.log, {"Date": "2026-03-01", "Seat 1": name, "Seat 2": "Bo"}).encode()


async def imported(stage: Stage, person: Any, data: bytes, name: str = "match.txt") -> discord.Message:
    return shown(await person.slash(stage.channel, "matches import", file=(name, data)))


async def the_import(stage: Stage, person: Any) -> MatchRow:
    (row,) = await stage.bot.context.store.by_user(person.id, ("over",))
    return row


async def test_it_is_shown_replayed_and_continued(stage: Stage) -> None:
    answer = await imported(stage, stage.ann, elsewhere(name="**A** <@1> @everyone"))
    row = await the_import(stage, stage.ann)
    assert f"Imported as `{row.id}`" in answer.content
    assert "**A**" not in answer.content
    assert len(answer.attachments) == 1
    ids = button_ids(answer)
    assert any(":replay:" in each for each in ids)
    assert not any(verb in each for verb in (":resign:", ":rematch:", ":analyse:", ":undo:") for each in ids)
    replay = shown(await stage.ann.click(answer, label="Replay"))
    assert row.id in replay.content
    await stage.ann.slash(stage.channel, "replay fork", match=row.id, move=2)
    (lobby,) = await stage.bot.context.store.by_status("lobby")
    assert f"From move 2 of `{row.id}`" in (await stage.lobby(lobby.id)).content
    said = text_of(await stage.ann.slash(stage.channel, "move", match=row.id, move="a1"))
    assert "imported from a record" in said


async def test_it_is_private_until_it_is_made_public(stage: Stage) -> None:
    await imported(stage, stage.ann, elsewhere())
    row = await the_import(stage, stage.ann)
    assert "There is no match" in text_of(await stage.ben.slash(stage.channel, "ask board", match=row.id))
    assert "There is no match" in text_of(await stage.ben.slash(stage.channel, "replay fork", match=row.id))
    await stage.ann.slash(stage.channel, "match share", match=row.id, answer="yes")
    assert "There is no match" not in text_of(await stage.ben.slash(stage.channel, "ask board", match=row.id))


async def test_what_its_secret_would_prove_is_left_open(stage: Stage) -> None:
    """A match that isn't over shows no secret: nothing is wrong with it, and nothing is sealed here."""
    await imported(stage, stage.ann, elsewhere(6, key="two_domains", nth=-1))
    row = await the_import(stage, stage.ann)
    proof = text_of(await stage.ann.slash(stage.channel, "replay verify", match=row.id))
    assert proof.startswith(f"`{row.id}` was imported before its end: all 6 moves follow the rules.")
    assert "can't be checked" in proof
    dice = text_of(await stage.ann.slash(stage.channel, "replay dice", match=row.id))
    assert "**The die**: " in dice
    assert dice.endswith("without its secret, so its draws can't be checked.")


async def test_twice_is_once_and_one_of_ours_is_itself(stage: Stage) -> None:
    await imported(stage, stage.ann, elsewhere())
    row = await the_import(stage, stage.ann)
    again = await imported(stage, stage.ann, elsewhere())
    assert f"before, as `{row.id}`" in again.content
    match, _ = await finished(stage)
    file = shown(await stage.ben.slash(stage.channel, "replay record", match=match)).attachments[0]
    ours = await imported(stage, stage.ben, await file.read())
    assert f"the record of `{match}`" in ours.content


async def test_a_message_with_a_record_is_imported_too(stage: Stage) -> None:
    file = ("match.txt", elsewhere())
    message = await stage.ben.send(stage.channel, "look", attachments=[file])
    answer = shown(await stage.ann.context_menu(stage.channel, "Import record", message))
    assert "Imported as" in answer.content
    bare = await stage.ben.send(stage.channel, "nothing")
    assert "no file" in text_of(await stage.ann.context_menu(stage.channel, "Import record", bare))
    both = await stage.ben.send(stage.channel, "both", attachments=[file, file])
    assert "2 files" in text_of(await stage.ann.context_menu(stage.channel, "Import record", both))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "Line 1"),
        (b"\xff\xfe", "isn't UTF-8"),
        (elsewhere().replace(b"\n2 ", b"\n3 ", 1), "Line 14: `entry 2 was expected`"),
        (elsewhere().replace(b"Date", b"D`[x](y)`e"), "can't be the name of a header"),
        (elsewhere().replace(b"Ada", b"Eve"), "the checksum does not match"),
    ],
)
async def test_what_is_wrong_is_said(stage: Stage, data: bytes, said: str) -> None:
    answer = await imported(stage, stage.ann, data)
    assert said in answer.content
    assert answer.content.count("`") % 2 == 0
    assert await stage.bot.context.store.by_user(stage.ann.id, ("over",)) == ()


@pytest.mark.parametrize(
    ("size", "key"), [(4_000_001, "bot.import.large"), (4_000_000, "bot.import.unfetched")]
)
async def test_the_size_is_looked_at_before_anything_is_fetched(size: int, key: str) -> None:
    found = await module._fetch(cast("discord.Attachment", Sent("match.txt", size)))
    assert isinstance(found, Msg)
    assert found.key == key
