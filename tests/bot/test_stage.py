"""The stage waits for a bot that works, however slow the machine is, and names what never ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.bot import patient_env
from tests.bot.stage import Stage


async def answer_after(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, work: Callable[[], Awaitable[str]], end: Callable[[], None]
) -> str:
    """Return what a bot answers that sends what comes of some work, which `end` ends a little later."""

    async def on_message(message: Any) -> None:
        if not message.author.bot:
            await message.channel.send(await work())

    monkeypatch.setattr(stage.bot, "on_message", on_message)
    asyncio.get_running_loop().call_later(0.05, end)
    (answer,) = await stage.hears(stage.channel, stage.ann.send(stage.channel, "hello"))
    return answer.content


async def test_a_slow_thread_is_waited_for(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = threading.Event()

    def wait() -> str:
        ready.wait()
        return "done"

    assert await answer_after(stage, monkeypatch, lambda: asyncio.to_thread(wait), ready.set) == "done"


async def test_a_slow_store_is_waited_for(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = asyncio.Event()
    store: Any = stage.bot.context.store

    async def slow(*args: Any) -> str:
        await ready.wait()
        return "done"

    monkeypatch.setattr(store._store, "slow", slow, raising=False)
    assert await answer_after(stage, monkeypatch, store.slow, ready.set) == "done"


async def test_what_never_ends_is_named(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    never = asyncio.Event()

    async def on_message(message: Any) -> None:
        await never.wait()

    monkeypatch.setattr(stage.bot, "on_message", on_message)
    await stage.ann.send(stage.channel, "hello")
    with monkeypatch.context() as patience:
        patience.setattr(patient_env, "PATIENCE", 0.01)
        patience.setattr(patient_env, "HORIZON", 0.01)
        with pytest.raises(TimeoutError, match="on_message"):
            await stage.env.join()
    never.set()
