"""A start that fails for what may pass ends with one line and a code with which a supervisor tries again."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from bot.platform.permissions import INVITE
from storage import open_store
from tests.bot_process.process import environment
from tests.fakes import FakeClock
from tests.loopback import LoopbackDiscord
from tests.loopback.process import BotProcess

pytestmark = pytest.mark.process

TRY_AGAIN, SET_RIGHT = 1, 2
"""The exit codes of `dominium run`: the service's unit file prevents a restart after the second."""

RUN = """
import sys
from storage import connection
connection.LOCK_TIMEOUT = 0.02
set_up = connection._set_up
def full(db, *rest):
    db.execute("PRAGMA max_page_count = 4")
    set_up(db, *rest)
if "full" in sys.argv:
    sys.argv.remove("full")
    connection._set_up = full
from cli import main
main(prog_name="dominium")
"""
"""The command as it is installed, on a disk with room for four pages if it is told so."""


@pytest.fixture
async def server() -> AsyncIterator[LoopbackDiscord]:
    async with LoopbackDiscord(invited=INVITE) as made:
        made.create_guild("Club").create_text_channel("games")
        yield made


async def ended(server: LoopbackDiscord, path: Path, *arguments: str, api: str = "") -> tuple[int, list[str]]:
    """Start the bot, and return its exit code and what it wrote besides its log."""
    settings = {
        "DISCORD_TOKEN": server.token,
        "DOMINIUM_DATA": str(path),
        "DOMINIUM_DISCORD_API": api or server.url,
        "DOMINIUM_LOG_LEVEL": "ERROR",
    }
    bot = BotProcess(server, (sys.executable, "-c", RUN, "run", *arguments), environment() | settings)
    await bot.start(connected=False)
    try:
        async with asyncio.timeout(server.patience):
            return await bot.wait(), bot.output
    finally:
        if bot.running:
            await bot.kill()


async def test_a_full_disk_is_tried_again(server: LoopbackDiscord, tmp_path: Path) -> None:
    code, (said,) = await ended(server, tmp_path / "full.sqlite3", "full")
    assert code == TRY_AGAIN
    assert "no space left" in said


async def test_a_database_that_another_program_has_locked_is_tried_again(
    server: LoopbackDiscord, tmp_path: Path
) -> None:
    path = tmp_path / "locked.sqlite3"
    await (await open_store(path, clock=FakeClock())).close()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        code, (said,) = await ended(server, path)
    assert code == TRY_AGAIN
    assert "is locked by another program" in said


async def test_a_database_in_use_is_tried_again(server: LoopbackDiscord, tmp_path: Path) -> None:
    path = tmp_path / "used.sqlite3"
    store = await open_store(path, clock=FakeClock())
    code, (said,) = await ended(server, path)
    await store.close()
    assert code == TRY_AGAIN
    assert "is in use by process" in said


async def test_a_file_that_is_no_database_is_not_tried_again(server: LoopbackDiscord, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(b"Dear diary, today I played Focus. " * 50)
    code, (said,) = await ended(server, path)
    assert code == SET_RIGHT
    assert "isn't a database" in said


async def test_no_network_is_tried_again(server: LoopbackDiscord, tmp_path: Path) -> None:
    code, (said,) = await ended(server, tmp_path / "new.sqlite3", api="http://127.0.0.1:9")
    assert code == TRY_AGAIN
    assert "Discord can't be reached" in said


def overloaded(server: LoopbackDiscord) -> None:
    server.faults.error(503)


def barred(server: LoopbackDiscord) -> None:
    server.limits.most_invalid = 0


def cut_off(server: LoopbackDiscord) -> None:
    server.faults.reset(orderly=True, times=None)


@pytest.mark.parametrize("trouble", [overloaded, barred, cut_off])
async def test_a_discord_that_does_not_answer_is_tried_again(
    server: LoopbackDiscord, tmp_path: Path, trouble: Callable[[LoopbackDiscord], None]
) -> None:
    trouble(server)
    code, (said,) = await ended(server, tmp_path / "new.sqlite3")
    assert code == TRY_AGAIN
    assert "Discord can't be reached" in said
