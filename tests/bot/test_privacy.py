"""`/settings privacy` on the stage: what is kept, the file with it, and questions before one is forgotten."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

from games.engine import registry
from matches.store.erasures import ERASED_NAME
from tests.bot.stage import Stage, button_ids, legal, shown, text_of

pytestmark = pytest.mark.slow

TOKEN = -4_000_000_000


async def files_of(message: Any) -> dict[str, str]:
    """The files in the zip of a message."""
    (attached,) = message.attachments
    with zipfile.ZipFile(io.BytesIO(await attached.read())) as packed:
        return {name: packed.read(name).decode() for name in packed.namelist()}


async def forget(stage: Stage, person: Any) -> str:
    """A person is forgotten by the buttons."""
    first = shown(await person.slash(stage.channel, "settings privacy", do="erase"))
    second = shown(await person.click(first, label="Continue"))
    assert second.content.startswith("**Are you sure?**")
    return text_of(await person.click(second, label="Forget me now"))


async def test_ten_lines_say_what_is_kept(stage: Stage) -> None:
    said = shown(await stage.ann.slash(stage.channel, "settings privacy"))
    assert said.content.startswith("**What I store about you**")
    assert len(said.content.splitlines()) <= 10
    assert said.flags.ephemeral


async def test_the_file_has_what_is_theirs_and_no_secrets(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    over, _ = await stage.open(stage.ann, stage.cleo)
    await stage.bot.context.service.play.resign(over, stage.ann.id, request="end")
    panel = shown(await stage.ann.slash(stage.channel, "settings privacy"))
    said = shown(await stage.ann.click(panel, label="My data"))
    assert said.flags.ephemeral
    files = await files_of(said)
    data = json.loads(files["data.json"])
    assert {row["match"] for row in data["tables"]["seats"]} == {match, over}
    assert (await stage.row(match)).secret not in files["data.json"]
    assert str(stage.ben.id) not in files["data.json"]
    assert set(files) == {"data.json", f"records/{over}.txt"}, "a match in progress has secrets"


async def test_who_is_forgotten_leaves_what_they_play_and_comes_back_new(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    waiting, _ = await stage.open(stage.ann, start=False)
    name = next(seat.name for seat in (await stage.row(match)).seats if seat.user == stage.ann.id)
    await stage.bot.context.store.save_settings("user", stage.ann.id, {"zone": "UTC"})
    first = shown(await stage.ann.slash(stage.channel, "settings privacy", do="erase"))
    assert "**You play in 1 match now.**" in first.content
    assert "**You are in 1 lobby.**" in first.content
    assert (await forget(stage, stage.ann)).startswith("I've forgotten you.")
    row = await stage.row(match)
    assert row.status == "over"
    assert (await stage.row(waiting)).status == "closed"
    assert name not in [seat.name for seat in row.seats]
    assert ERASED_NAME in [seat.name for seat in row.seats]
    store = stage.bot.context.store
    assert await store.by_user(stage.ann.id, ("lobby", "live", "over", "closed")) == ()
    assert await store.personal_data(stage.ann.id, 10) == {}
    assert stage.ann.id not in [one.user for one in await store.log(match)]
    again = await stage.match(match)
    assert again.ending is not None, "the log is still that of the same game"
    record = shown(await stage.ben.slash(stage.channel, "replay record", match=match))
    (attached,) = record.attachments
    text = (await attached.read()).decode()
    assert name not in text
    assert ERASED_NAME in text
    back, _ = await stage.open(stage.ann, stage.ben)
    assert stage.ann.id in [seat.user for seat in (await stage.row(back)).seats]


async def test_with_two_others_a_computer_plays_on(stage: Stage) -> None:
    several = next(game.key for game in registry.all_games() if max(game.seats) > 2)
    match, _ = await stage.open(stage.ann, stage.ben, stage.cleo, game=several, players=3)
    await forget(stage, stage.cleo)
    row = await stage.row(match)
    assert row.status == "live"
    assert sorted(seat.occupant for seat in row.seats) == ["computer", "person", "person"]


async def test_cancelling_changes_nothing(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    first = shown(await stage.ann.slash(stage.channel, "settings privacy", do="erase"))
    assert text_of(await stage.ann.click(first, label="Cancel")) == "Nothing has changed."
    assert (await stage.row(match)).status == "live"
    assert await stage.bot.context.store.erasures() == ()


async def test_an_old_question_is_asked_again(stage: Stage) -> None:
    first = shown(await stage.ann.slash(stage.channel, "settings privacy", do="erase"))
    await stage.later(hours=1)
    said = text_of(await stage.ann.click(first, label="Continue"))
    assert said == "That question is too old. Use `/settings privacy do:erase` again."
    assert await stage.bot.context.store.erasures() == ()


async def test_a_second_press_finds_a_new_person(stage: Stage) -> None:
    first = shown(await stage.ann.slash(stage.channel, "settings privacy", do="erase"))
    second = shown(await stage.ann.click(first, label="Continue"))
    buttons = button_ids(second)
    await stage.ann.click(second, label="Forget me now")
    now = next(each for each in buttons if "forget_now" in each)
    assert text_of(await stage.press_id(stage.ann, second, now)).startswith("I've forgotten you.")
    assert await stage.bot.context.store.erasures() == ()


async def test_nobody_else_can_answer_the_question(stage: Stage) -> None:
    first = shown(await stage.ann.slash(stage.channel, "settings privacy", do="erase"))
    button = button_ids(first)[0]
    said = text_of(await stage.press_id(stage.ben, first, button.replace("forget_sure", "forget_now")))
    assert said == "That question is for someone else. Use `/settings privacy` yourself."
    assert await stage.bot.context.store.erasures() == ()


async def test_in_direct_messages_it_is_the_same(stage: Stage) -> None:
    person = stage.ann.user
    first = shown(await person.slash("settings privacy", do="erase"))
    second = shown(await person.click(first, label="Continue"))
    assert text_of(await person.click(second, label="Forget me now")).startswith("I've forgotten you.")


async def test_after_a_crash_it_goes_on_and_meanwhile_they_cannot_act(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    mover = await stage.mover(match)
    await stage.bot.context.store.begin_erasure(mover.id, TOKEN, stage.bot.context.clock.now())
    await stage.bot.context.service.erasures.load()
    said = text_of(await mover.slash(stage.channel, "matches mine"))
    assert said.startswith("I'm forgetting you right now.")
    before = (await stage.row(match)).version
    text = legal(await stage.match(match))[0]
    await mover.send(stage.home(await stage.row(match)), f"{stage.mention} {text}")
    assert (await stage.row(match)).version == before
    await stage.restart()
    await stage.later(seconds=61)
    assert (await stage.row(match)).status == "over"
    assert await stage.bot.context.store.erasures() == ()
    assert not text_of(await mover.slash(stage.channel, "matches mine")).startswith("I'm forgetting")
