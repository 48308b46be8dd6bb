"""A token that is reset while the bot runs is a matter of its configuration, and ends it as one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bot.platform.permissions import INVITE
from tests.bot_process.process import environment
from tests.loopback import LoopbackDiscord
from tests.loopback.process import BotProcess

pytestmark = pytest.mark.process

CONFIGURATION = 2
"""The exit code with which `dominium run` tells a supervisor not to start it again."""


async def test_a_token_that_is_reset_ends_the_bot_with_one_line(tmp_path: Path) -> None:
    async with LoopbackDiscord(invited=INVITE) as server:
        server.create_guild("Club").create_text_channel("games")
        settings = {
            "DISCORD_TOKEN": server.token,
            "DOMINIUM_DATA": str(tmp_path / "dominium.sqlite3"),
            "DOMINIUM_DISCORD_API": server.url,
        }
        command = (sys.executable, "-m", "dominium", "run")
        async with BotProcess(server, command, environment() | settings) as bot:
            await bot.wait_for_line(lambda line: "ready" in line.split())
            server.revoke_token()
            assert await bot.wait() == CONFIGURATION, bot.transcript()
    assert "Traceback" not in bot.transcript()
    assert "DISCORD_TOKEN" in bot.output[-1]
