"""`/ask hint` and its buttons: three private steps, a picture with the move, what the others learn."""

from __future__ import annotations

from typing import Any

import pytest

from bot.messages.components import Call
from games.engine.match import Kind
from matches.play import hints as room
from tests.bot.acts import last_board, move_by, rows_of
from tests.bot.stage import Stage, legal, shown, text_of
from tests.bot.test_elsewhere import against_a_computer

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints are as good as those of a beginner."""
    monkeypatch.setattr(room, "LEVEL", "beginner")


async def begun(stage: Stage, **options: Any) -> tuple[str, Any, Any, Any]:
    """A match of Ann and Ben: its id, its thread, who is to move, and the other one."""
    match, thread = await stage.open(stage.ann, stage.ben, **options)
    row, now = await stage.row(match), await stage.match(match)
    mover = next(s.user for s in row.seats if s.seat in now.to_act)
    people = (stage.ann, stage.ben) if mover == stage.ann.id else (stage.ben, stage.ann)
    return match, thread, *people


async def test_a_hint_by_three_presses(stage: Stage) -> None:
    match, thread, mover, other = await begun(stage)
    board = await last_board(stage, match)
    said = await mover.slash(thread, "ask hint")
    assert said.ephemeral
    first = shown(said)
    assert "Look at **" in first.content
    assert "The move" not in first.content
    assert rows_of(first) == [["Show the move"]]
    assert len(first.attachments) == 1
    await stage.restart()
    second = shown(await mover.click(first, label="Show the move"))
    assert second.id == first.id, "the same message, changed"
    assert "The move: **`" in second.content
    (labels,) = rows_of(second)
    assert labels[0] == "Why?"
    assert labels[1].startswith("Play ")
    third = shown(await mover.click(second, label="Why?"))
    assert "chance of winning" in third.content
    assert "After that I expect" in third.content
    assert len(third.content) < 700
    again = shown(await mover.slash(thread, "ask hint"))
    assert again.content == third.content, "what was seen is shown again"
    view = shown(await mover.click(board, label="My view"))
    assert "moved on" not in view.content, "the board is still the current one"
    assert "Hint" in rows_of(view)[-1]
    theirs = shown(await other.click(board, label="My view"))
    assert "Hint" not in str(rows_of(theirs))
    assert (await last_board(stage, match)).id == board.id, "nothing was posted"
    played = await mover.click(third, label=labels[1])
    assert played is not None
    assert (await stage.match(match)).plays == 1
    await other.slash(thread, "match resign")
    await stage.bot.context.service.play.resign(match, other.id, request="end")
    await stage.bot.context.delivery.finish(match)
    final = (await last_board(stage, match)).content
    assert "Hints used: " in final
    assert "1 (saw the move: 1)" in final
    record = shown(await mover.slash(thread, "replay record")).attachments[0]
    assert "!hint 3" in (await record.read()).decode()


async def test_what_look_says_about_hints(stage: Stage) -> None:
    _, thread, mover, other = await begun(stage)
    assert "Nobody has used a hint." in text_of(await other.slash(thread, "ask about", what="hints"))
    await mover.slash(thread, "ask hint")
    assert "1 (saw the move: 0)" in text_of(await other.slash(thread, "ask about", what="hints"))
    assert "hints" in [c["value"] for c in await other.autocomplete(thread, "ask about", "what", "h")]


async def test_who_gets_no_hint(stage: Stage) -> None:
    match, thread, mover, other = await begun(stage)
    assert "Hints are for the one who is to move." in text_of(await other.slash(thread, "ask hint"))
    assert "not playing in this match" in text_of(await stage.cleo.slash(thread, "ask hint"))
    first = shown(await mover.slash(thread, "ask hint"))
    board = await last_board(stage, match)
    await move_by(stage, "slash", match, thread, mover, legal(await stage.match(match))[0])
    await move_by(stage, "slash", match, thread, other, legal(await stage.match(match))[0])
    late = await mover.click(first, label="Show the move")
    assert "has moved on" in text_of(late)
    odd = Call("hint_step", match, (await stage.match(match)).seq, "x")
    assert "Look at" in text_of(await stage.press_id(mover, board, f"domb:{odd.custom_id}"))
    await stage.bot.context.service.play.resign(match, other.id, request="end")
    assert text_of(await mover.slash(thread, "ask hint", match=match)).startswith("This match is over.")
    assert "There is no match" in text_of(await mover.slash(thread, "ask hint", match="F-ZZZ"))
    secret, room = await stage.open(stage.cleo, stage.dan, game="toy")
    assert secret
    assert "Too much is hidden" in text_of(await stage.cleo.slash(room, "ask hint"))


async def test_hints_are_agreed_on_in_the_lobby(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, start=False)
    panel = shown(await stage.ann.click(await stage.lobby(match), label="Options"))
    panel = shown(await stage.ann.click(panel, label="Hints: allowed"))
    assert "Hints: off" in str(rows_of(panel))
    assert "No hints in this match." in (await stage.lobby(match)).content
    await stage.ann.click(await stage.lobby(match), label="Start")
    thread = stage.home(await stage.row(match))
    now = await stage.match(match)
    row = await stage.row(match)
    users = {stage.ann.id: stage.ann, stage.ben.id: stage.ben}
    mover = users[row.seats[min(now.to_act)].user or 0]
    assert "without hints" in text_of(await mover.slash(thread, "ask hint"))
    view = shown(await mover.click(await last_board(stage, match), label="My view"))
    assert "Hint" not in rows_of(view)[-1]


async def test_a_hint_in_direct_messages(stage: Stage) -> None:
    match = await against_a_computer(stage)
    first = shown(await stage.ann.user.slash("ask hint", match=match))
    assert "Look at" in first.content or "Compare your moves" in first.content
    assert (await stage.match(match)).help.hints


async def test_a_hint_as_text(stage: Stage) -> None:
    match, thread, mover, _ = await begun(stage)
    await mover.slash(thread, "settings me", board="text")
    first = shown(await mover.slash(thread, "ask hint"))
    assert first.content.startswith("```")
    assert not first.attachments
    log = (await stage.match(match)).log
    assert log[-1].kind is Kind.HINT
