"""The bot in the sandbox, with a worker process: the page goes on while a computer thinks."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.main import build
from bot.platform.config import Config
from tests.sandbox.page import part, running, use

pytestmark = pytest.mark.process


async def test_a_computer_thinks_while_everything_goes_on(tmp_path: Path) -> None:
    """The simulated Discord waits until the bot rests: thinking must not count as work."""
    config = Config(
        data=tmp_path / "matches.sqlite3",
        always_sync=True,
        message_content=True,
        silence_seconds=1200,
        thinkers=1,
        answer_seconds=3,
    )
    async with running(lambda: build(config), tmp_path / "world.sqlite3") as sandbox:
        ann, ben = await sandbox.page("ann"), await sandbox.page("ben")
        games = ann.channel("games")
        await ann.ask("slash", channel=games, name="play", options={"game": "focus", "players": "2"})
        await use(ann, games, "domb:computer")
        await use(ann, games, "doms:level", "average")
        await use(ann, games, "domb:start")
        board = await ann.until(lambda: part(ann, "domb:moves"))
        if "(computer, average) to move" not in ann.messages[board["in"]]["content"]:
            thread = ann.messages[board["in"]]["channel_id"]
            await use(ann, thread, "domb:moves")
            menu = await ann.until(lambda: part(ann, "doms:play"))
            await use(ann, thread, "doms:play", menu["options"][0]["value"])
        await ann.until(lambda: any(news["what"] == "typing" for news in ann.news))
        await ben.ask("slash", channel=games, name="help", options={})
        helped = await ben.wait_for("opens a lobby that others join")
        assert "oauth2" not in str(helped), "nobody can install an application of the sandbox"
        await ann.wait_for("(computer, average): ")
