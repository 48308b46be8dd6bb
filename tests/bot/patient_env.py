"""SimCord's environment on a machine of any speed."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from discord import Client
from simcord import _settlement
from simcord.env import Env

import tests.message_history  # noqa: F401 - SimCord answers `after=` as Discord does
from tests.fakes import CountingStore
from tests.patience import PATIENCE

HORIZON: Final = 5.0
"""Seconds: a bot that sleeps for longer is at rest."""
LOOK: Final = 0.0025
"""Seconds between looks at a bot that works: SimCord's own 50 ms were up to five sixths of a test."""


_run_in_executor: Any = asyncio.BaseEventLoop.run_in_executor
_jobs: set[asyncio.Future[Any]] = set()


def _noted(loop: asyncio.BaseEventLoop, executor: Any, work: Any, *args: Any) -> asyncio.Future[Any]:
    """Run in a thread, also what a test has begun itself: SimCord knows of the bot's own work only."""
    job: asyncio.Future[Any] = _run_in_executor(loop, executor, work, *args)
    _jobs.add(job)
    job.add_done_callback(_jobs.discard)
    return job


asyncio.BaseEventLoop.run_in_executor = _noted  # type: ignore[assignment]


class PatientEnv(Env):
    """Waits for the bot as long as it works.

    SimCord has one number for how long it waits, and for which sleeps it waits. Here the first is
    `PATIENCE`, the second `HORIZON`.

    SimCord asks each task what it waits for, and that was a quarter of a test. Where nothing is left to run,
    no thread works and no timer ends soon, nothing can happen, whatever the tasks wait for. Whether they wait
    for what may come is asked once, when a stage is left: `join`.
    """

    def __init__(self, bot: Client) -> None:
        super().__init__(bot, settle_timeout=PATIENCE)

    async def join(self) -> None:
        """Wait until each task has ended or waits for what may come; TimeoutError names those that don't."""
        await self._look(timeout=None, idle=LOOK, dispatch="the test", deadline=None)

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - SimCord's own signature
        idle: float = LOOK,
        dispatch: str | None = None,
        _deadline: float | None = None,
    ) -> None:
        if not await self._nothing_can_happen():
            await self._look(timeout=timeout, idle=idle, dispatch=dispatch, deadline=_deadline)

    async def _look(
        self,
        *,
        timeout: float | None,  # noqa: ASYNC109 - SimCord's own
        idle: float,
        dispatch: str | None,
        deadline: float | None,
    ) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while True:
            try:
                await super()._settle_internal(
                    timeout=timeout or HORIZON, idle=idle, dispatch=dispatch, _deadline=deadline
                )
            except TimeoutError:
                if loop.time() >= (deadline or until):
                    raise
            else:
                return

    async def _nothing_can_happen(self) -> bool:
        """Wait while the loop has something to run or a thread works; return whether no timer ends soon."""
        loop: Any = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        store = getattr(self.bot, "_store", None)
        while loop.time() < until and self._real_advance_task is None:
            state = self._settlement_state()
            _settlement._run_due_virtual_callbacks(state, until)
            await asyncio.sleep(0)
            if loop._ready:
                continue
            threads = [*self._work.executors, *(job for job in _jobs if job.get_loop() is loop)]
            if isinstance(store, CountingStore) and store.running:
                threads.append(store.rest())
            if threads:
                await asyncio.wait(threads, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
                continue
            soon = loop.time() + HORIZON
            timers = _settlement._active_callbacks(state)
            return all(_settlement._callback_is_parked(state, timer, soon) for timer in timers)
        return False
