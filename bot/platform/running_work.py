"""Work that goes on: an error in one event or task ends no more than that, and one can wait for its end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable

import discord

from bot.platform.counters import Counters
from matches.ports import StoreError

log = logging.getLogger(__name__)


async def unless_store_fails(work: Awaitable[None]) -> None:
    """Leave what the database fails for to the pollers: the change itself is committed."""
    try:
        await work
    except StoreError as error:
        log.warning("the database can't be used now", extra={"error": str(error)})


class ErrorGuard:
    """Awaits what an event or a poller of a client has to do; errors are logged and counted."""

    def __init__(self, client: discord.Client, counters: Counters) -> None:
        self._client = client
        self._counters = counters

    async def run(self, work: Awaitable[None]) -> None:
        """Await the work, whatever fails in it."""
        try:
            await work
        except Exception as error:
            if (
                self._client.is_closed()
            ):  # the store is closed, too: what was begun is done after the next start
                log.info("an event was cut short by the end", extra={"error": repr(error)})
                return
            self._counters.add("events that failed")
            log.exception("an event could not be handled")

    async def run_on_store(self, work: Awaitable[None]) -> None:
        """Await the work; a database that can't be used now is no error of it."""
        await self.run(unless_store_fails(work))


class InProgress:
    """Work of one kind: each piece is done within `with`."""

    def __init__(self) -> None:
        self._count = 0
        self._idle = asyncio.Event()
        self._idle.set()

    def __enter__(self) -> None:
        self._count += 1
        self._idle.clear()

    def __exit__(self, *error: object) -> None:
        self._count -= 1
        if not self._count:
            self._idle.set()

    async def ended(self) -> None:
        """Wait until none of it goes on."""
        await self._idle.wait()
