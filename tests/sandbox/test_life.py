"""Time, errors, restarts of the bot and of the process, sudden deaths, files that can't be read."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import sys
import threading
from datetime import datetime
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
import simcord
from discord.ext import tasks

from sandbox import WorldFileError, serve
from sandbox.worldfile import WorldFile
from tests.patience import PATIENCE
from tests.sandbox.page import Page, RefusedError, Sandbox, running
from tests.sandbox.tinybot import TinyBot

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


async def test_an_hour_passes_and_the_reminder_comes(sandbox: Sandbox) -> None:
    ann = await sandbox.page("ann")
    await ann.ask("send", channel=ann.channel("games"), text="remind")
    asked = await ann.wait_for("remind")
    await ann.ask("jump", seconds=3700)
    told = await ann.wait_for("An hour has passed.")
    passed = datetime.fromisoformat(told["timestamp"]) - datetime.fromisoformat(asked["timestamp"])
    assert passed.total_seconds() >= 3600
    time = await ann.until(lambda: next((n for n in ann.news if n["what"] == "time"), None))
    assert time["now"] - ann.hello["now"] >= 3700_000


@pytest.mark.parametrize("seconds", [0, -5, 1e9, "x"])
async def test_time_goes_forward_in_measure(sandbox: Sandbox, seconds: object) -> None:
    ann = await sandbox.page("ann")
    with pytest.raises(RefusedError):
        await ann.ask("jump", seconds=seconds)


async def test_time_waits_for_work_that_it_has_begun(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work within its limit isn't cut off, although it takes longer than an action waits for the bot."""
    may_end, settle = threading.Event(), simcord.Env._settle_internal
    unsettled: list[TimeoutError] = []

    class Busy(TinyBot):
        @tasks.loop(minutes=20)
        async def work(self) -> None:
            if self.work.current_loop == 1:
                try:
                    async with asyncio.timeout(120):
                        await asyncio.to_thread(may_end.wait, PATIENCE)
                except TimeoutError:
                    outcome.set_result("cut off")
                else:
                    outcome.set_result("done")

        async def setup_hook(self) -> None:
            await super().setup_hook()
            self.work.start()

    async def settled(*args: Any, **options: Any) -> None:
        try:
            await settle(*args, **options)
        except TimeoutError as error:
            unsettled.append(error)
            if len(unsettled) == 3:
                may_end.set()
            raise

    monkeypatch.setattr(simcord.Env, "_settle_internal", settled)
    outcome: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    async with running(Busy, world) as sandbox:
        ann = await sandbox.page("ann")
        await ann.ask("jump", seconds=3700)
        assert await outcome == "done"


async def test_work_in_the_background_is_no_hindrance(sandbox: Sandbox) -> None:
    ann = await sandbox.page("ann")
    await ann.ask("send", channel=ann.channel("games"), text="work")
    await ann.wait_for("The worker did it.")


async def test_an_error_of_the_bot_is_told_and_harmless(sandbox: Sandbox) -> None:
    ann = await sandbox.page("ann")
    games = ann.channel("games")
    await ann.ask("send", channel=games, text="boom")
    assert (await ann.notice("the tiny bot fell over"))["level"] == "error"
    await ann.ask("slash", channel=games, name="fail", options={})
    await ann.notice("the command fell over")
    await ann.ask("send", channel=ann.channel("direct"), text="alive?")
    await ann.wait_for("You said: alive?")


async def test_an_error_the_bot_logs_is_told_too(sandbox: Sandbox) -> None:
    ann = await sandbox.page("ann")
    await ann.ask("send", channel=ann.channel("games"), text="grumble")
    told = await ann.notice("tiny: a message could not be made: ValueError: no ink")
    assert told["level"] == "error"


async def test_an_unanswered_command_is_told_to_who_asked(sandbox: Sandbox) -> None:
    ann = await sandbox.page("ann")
    await ann.ask("slash", channel=ann.channel("games"), name="fail", options={})
    await ann.ask("jump", seconds=5)
    assert (await ann.notice("didn't answer in time"))["level"] == "warning"


async def test_the_bot_restarts_and_old_buttons_work(sandbox: Sandbox) -> None:
    ann = await sandbox.page("ann")
    games = ann.channel("games")
    await ann.ask("send", channel=games, text="desk")
    desk = await ann.wait_for("desk is open")
    await ann.ask("restart")
    await ann.notice("restarted")
    await ann.ask("click", channel=games, message=desk["id"], custom_id="tiny:count:0")
    await ann.until(lambda: "Count 1" in str(ann.messages[desk["id"]]["components"]))
    assert await ann.ask("commands", channel=games)


class Moody(TinyBot):
    """A bot that does not start every time."""

    starts = 0

    async def setup_hook(self) -> None:
        type(self).starts += 1
        if type(self).starts == 2:
            raise RuntimeError("not today")
        await super().setup_hook()


