"""SimCord's environment on a machine of any speed."""

from __future__ import annotations

import asyncio
from typing import Final

from discord import Client
from simcord.env import Env

from tests.patience import PATIENCE

HORIZON: Final = 5.0
"""Seconds: a bot that sleeps for longer is at rest."""
LOOK: Final = 0.0025
"""Seconds between looks at a bot that works: SimCord's own 50 ms were up to five sixths of a test."""


class PatientEnv(Env):
    """Waits for the bot as long as it works.

    SimCord has one number for how long it waits, and for which sleeps it waits. Here the first is
    `PATIENCE`, the second `HORIZON`.
    """

    def __init__(self, bot: Client) -> None:
        super().__init__(bot, settle_timeout=PATIENCE)

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - SimCord's own signature
        idle: float = LOOK,
        dispatch: str | None = None,
        _deadline: float | None = None,
    ) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while True:
            try:
                await super()._settle_internal(
                    timeout=timeout or HORIZON, idle=idle, dispatch=dispatch, _deadline=_deadline
                )
            except TimeoutError:
                if loop.time() >= (_deadline or until):
                    raise
            else:
                return
