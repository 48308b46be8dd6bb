"""Waiting for a state of the world, never for a span of time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from tests.loopback.log import LoggedRequest
from tests.patience import PATIENCE

T = TypeVar("T")


class Waiting:
    """Wakes those who wait at every step of a request and every event.

    Attributes:
        requests: every HTTP request so far, oldest first.
        patience: seconds after which waiting for the bot fails.
    """

    def __init__(self) -> None:
        self.requests: list[LoggedRequest] = []
        self.patience = PATIENCE
        self._waiters: set[asyncio.Future[None]] = set()

    def changed(self) -> None:
        """Let those who wait look again: as after a line that the bot has written."""
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._waiters.clear()

    async def wait_until(self, state: Callable[[], T | None], what: str = "the awaited state") -> T:
        """Wait until ``state()`` is true, looking again at every step of a request and every event.

        Returns:
            The true value.

        Raises:
            AssertionError: not within ``patience`` seconds; names the last requests.
        """
        try:
            async with asyncio.timeout(self.patience):
                while not (value := state()):
                    waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                    self._waiters.add(waiter)
                    await waiter
        except TimeoutError:
            last = "\n".join(f"  {request}" for request in self.requests[-12:])
            raise AssertionError(f"{what} did not come; the last requests:\n{last}") from None
        return value
