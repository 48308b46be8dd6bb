"""The stage waits for a bot that works, however slow the machine is."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from simcord.env import Env

from tests.bot import patient_env
from tests.bot.stage import Stage


async def test_a_slow_bot_is_waited_for(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    ready, told = threading.Event(), 0
    settle = Env._settle_internal

    async def at_last(self: Env, **how: Any) -> None:
        nonlocal told
        try:
            await settle(self, **how)
        except TimeoutError:
            told += 1
            if told == 2:
                ready.set()
            raise

    async def on_message(message: Any) -> None:
        if not message.author.bot:
            await asyncio.to_thread(ready.wait)
            await message.channel.send("done")

    monkeypatch.setattr(stage.bot, "on_message", on_message)
    monkeypatch.setattr(Env, "_settle_internal", at_last)
    monkeypatch.setattr(patient_env, "HORIZON", 0.01)
    (answer,) = await stage.hears(stage.channel, stage.ann.send(stage.channel, "hello"))
    assert answer.content == "done"
    assert told >= 2
