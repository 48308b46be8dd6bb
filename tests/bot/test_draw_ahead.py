"""A board is drawn once, while its move is being committed; a failure there doesn't stop the move."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.messages import picture_cache
from bot.messages.picture_cache import Pictures
from bot.messages.presenter import Presenter
from tests.bot.acts import last_board, move_by
from tests.bot.stage import Stage, legal

pytestmark = pytest.mark.slow


def watched(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What happens to boards and commits, in order."""
    seen: list[str] = []
    begin, draw = Pictures.begin, picture_cache._draw
    commit: Callable[[Any], Awaitable[None]] = stage.bot.context.store.commit

    def begun(kept: Pictures, *what: Any) -> Any:
        seen.append("begin")
        return begin(kept, *what)

    def drawn(*what: Any) -> bytes:
        seen.append("draw")
        return draw(*what)

    async def committed(change: Any) -> None:
        seen.append("commit")
        await commit(change)

    monkeypatch.setattr(Pictures, "begin", begun)
    monkeypatch.setattr(picture_cache, "_draw", drawn)
    monkeypatch.setattr(stage.bot.context.store, "commit", committed)
    return seen


@pytest.mark.parametrize("clock", ["none", "relaxed", "evening"])
async def test_a_board_is_begun_before_its_move_is_written_and_drawn_once(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, clock: str
) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, clock=clock)
    seen = watched(stage, monkeypatch)
    for moves in (1, 2, 3):
        seen.clear()
        await move_by(
            stage, "slash", match, thread, await stage.mover(match), legal(await stage.match(match))[0]
        )
        assert (await stage.match(match)).plays == moves
        assert seen.index("begin") < seen.index("commit")
        assert seen.count("draw") == 1
        shown = (await last_board(stage, match)).attachments[0].description or ""
        assert {"none": "left" not in shown, "relaxed": "3 d left" in shown}.get(
            clock, "10 min left" in shown
        )


async def test_talk_about_a_draw_has_nothing_drawn(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    seen = watched(stage, monkeypatch)
    await stage.ann.slash(thread, "match draw")
    assert "commit" in seen
    assert "draw" not in seen
    assert (await stage.match(match)).talk.offers == {0}


async def test_a_move_counts_whatever_becomes_of_its_picture(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)

    def broken(*_: object) -> None:
        raise ValueError("no colours left")

    monkeypatch.setattr(Presenter, "draw_ahead", broken)
    await move_by(stage, "slash", match, thread, await stage.mover(match), legal(await stage.match(match))[0])
    assert (await stage.match(match)).plays == 1
    assert "move 1 " in (await last_board(stage, match)).content
    assert "can't be drawn ahead" in caplog.text
    caplog.clear()
