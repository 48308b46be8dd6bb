"""The story of a match: two lines under the result, the button, the command, the chart, and who may ask."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.builders import ChannelHandle

from bot.messages import presenter
from matches.lookback import story
from matches.lookback.story import Stories, story_of
from matches.outbox.messages import BoardMessage
from matches.outbox_drafts import draft
from tests.bot.acts import last_board, rows_of
from tests.bot.stage import Stage, legal, shown, text_of
from tests.discord_rules.messages import CONTENT_LIMIT

pytestmark = pytest.mark.slow


async def resigned(stage: Stage, game: str = "two_domains", moves: int = 3) -> tuple[str, ChannelHandle]:
    """A match of Ann and Ben in which a few moves are made before Ben resigns."""
    match, thread = await stage.open(stage.ann, stage.ben, game=game)
    for _ in range(moves):
        mover = await stage.mover(match)
        await mover.slash(thread, "move", move=legal(await stage.match(match))[0], match=match)
    sure = shown(await stage.ben.slash(thread, "match resign"))
    await stage.ben.click(sure, label="Yes, I resign")
    return match, thread


async def test_the_result_has_two_lines_and_a_button(stage: Stage) -> None:
    match, _ = await resigned(stage)
    final = await last_board(stage, match)
    assert rows_of(final) == [["Rematch", "Replay", "Analysis", "My view", "More"], ["Story"]]
    lines = final.content.splitlines()
    end = next(at for at, line in enumerate(lines) if line.startswith("3 moves"))
    assert "(Ann) wins" in lines[end - 1]
    assert lines[end] == "3 moves. The lead never changed hands."
    assert lines[end + 1] == "No single move stood out."
    assert lines[end + 2].startswith("-# ")
    assert len(final.content) <= int(CONTENT_LIMIT)


async def test_the_button_and_the_command_tell_the_same(stage: Stage) -> None:
    match, thread = await resigned(stage)
    pressed = await stage.cleo.click(await last_board(stage, match), label="Story")
    assert pressed.ephemeral
    answer = shown(pressed)
    head, *_, small = answer.content.splitlines()
    assert head.startswith("**Two Domains: ")
    assert "(Ann) against " in head
    assert head.endswith("wins: the other side gave up.**")
    assert small == f"-# `{match}`"
    (picture,) = answer.attachments
    assert picture.filename == f"{match}-story.png"
    data = await picture.read()
    assert data[:4] == b"\x89PNG"
    assert len(data) <= 120_000
    assert picture.description is not None
    assert picture.description.startswith("Estimated chances of winning in % by the number of moves made. ")
    assert text_of(await stage.dan.slash(thread, "replay story")) == answer.content, "the thread's own match"
    await stage.restart()
    assert text_of(await stage.ann.slash(stage.channel, "replay story", match=match)) == answer.content
    (choice,) = await stage.ann.autocomplete(stage.channel, "replay story", "match", match[:3])
    assert choice["value"] == match


async def test_it_is_told_once(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    plain = story_of

    def noted(match: Any, *rest: Any) -> Any:
        told.append(match.id)
        return plain(match, *rest)

    monkeypatch.setattr(story, "story_of", noted)
    match, thread = await resigned(stage)
    await stage.cleo.slash(stage.gallery, "matches watch here", match=match)
    for person in (stage.ann, stage.cleo):
        await person.slash(thread, "replay story", match=match)
    assert told == [match]


async def test_a_result_is_posted_even_if_its_story_fails(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(self: Stories, row: Any, analysis: Any = None) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Stories, "of", fail)
    match, _ = await resigned(stage)
    final = await last_board(stage, match)
    assert "gave up" in final.content
    assert "moves. The lead" not in final.content
    assert "its story can't be written" in caplog.text


async def test_a_result_without_room_has_no_story(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presenter, "story_at_end", lambda *_: "long " * 380)
    match, _ = await resigned(stage)
    final = await last_board(stage, match)
    assert "long" not in final.content
    assert final.content.splitlines()[-1].startswith("-# ")


async def test_a_result_that_waited_for_a_restart_has_it_too(stage: Stage) -> None:
    """A board that is left over shows all that it covers, as one that others were merged into."""
    match, _ = await resigned(stage)
    row, ctx = await stage.row(match), stage.bot.context
    before = len(await stage.boards(match))
    await ctx.store.outbox_add(draft(BoardMessage(0, row.version), match), ctx.clock.now())
    await stage.restart()
    boards = await stage.boards(match)
    assert len(boards) == before + 1
    assert "3 moves. The lead never changed hands.\nNo single move stood out." in boards[-1].content


async def test_a_mirror_has_it_too(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="two_domains")
    await stage.cleo.slash(stage.gallery, "matches watch here", match=match)
    mover = await stage.mover(match)
    await mover.slash(thread, "move", move="gather", match=match)
    sure = shown(await stage.ben.slash(thread, "match resign"))
    await stage.ben.click(sure, label="Yes, I resign")
    (mirror,) = await stage.boards_in(stage.gallery, match)
    assert rows_of(mirror) == [["Replay", "Analysis", "My view", "More", "Story"]]
    assert "1 move. The lead never changed hands." in mirror.content
    assert text_of(await stage.dan.click(mirror, label="Story")).startswith("**Two Domains: ")


async def test_where_there_is_none(stage: Stage) -> None:
    live, thread = await stage.open(stage.ann, stage.ben)
    assert text_of(await stage.ann.slash(thread, "replay story")) == (
        f"`{live}` is still in progress. Its story can be told when it's over."
    )
    sure = shown(await stage.ben.slash(thread, "match resign"))
    await stage.ben.click(sure, label="Yes, I resign")
    board = await last_board(stage, live)
    assert rows_of(board) == [["Rematch", "Replay", "My view", "More"]]
    assert "ended before the first move" in text_of(await stage.ann.slash(thread, "replay story"))
    late = await stage.press_id(stage.ann, board, f"domb:story:{live}:2")
    assert "ended before the first move" in text_of(late), "a button that was never there"


async def test_a_text_reader_gets_the_chart_with_words(stage: Stage) -> None:
    """Focus has no dice: its story has other turning points, and what its chart shows is in the alt text."""
    match, thread = await resigned(stage, "focus", moves=4)
    await stage.ann.slash(stage.channel, "settings me", board="text")
    answer = shown(await stage.ann.slash(thread, "replay story", match=match))
    assert "4 moves" in answer.content
    assert "Piles controlled and reserves" in (answer.attachments[0].description or "")
