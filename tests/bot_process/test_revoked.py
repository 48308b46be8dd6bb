"""A reset token or an intent that is switched off is a matter of configuration, and ends the bot as one."""

from __future__ import annotations

import sys
from pathlib import Path

import discord
import pytest

from bot.platform.permissions import INVITE
from tests.bot_process.process import environment
from tests.loopback import LoopbackDiscord
from tests.loopback.process import BotProcess

pytestmark = pytest.mark.process

CONFIGURATION = 2
"""The exit code with which `dominium run` tells a supervisor not to start it again."""


COMMAND = (sys.executable, "-m", "dominium", "run")


def settings(server: LoopbackDiscord, folder: Path) -> dict[str, str]:
    return environment() | {
        "DISCORD_TOKEN": server.token,
        "DOMINIUM_DATA": str(folder / "dominium.sqlite3"),
        "DOMINIUM_DISCORD_API": server.url,
        "DOMINIUM_MESSAGE_CONTENT": "yes",
    }


def approved() -> discord.Intents:
    intents = discord.Intents.default()
    intents.message_content = True
    return intents


async def test_an_intent_that_is_not_switched_on_ends_the_bot_with_one_line(tmp_path: Path) -> None:
    async with LoopbackDiscord(invited=INVITE) as server:
        server.create_guild("Club").create_text_channel("games")
        bot = BotProcess(server, COMMAND, settings(server, tmp_path))
        with pytest.raises(AssertionError, match="did not connect"):
            async with bot:
                pass
    assert "Traceback" not in bot.transcript()
    assert "Message Content Intent" in bot.transcript()


async def test_an_intent_that_is_switched_off_ends_a_running_bot_with_one_line(tmp_path: Path) -> None:
    async with LoopbackDiscord(approved=approved(), invited=INVITE) as server:
        server.create_guild("Club").create_text_channel("games")
        async with BotProcess(server, COMMAND, settings(server, tmp_path)) as bot:
            await bot.wait_for_line(lambda line: "ready" in line.split())
            server.gateway.close_with(4014)
            assert await bot.wait() == CONFIGURATION, bot.transcript()
    assert "Traceback" not in bot.transcript()
    assert "Message Content Intent" in bot.transcript()


async def test_a_token_that_is_reset_ends_the_bot_with_one_line(tmp_path: Path) -> None:
    async with LoopbackDiscord(invited=INVITE) as server:
        server.create_guild("Club").create_text_channel("games")
        quiet = settings(server, tmp_path) | {"DOMINIUM_MESSAGE_CONTENT": "no"}
        async with BotProcess(server, COMMAND, quiet) as bot:
            await bot.wait_for_line(lambda line: "ready" in line.split())
            server.revoke_token()
            assert await bot.wait() == CONFIGURATION, bot.transcript()
    assert "Traceback" not in bot.transcript()
    assert "DISCORD_TOKEN" in bot.output[-1]
