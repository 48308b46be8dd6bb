"""`/replay record`: text, JSON, a picture, a position and another notation, of matches that are over."""

from __future__ import annotations

import json

import pytest

from games.engine.portable import read_position
from games.engine.record import read, read_any
from tests.bot.stage import Stage, shown, text_of
from tests.bot.test_forks import finished
from tests.bot.test_record_import import elsewhere, imported, the_import

pytestmark = pytest.mark.slow


async def file_of(stage: Stage, match: str, **options: object) -> tuple[str, bytes]:
    """The only file of an answer: its name and what it holds."""
    answer = shown(await stage.cleo.slash(stage.channel, "replay record", match=match, **options))
    (file,) = answer.attachments
    assert file.description
    return file.filename, await file.read()


async def test_text_and_json_say_the_same(stage: Stage) -> None:
    match, _ = await finished(stage)
    name, text = await file_of(stage, match)
    assert name == f"{match}.txt"
    other, data = await file_of(stage, match, format="json")
    assert other == f"{match}.json"
    assert json.loads(data)["headers"]["Seat 1"] == "Ann"
    assert read_any(data.decode()) == read(text.decode())
    ours = await imported(stage, stage.cleo, data, "match.json")
    assert f"the record of `{match}`" in ours.content


@pytest.mark.parametrize("move", [None, 0, 2, 3])
async def test_a_picture_and_a_position_of_any_move(stage: Stage, move: int | None) -> None:
    match, _ = await finished(stage)
    options = {} if move is None else {"move": move}
    name, picture = await file_of(stage, match, format="picture", **options)
    assert name == f"{match}-{3 if move is None else move}.png"
    assert picture.startswith(b"\x89PNG")
    name, text = await file_of(stage, match, format="position", **options)
    game, state = read_position(text.decode())
    assert game.key == "focus"
    assert (state == (await stage.match(match)).state) == (move in (None, 3))


async def test_the_notation_of_another_host(stage: Stage) -> None:
    match, _ = await finished(stage)
    name, data = await file_of(stage, match, format="abstract-play")
    assert name == f"{match}-abstract-play.json"
    assert sum(map(len, json.loads(data))) == 3


async def test_an_import_goes_out_as_it_came(stage: Stage) -> None:
    await imported(stage, stage.ann, elsewhere())
    row = await the_import(stage, stage.ann)
    answer = shown(await stage.ann.slash(stage.channel, "replay record", match=row.id))
    assert await answer.attachments[0].read() == elsewhere()
    said = text_of(
        await stage.ann.slash(stage.channel, "replay record", match=row.id, format="abstract-play")
    )
    assert "can't be written in that notation" in said


async def test_what_cannot_be_given_is_said(stage: Stage) -> None:
    match, _ = await finished(stage)
    live, _ = await stage.open(stage.ann, stage.ben)
    for form in ("text", "json", "picture", "position", "abstract-play"):
        said = text_of(await stage.ann.slash(stage.channel, "replay record", match=live, format=form))
        assert "still in progress" in said
    said = text_of(await stage.ann.slash(stage.channel, "replay record", match=match, move=1))
    assert "the whole match" in said
    said = text_of(
        await stage.ann.slash(stage.channel, "replay record", match=match, format="picture", move=9)
    )
    assert "moves 0 to 3" in said
