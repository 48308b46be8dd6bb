"""Words that ask for something in a match reach it: the thing itself, or its button, and never a refusal."""

from __future__ import annotations

import pytest

from tests.bot.acts import last_board
from tests.bot.lobby_acts import labels
from tests.bot.stage import Stage, legal, shown, words_of

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("word", "label", "answer"),
    [
        ("undo", "Undo", "Take back"),
        ("Take it back!", "Undo", "Take back"),
        ("resign", "Resign or draw", "Resign match"),
        ("offer a draw?", "Resign or draw", "Resign match"),
        ("moves", "Moves", "to move"),
        ("whose turn is it?", "More", "to move"),
        ("help", "Help", "Others are to move"),
    ],
)
async def test_a_word_is_answered_by_its_button(
    open_stage: Stage, word: str, label: str, answer: str
) -> None:
    match, thread = await open_stage.open(open_stage.ann, open_stage.ben)
    mover = await open_stage.mover(match)
    await mover.send(thread, legal(await open_stage.match(match))[0])
    (said,) = await open_stage.hears(thread, mover.send(thread, word))
    assert label in labels(said)
    assert len(said.content) < 300
    private = shown(await mover.click(said, label=label))
    assert private.flags.ephemeral
    assert answer.casefold() in words_of(private).casefold()
    assert (await open_stage.match(match)).plays == 1


async def test_whose_turn_it_is_is_said_at_once(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, board = await stage.mover(match), await last_board(stage, match)
    (said,) = await stage.hears(thread, stage.ann.send(thread, f"{stage.mention} whose turn is it"))
    assert f"({mover.name}) to move" in said.content
    (said,) = await stage.hears(thread, stage.ben.send(thread, "who is next?", reply_to=board))
    assert f"({mover.name}) to move" in said.content


async def test_a_former_command_leads_to_its_new_name(open_stage: Stage) -> None:
    stage = open_stage
    match, thread = await stage.open(stage.ann, stage.ben)
    for text in ("/undo", "/Undo match:F-7K2M9Q"):
        (said,) = await stage.hears(thread, stage.ann.send(thread, text))
        assert said.content == "That command is `/match undo` now."
    (said,) = await stage.hears(thread, stage.ann.send(thread, f"{stage.mention} /seat back"))
    assert said.content == "That command is `/match seat back` now."
    (said,) = await stage.hears(stage.gallery, stage.cleo.send(stage.gallery, f"{stage.mention} /rules"))
    assert said.content == "That command is `/learn rules` now."
    assert await stage.hears(thread, stage.cleo.send(thread, "/undo")) == []
    assert await stage.hears(thread, stage.ann.send(thread, "/shrug")) == []
    assert (await stage.match(match)).plays == 0


async def test_what_others_say_stays_talk(open_stage: Stage) -> None:
    _, thread = await open_stage.open(open_stage.ann, open_stage.ben)
    assert await open_stage.hears(thread, open_stage.cleo.send(thread, "undo")) == []
    for talk in ("undoing that was hard", "I resign myself to fate", "what a turn", "oops"):
        assert await open_stage.hears(thread, open_stage.ann.send(thread, talk)) == [], talk


async def test_a_word_that_is_a_move_is_played(open_stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    match, thread = await open_stage.open(open_stage.ann, open_stage.ben)
    mover, move = await open_stage.mover(match), legal(await open_stage.match(match))[0]
    monkeypatch.setattr("bot.actions.play.typed_moves.asked_word", lambda text, reader: "undo")
    await mover.send(thread, move)
    assert (await open_stage.match(match)).plays == 1