async def test_a_bot_that_does_not_start_again_can_be_started_later(world: Path) -> None:
    Moody.starts = 0
    async with running(Moody, world) as sandbox:
        ann = await sandbox.page("ann")
        direct = ann.channel("direct")
        await ann.ask("restart")
        await ann.notice("not today")
        with pytest.raises(RefusedError, match="isn't running"):
            await ann.ask("send", channel=direct, text="hello?")
        await ann.ask("restart")
        await ann.ask("send", channel=direct, text="hello!")
        await ann.wait_for("You said: hello!")


class Slow(TinyBot):
    """A bot whose thread waits for `gate`."""

    gate = threading.Event()

    async def on_message(self, message: discord.Message) -> None:
        if message.content == "slow":
            await asyncio.to_thread(self.gate.wait, PATIENCE)
            await message.channel.send("at last")
        else:
            await super().on_message(message)


async def test_a_busy_bot_holds_nobody_up(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.world._SETTLE", 0.05)
    Slow.gate.clear()
    async with running(Slow, world) as sandbox:
        ann = await sandbox.page("ann")
        direct = ann.channel("direct")
        await ann.ask("send", channel=direct, text="slow")
        await ann.ask("send", channel=direct, text="and you?")
        await ann.wait_for("You said: and you?")
        assert ann.saying("at last") is None
        Slow.gate.set()
        await ann.wait_for("at last")


async def test_a_bot_that_does_not_come_to_rest_is_restarted_once_it_does(
    world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandbox.world._SETTLE", 0.05)
    monkeypatch.setattr("sandbox.world.PATIENCE", 0.2)
    Slow.gate.clear()
    async with running(Slow, world) as sandbox:
        ann = await sandbox.page("ann")
        direct = ann.channel("direct")
        await ann.ask("send", channel=direct, text="slow")
        await ann.ask("restart")
        assert (await ann.notice("still busy"))["level"] == "warning"
        Slow.gate.set()
        await ann.ask("restart")
        await ann.notice("was restarted")
        await ann.ask("send", channel=direct, text="awake?")
        await ann.wait_for("You said: awake?")


async def test_a_bot_that_can_not_start_ends_the_sandbox(world: Path) -> None:
    class Broken(TinyBot):
        async def setup_hook(self) -> None:
            raise RuntimeError("never")

    with pytest.raises(RuntimeError, match="never"):
        async with running(Broken, world):
            raise AssertionError("it must not start")


async def test_idle_threads_are_archived_and_a_message_opens_them(sandbox: Sandbox) -> None:
    ann = await sandbox.page("ann")
    await ann.ask("slash", channel=ann.channel("games"), name="play", options={"game": "go"})
    thread = (await ann.until(lambda: [c for c in ann.channels if c["kind"] == "thread"]))[0]["id"]

    def archived() -> bool:
        return any(c["id"] == thread and c["archived"] for c in ann.channels)

    for _ in range(4):
        await ann.ask("jump", seconds=86400)
    await ann.until(archived)
    with pytest.raises(RefusedError, match="archived"):
        await ann.ask("slash", channel=thread, name="pick", options={"fruit": "apple"})
    await ann.ask("send", channel=thread, text="back again")
    await ann.until(lambda: not archived())


async def test_the_world_is_the_same_after_a_restart_of_the_process(world: Path) -> None:
    async with running(TinyBot, world) as sandbox:
        ann = await sandbox.page("ann")
        games = ann.channel("games")
        await ann.ask("slash", channel=games, name="play", options={"game": "focus"})
        await ann.ask("send", channel=games, text="board")
        board = await ann.wait_for("as it stands")
        await ann.ask("send", channel=games, text="e4-e6", reply=board["id"])
        await ann.wait_for("You replied")
        await ann.ask("send", channel=ann.channel("direct"), text="dear bot")
        await ann.wait_for("dear bot")
        await ann.ask("slash", channel=games, name="echo", options={"text": "psst", "quiet": "true"})
        await ann.wait_for("psst")
        await ann.ask("jump", seconds=7200)
        hello, channels = ann.hello, ann.channels
        before = {c["id"]: await ann.ask("history", channel=c["id"]) for c in channels}
    async with running(TinyBot, world) as sandbox:
        ann = await sandbox.page("ann")
        assert ann.hello["people"] == hello["people"]
        assert ann.hello["bot"] == hello["bot"]
        assert ann.hello["now"] >= hello["now"] + 7200_000
        for entry in before.values():
            entry["messages"] = [m for m in entry["messages"] if "psst" not in m["content"]]
        after = {c["id"]: await ann.ask("history", channel=c["id"]) for c in ann.channels}
        assert after == before
        async with sandbox.http.get(sandbox.url.rstrip("/") + board["attachments"][0]["url"]) as response:
            assert response.status == 200
        known = {m["id"] for entry in after.values() for m in entry["messages"]}
        await ann.ask("send", channel=games, text="new")
        assert (await ann.wait_for("new"))["id"] not in known


_CHILD = """
import asyncio, sys
from pathlib import Path
from sandbox import serve
from tests.sandbox.tinybot import TinyBot

def ready(url):
    print(url, flush=True)

asyncio.run(serve(TinyBot, port=0, world=Path(sys.argv[1]), ready=ready))
"""


async def _child(world: Path) -> tuple[asyncio.subprocess.Process, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        _CHILD,
        str(world),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE):
        line = await process.stdout.readline()
    return process, line.decode().strip()


async def test_what_was_seen_survives_kill_9(world: Path) -> None:
    process, url = await _child(world)
    async with aiohttp.ClientSession() as http:
        sandbox = Sandbox(url, http)
        ann = await sandbox.page("ann")
        games = ann.channel("games")
        await ann.ask("slash", channel=games, name="play", options={"game": "focus"})
        await ann.ask("send", channel=games, text="board")
        seen = await ann.wait_for("as it stands")
        process.kill()
        await process.wait()
        await sandbox.close()
    async with running(TinyBot, world) as sandbox:
        ann = await sandbox.page("ann")
        history = await ann.ask("history", channel=games)
        assert seen in history["messages"]
        assert [c["name"] for c in ann.channels if c["kind"] == "thread"] == ["focus: Ann"]


async def test_a_second_sandbox_on_the_same_world_is_refused(sandbox: Sandbox, world: Path) -> None:
    with pytest.raises(WorldFileError, match="in use"):
        WorldFile(world)
    assert (await sandbox.page("ann")).hello


async def _start(world: Path) -> None:
    await serve(TinyBot, port=0, world=world, ready=lambda _: None)


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"SQLite format 3\x00" + bytes(5000)])
async def test_a_damaged_world_is_refused_by_name_and_left_alone(world: Path, content: bytes) -> None:
    await asyncio.to_thread(world.write_bytes, content)
    with pytest.raises(WorldFileError, match=r"sandbox\.world"):
        await _start(world)
    assert await asyncio.to_thread(world.read_bytes) == content


