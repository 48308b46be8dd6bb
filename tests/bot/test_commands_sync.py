"""The list of commands goes to Discord when it has changed, and is tried again until Discord has it."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.app import Dominium
from bot.inbound.commands import COMMANDS_WAIT, sync
from bot.platform.config import Config
from bot.platform.reader_settings import Preferences
from tests.bot.test_remedies import error
from tests.fakes import MemoryStore
from tests.month.virtual_time import VirtualLoop


class FakeTree:
    """A list of commands, and how often Discord has taken it."""

    def __init__(self) -> None:
        self.names = ["play"]
        self.taken = 0
        self.refusal: BaseException | None = None
        self.hangs = False

    def get_commands(self) -> list[Any]:
        return [SimpleNamespace(to_dict=lambda _tree, name=name: {"name": name}) for name in self.names]

    async def sync(self) -> None:
        if self.hangs:
            await asyncio.sleep(3600)
        if self.refusal is not None:
            raise self.refusal
        self.taken += 1


class Start:
    """What starts of one bot have in common."""

    def __init__(self, *, always: bool = False) -> None:
        self.tree: Any = FakeTree()
        self.store = MemoryStore()
        self.application = 7
        self.config = Config(always_sync=always)

    async def again(self) -> bool:
        """Start, and return whether Discord has the commands."""
        client = SimpleNamespace(application_id=self.application)
        ctx: Any = SimpleNamespace(
            discord=SimpleNamespace(client=client), preferences=Preferences(self.store), config=self.config
        )
        return await sync(self.tree, ctx)

    async def noted(self) -> dict[str, Any]:
        """Return what is noted for the next start."""
        return await self.store.settings("guild", 0)


async def test_only_a_list_that_has_changed_is_sent() -> None:
    start = Start()
    for taken in (1, 1):
        assert await start.again()
        assert start.tree.taken == taken
    start.tree.names.append("move")
    for taken in (2, 2):
        assert await start.again()
        assert start.tree.taken == taken
    start.application = 8
    assert await start.again()
    assert start.tree.taken == 3, "another application has its own"


async def test_a_sandbox_forgets_it_and_is_sent_it_each_time() -> None:
    start = Start(always=True)
    for taken in (1, 2):
        assert await start.again()
        assert start.tree.taken == taken


REFUSALS = (error(503), discord.RateLimited(60.0), aiohttp.ClientError("hung up"), OSError("reset"))


@pytest.mark.parametrize("refusal", REFUSALS, ids=repr)
async def test_what_discord_does_not_take_waits_and_is_sent_once_it_does(refusal: BaseException) -> None:
    start = Start()
    assert await start.again()
    before = await start.noted()
    start.tree.names.append("move")
    start.tree.refusal = refusal
    for _ in range(2):
        assert not await start.again()
        assert await start.noted() == before | {COMMANDS_WAIT: True}, "the doctor says so"
    start.tree.refusal = None
    assert await start.again()
    after = await start.noted()
    assert start.tree.taken == 2
    assert after.keys() == before.keys()
    assert after != before


async def test_a_change_that_is_taken_back_waits_no_longer() -> None:
    start = Start()
    assert await start.again()
    before = await start.noted()
    start.tree.names.append("move")
    start.tree.refusal = error(503)
    assert not await start.again()
    start.tree.names.pop()
    assert await start.again()
    assert await start.noted() == before
    assert start.tree.taken == 1


def test_a_start_waits_ten_seconds_at_most() -> None:
    async def story() -> None:
        start = Start()
        start.tree.hangs = True
        assert not await start.again()
        assert asyncio.get_running_loop().time() == 10

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(story())


async def test_once_discord_has_it_a_process_does_not_ask_again(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, asked = [False, True], []

    async def sent(tree: object, ctx: object) -> bool:
        asked.append(tree)
        return answers[len(asked) - 1]

    monkeypatch.setattr("bot.app.commands.sync", sent)
    bot: Any = SimpleNamespace(_commands_sent=False, tree="tree", context=None)
    for _ in range(4):
        await Dominium._sync_commands(bot)
    assert asked == ["tree"] * 2