async def test_a_record_that_is_no_record_is_refused(world: Path) -> None:
    async with running(TinyBot, world):
        pass
    with contextlib.closing(sqlite3.connect(world)) as db, db:
        db.execute("UPDATE record SET data = '{\"id\": 5}' WHERE kind = 'channel'")
    with pytest.raises(WorldFileError, match="damaged"):
        await _start(world)


async def test_another_kind_of_file_is_refused(world: Path) -> None:
    with contextlib.closing(sqlite3.connect(world)) as db:
        db.execute("CREATE TABLE match (id TEXT)")
    with pytest.raises(WorldFileError, match="isn't a sandbox's world"):
        await _start(world)


async def test_a_new_world_is_told_once(world: Path) -> None:
    told: list[str] = []
    for _ in range(2):
        async with running(TinyBot, world, on_world_reset=lambda: told.append("new")):
            pass
    assert told == ["new"]


async def test_a_nonce_returns_the_first_message_also_after_a_restart(world: Path) -> None:
    class Twice(TinyBot):
        async def on_message(self, message: discord.Message) -> None:
            if message.content == "twice" and isinstance(message.channel, discord.TextChannel):
                await message.channel.send("once", nonce=77)

    async with running(Twice, world) as sandbox:
        ann = await sandbox.page("ann")
        games = ann.channel("games")
        await ann.ask("send", channel=games, text="twice")
        first = await ann.wait_for("once")
    async with running(Twice, world) as sandbox:
        ann = await sandbox.page("ann")
        await ann.ask("send", channel=games, text="twice")
        history = await ann.ask("history", channel=games)
        assert [m["id"] for m in history["messages"] if m["content"] == "once"] == [first["id"]]
        await ann.ask("jump", seconds=600)
        await ann.ask("send", channel=games, text="twice")
        assert (await ann.wait_for("once"))["id"] != first["id"]


async def test_the_bot_has_the_rights_of_its_invitation(world: Path) -> None:
    class Asking(TinyBot):
        invite_permissions = discord.Permissions(manage_threads=True)

    bots: list[discord.Client] = []

    def make() -> discord.Client:
        bots.append(Asking())
        return bots[-1]

    async with running(make, world) as sandbox:
        page: Page = await sandbox.page("ann")
        channel = bots[0].get_channel(int(page.channel("games")))
        assert isinstance(channel, discord.TextChannel)
        rights = channel.permissions_for(channel.guild.me)
        assert rights.manage_threads
        assert rights.send_messages_in_threads
        assert not rights.manage_messages
        assert not rights.administrator
